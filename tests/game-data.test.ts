import { describe, expect, it } from 'vitest';
import { characterById } from '../host/game/bakugan/cards/catalog.ts';
import { CHARACTERS } from '../host/game/bakugan/data/characters.ts';
import { CORE_PRINTS, corePrint } from '../host/game/bakugan/data/cores.ts';
import { demoOptions } from '../host/game/bakugan/demo.ts';
import { checkOptions } from '../host/game/bakugan/options.ts';
import { type Team, teamFaults } from '../host/game/bakugan/team.ts';
import type { Json } from '../host/ids.ts';
import { FIXED_12 } from '../host/sensing/layout.ts';
import { OPTIONS, TEAM } from './support/bakugan-game.ts';

describe('card facts', () => {
  it('has the 52 BakuCores with the ranges and types of the set', () => {
    expect(CORE_PRINTS.map((print) => print.no)).toEqual(Array.from({ length: 52 }, (_, index) => index + 1));
    const total = CORE_PRINTS.flatMap((print) => [
      print.bPower,
      print.bPower + (print.ifFaction?.bPower ?? 0),
    ]);
    expect([Math.min(...total), Math.max(...total)]).toEqual([-500, 650]);
    const damage = CORE_PRINTS.map((print) => print.damage);
    expect([Math.min(...damage), Math.max(...damage)]).toEqual([-5, 6]);
    expect(CORE_PRINTS.filter((print) => print.shadowStrike).map((print) => print.no)).toEqual([51]);
    expect(CORE_PRINTS.filter((print) => print.frostStrike).map((print) => print.no)).toEqual([52]);
    expect(CORE_PRINTS.filter((print) => print.ifFaction).map((print) => print.no)).toEqual([
      11, 12, 13, 14, 15, 32, 33, 34, 35, 36,
    ]);
    expect(corePrint(35)).toMatchObject({
      type: 'SD',
      ifFaction: { factions: ['Pyrus', 'Darkus'], bPower: 400 },
    });
    expect([corePrint(0), corePrint(53)]).toEqual([undefined, undefined]);
  });
  it('has the 93 Characters with the ranges of the set', () => {
    expect(CHARACTERS.map((card) => card.id)).toEqual(
      Array.from({ length: 93 }, (_, index) => `BB-${282 + index}`),
    );
    for (const card of CHARACTERS) {
      expect(card.bPower % 100).toBe(0);
      expect(card.bPower).toBeGreaterThanOrEqual(100);
      expect(card.bPower).toBeLessThanOrEqual(800);
      expect(card.damage).toBeGreaterThanOrEqual(1);
      expect(card.damage).toBeLessThanOrEqual(7);
    }
  });
  it('has the indicator totals that were counted over the 88 cards read first (D-7.21)', () => {
    const later = ['BB-302', 'BB-346', 'BB-366', 'BB-368', 'BB-374'];
    const icons = CHARACTERS.filter((card) => !later.includes(card.id)).flatMap((card) => card.indicators);
    const count = (type: string) => icons.filter((icon) => icon === type).length;
    expect(['SD', 'FT', 'HE', 'MS', 'FF'].map(count)).toEqual([57, 54, 25, 22, 18]);
  });
  it('has icons only of types that the card itself asks for', () => {
    for (const card of CHARACTERS) {
      for (const text of card.text) {
        if (!('gives' in text) || typeof text.if !== 'object' || !('holds' in text.if)) continue;
        for (const type of text.if.holds) expect(card.indicators).toContain(type);
      }
    }
  });
  it('spells out the ten cards that the digest gives in full', () => {
    expect(characterById([], 'BB-343')).toMatchObject({
      name: 'Dragonoid',
      factions: ['Pyrus'],
      bPower: 200,
      damage: 5,
    });
    expect(characterById([], 'BB-344')?.text).toEqual([
      { gives: { damage: 1, doubleStrike: true }, if: { holds: ['FT'] } },
    ]);
    expect(characterById([], 'BB-313')?.text).toEqual([{ gives: { shadowStrike: true } }]);
    expect(characterById([], 'BB-311')?.text).toEqual([
      { when: 'victor', do: [{ do: 'discard', n: 1, who: 'opponent' }] },
    ]);
    expect(characterById([], 'BB-296')?.text).toEqual([{ gives: { frostStrike: 2 }, if: { holds: ['SD'] } }]);
    expect(characterById([], 'BB-328')?.text).toEqual([{ gives: { bPower: 400 }, if: 'domination' }]);
    expect(characterById([], 'BB-361')?.text).toEqual([
      { gives: { bPower: 500, damage: 5 }, if: { holds: ['SD', 'FT'] } },
    ]);
    expect(characterById([], 'BB-309')).toMatchObject({
      name: 'Trox Ultra',
      bPower: 800,
      indicators: ['HE', 'HE'],
    });
  });
});

describe('teams (1.1.2, 1.2.3)', () => {
  const faults = (team: Partial<Team>) => teamFaults({ ...TEAM, ...team }).join(' ');
  it('TV-01: cores that match the indicators are legal', () => {
    expect(faults({})).toBe('');
  });
  it('TV-02: cores that do not match are named by type', () => {
    const text = faults({ cores: [16, 1, 2, 4, 24, 25] });
    expect(text).toContain('4 BakuCores of type FT, there are 3 (1.2.3)');
    expect(text).toContain('1 BakuCores of type SD, there are 2 (1.2.3)');
  });
  it('TV-03: 40 cards, not 39 or 41', () => {
    expect(faults({ deck: 39 })).toContain('exactly 40 cards, this one has 39 (1.1.2)');
    expect(faults({ deck: 40 })).toBe('');
    expect(faults({ deck: 41 })).toContain('exactly 40');
  });
  it('three different Bakugan, six cores that exist', () => {
    expect(faults({ characters: ['BB-343', 'BB-343', 'BB-318'] })).toContain('different');
    expect(faults({ characters: ['BB-343', 'BB-283'] })).toContain('3 Bakugan, this one has 2');
    expect(faults({ characters: ['BB-343', 'BB-283', 'BB-1'] })).toContain('no Character card BB-1');
    expect(faults({ cores: [16, 1, 2, 4, 7, 99] })).toContain('no BakuCore number 99');
  });
});

describe('options', () => {
  const refusal = (options: Json): string => {
    try {
      checkOptions(options);
    } catch (error) {
      if (error instanceof RangeError) return error.message;
      throw error;
    }
    return 'accepted';
  };
  it('accepts the demo teams on the reference mat and fills in the defaults', () => {
    const checked = checkOptions(demoOptions(FIXED_12.cells));
    expect(checked.rules).toEqual({
      loseWhen: 'cannotFlip',
      sharedCore: 'lastHolder',
      doubleStrike: 'doubleTotal',
      shadowStrike: 'both',
      soleOpener: 'powerStep',
      repeatRoll: 'rollingStep',
      teamRetract: 'retractingStep',
      afterPlaying: 'keep',
      firstPriority: 'startingPlayer',
      iconText: 'once',
      missReroll: 'eachTurn',
      copies: 'nameAndSet',
      bPowerFloor: 'none',
      targets: 'rolled',
      unprinted: 'source',
      handLimit: null,
      rollCap: 20,
    });
    for (const team of [OPTIONS.players.A, OPTIONS.players.B]) expect(teamFaults(team)).toEqual([]);
  });
  it('says plainly what is wrong', () => {
    const { field, players } = OPTIONS;
    expect(refusal(null)).toContain('must be an object');
    expect(refusal({ ...OPTIONS, colour: 'red' })).toContain('no option "colour"');
    expect(refusal({ ...OPTIONS, rules: { loseWhen: 'never' } })).toContain('rules.loseWhen must be one of');
    expect(refusal({ ...OPTIONS, rules: { rollCap: 0 } })).toContain('rollCap must be a whole number');
    expect(refusal({ ...OPTIONS, field: field.slice(1) })).toContain('12 BakuCores, it has 11');
    expect(refusal({ ...OPTIONS, field: [...field, ...field.slice(0, 1)] })).toContain('twice');
    expect(refusal({ ...OPTIONS, field: [...field, { cell: 'q9r9', q: 9, r: 9 }] })).toContain(
      'hang together',
    );
    expect(refusal({ ...OPTIONS, field: [...field, { cell: 'x', q: 9, r: 9 }] })).toContain(
      'its name is q9r9',
    );
    expect(refusal({ ...OPTIONS, players: { ...players, A: { ...TEAM, deck: 41 } } })).toContain('players.A');
    expect(refusal({ ...OPTIONS, seed: 1.5 })).toContain('seed');
  });
});
