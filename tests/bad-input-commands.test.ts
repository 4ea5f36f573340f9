/** Whatever is asked of a table, it says yes or why not; a refusal changes nothing, and nothing throws. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checksumOf } from '../firmware-protocol/crc.ts';
import { advance } from '../host/advance/advance.ts';
import type { Command, Output } from '../host/advance/input.ts';
import { saveTable } from '../host/advance/save.ts';
import type { GameInput, LegalInput } from '../host/game/ruleset.ts';
import { finalsIn } from './support/chain.ts';
import { demoFor, legalIn, type VirtualTable, virtualTable } from './support/virtual-table.ts';

const KEYS = [
  'type',
  'by',
  'do',
  'roll',
  'input',
  'cell',
  'core',
  'results',
  'player',
  'bakugan',
  'count',
  'reason',
];
const ODD_KEYS = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'valueOf',
  'toJSON',
  'length',
  'then',
  '',
];
const WORDS = [
  'A',
  'B',
  'A1',
  'A/1',
  't1.1',
  'q0r0',
  'again',
  'yes',
  'turn',
  'judge',
  'x'.repeat(20_000),
  '\u0000',
  '𝒳',
];

/** Any JSON at all, in words that a table knows as often as not. */
const anything = fc.letrec<{ tree: unknown }>((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom(...WORDS, null, true, false, 0, -1, 3, 1e308, 0.5),
    fc.integer(),
    fc.array(tie('tree'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...KEYS, ...ODD_KEYS), tie('tree'), { maxKeys: 5 }),
  ),
})).tree;
/** What JSON cannot carry and a program inside the host might. */
const outlandish = fc.constantFrom(
  Number.NaN,
  Number.POSITIVE_INFINITY,
  undefined,
  Symbol.iterator,
  () => 'x',
  10n,
);
const role = fc.constantFrom('player', 'judge', 'operator', 'sensing', 'automatic', 'root', '__proto__');
const by = fc.oneof(fc.record({ role, player: fc.constantFrom('A', 'B') }), anything, outlandish);
const value = fc.oneof({ weight: 5, arbitrary: anything }, { weight: 1, arbitrary: outlandish });
const command = fc.oneof(
  fc.record({ do: fc.constant('play'), input: fc.oneof(value, fc.record({ type: value, by, roll: value })) }),
  fc.record({ do: fc.constant('replace-ruling'), by, roll: value, input: value, reason: value }),
  fc.record(
    { do: fc.constant('undo'), by, to: value, reason: value, rule: value, second: by, basis: value },
    { requiredKeys: ['do', 'by'] },
  ),
  fc.record({ do: fc.constant('undo'), by, to: fc.nat(9), reason: fc.string(), second: by }),
  fc.record({ do: fc.constant('new-game'), by, options: value }),
  fc.record({ do: fc.constant('identify'), by, cell: value }),
  fc.record({ do: value, by }),
  value,
) as fc.Arbitrary<Command>;

/** Gives a command at this moment: the one answer to it, which is proper and, where it is no, left nothing changed. */
function answerOf(table: VirtualTable, asked: Command): Output & { readonly kind: 'accepted' | 'refused' } {
  const { state, setting, nowMs } = table;
  advance(state, { kind: 'tick', atMs: nowMs }, setting);
  const before = { ...state };
  const said = advance(state, { kind: 'command', atMs: nowMs, id: 'c', command: asked }, setting);
  const answers = said.filter((output) => output.kind === 'accepted' || output.kind === 'refused');
  expect(answers).toHaveLength(1);
  const [answer] = answers;
  if (answer === undefined) throw new Error('no answer');
  if (answer.kind === 'refused') {
    expect(answer.refusal.code).toMatch(/^[a-z-]+\/[a-z-]+$/);
    expect(answer.refusal.message).toMatch(/[.!?]$/);
    expect(answer.refusal.message.length).toBeLessThan(600);
    expect(said).toHaveLength(1);
    // Everything decided is a value that is replaced, never changed.
    expect({ ...state }).toEqual(before);
    for (const name of ['play', 'activity', 'rulings', 'retracted', 'lights', 'game'] as const) {
      expect(state[name]).toBe(before[name]);
    }
  }
  return answer;
}

/** A table at several moments of a game, one after the other. */
function* moments(seed: number, count: number): Generator<VirtualTable> {
  const table = virtualTable({ seed, judge: true });
  for (let i = 0; i < count; i++) {
    table.run(i === 0 ? 2500 : 800);
    yield table;
  }
}

describe('commands of any shape', () => {
  it('are answered, once, and change nothing when refused', () => {
    for (const table of moments(2, 8)) {
      let saved = '';
      let refused = 0;
      fc.assert(
        fc.property(command, (asked) => {
          if (answerOf(table, asked).kind === 'accepted') saved = '';
          else if (refused++ % 8 === 0) {
            // The rest of the state too, now and then: it is long.
            const now = saveTable(table.state);
            if (saved !== '') expect(now === saved).toBe(true);
            saved = now;
          }
        }),
        { numRuns: 60 },
      );
      expect(refused).toBeGreaterThan(30);
    }
    expect(Object.keys(Object.prototype)).toEqual([]);
  });

  it('that are legal but for one field are refused or played, never half', () => {
    const tried = { accepted: 0, refused: 0 };
    for (const table of moments(3, 12)) {
      fc.assert(
        fc.property(fc.nat(), fc.nat(), value, fc.boolean(), (pick, which, other, whole) => {
          const legal: readonly LegalInput[] = (['A', 'B', 'judge'] as const).flatMap((who) =>
            legalIn(table.state, who),
          );
          const one = legal[pick % Math.max(1, legal.length)];
          if (one === undefined || one.input.type === 'concede') return;
          const names = Object.keys(one.input);
          const name = names[which % names.length] ?? 'type';
          const player = one.player === 'judge' ? {} : { player: one.player };
          const role = one.player === 'judge' ? 'judge' : 'player';
          const input = { ...one.input, by: { role, ...player }, ...(whole ? {} : { [name]: other }) };
          tried[answerOf(table, { do: 'play', input: input as GameInput }).kind]++;
        }),
        { numRuns: 25 },
      );
    }
    expect(tried.accepted).toBeGreaterThan(20);
    expect(tried.refused).toBeGreaterThan(60);
  });

  it('a new game on cells that the mat does not have', () => {
    const table = virtualTable({ seed: 3, auto: false });
    const demo = demoFor(3) as { readonly field: readonly { readonly q: number; readonly r: number }[] };
    const field = demo.field.map(({ q, r }) => ({ cell: `q${q + 30}r${r}`, q: q + 30, r }));
    const asked = {
      do: 'new-game',
      by: { role: 'operator' },
      options: { ...demo, field },
    } as unknown as Command;
    expect(answerOf(table, asked)).toMatchObject({
      kind: 'refused',
      refusal: {
        code: 'new-game/other-mat',
        message: expect.stringMatching(/^The mat has no cell q\d+r-?\d: give/),
      },
    });
  });

  it('a player who names a roll in another input is refused, and does not stand in the way of a judge', () => {
    const table = virtualTable({ seed: 3, judge: true });
    const settled = (): boolean =>
      finalsIn(table.outputs).length > 0 && legalIn(table.state, 'A').some(isPass);
    expect(table.runUntil(settled, 30_000)).toBe(true);
    const roll = finalsIn(table.outputs).at(-1)?.roll ?? '';
    const pass = { type: 'pass', roll, by: { role: 'player', player: 'A' } } as const;
    expect(answerOf(table, { do: 'play', input: pass })).toMatchObject({
      kind: 'refused',
      refusal: { code: 'step/unknown-field', message: expect.stringContaining('roll') },
    });
    const judge = { role: 'judge', name: 'Ines' } as const;
    const input = { type: 'judge-roll', by: judge, roll, verdict: 'again', reason: 'Seen on video' } as const;
    const answer = answerOf(table, { do: 'replace-ruling', by: judge, roll, input, reason: 'Seen on video' });
    expect(answer).toMatchObject({ kind: 'accepted' });
  });
});

function isPass({ input }: LegalInput): boolean {
  return input.type === 'pass';
}

describe('lines of any shape', () => {
  const hex = (digits: number): fc.Arbitrary<string> =>
    fc.nat(16 ** digits - 1).map((n) => n.toString(16).toUpperCase().padStart(digits, '0'));
  const field = fc.oneof(
    hex(2),
    hex(4),
    hex(6),
    hex(8),
    fc.constantFrom('A', 'AB', '-', '1.0.0', '', '1', '1000'),
    fc.base64String(),
  );
  const known = fc.constantFrom('A0000001', 'B0000001', '00000000');
  const hello = fc
    .tuple(
      hex(6),
      hex(8),
      hex(4),
      fc.oneof(known, hex(8)),
      fc.constantFrom('A', 'B', 'AB', '-'),
      fc.constantFrom('6', '12', '1'),
      fc.constantFrom('1', '2', '3'),
    )
    .map(
      ([head, t, boot, device, side, tiles, halls]) =>
        `H1,${head},${t},${boot},${device},${side},1,1.0.0,9F86D081,${tiles},${halls},1000,000F,01,`,
    );
  const other = fc
    .tuple(
      fc.constantFrom('Q1', 'B1', 'E1', 'S1', 'A1', 'F1', 'N1', 'X1', 'Q2', 'Q12'),
      fc.array(field, { maxLength: 9 }),
    )
    .map(([kind, fields]) => `${[kind, ...fields].join(',')},`);
  const line = fc.oneof(
    fc.oneof(hello, other).map((body) => `${body}${sumOf(body)}`),
    fc.string({ unit: 'binary', maxLength: 300 }),
  );

  it('are used or counted; a game in their midst goes on to a ruling', () => {
    const table = virtualTable({ seed: 4, judge: true });
    table.run(2500);
    const { state, setting } = table;
    let taken = 0;
    fc.assert(
      fc.property(
        line,
        fc.constantFrom('sim-a', 'sim-b', 'nowhere'),
        fc.option(known),
        fc.boolean(),
        (raw, link, device, retained) => {
          const clean = /^[\x20-\x7e]*$/.test(raw)
            ? { line: raw }
            : { b64: Buffer.from(raw).toString('base64') };
          const from = device === null ? {} : { device, retained };
          advance(state, { kind: 'line', atMs: table.nowMs, link, raw: clean, ...from }, setting);
          if (++taken % 20 === 0) table.run(1);
        },
      ),
      { numRuns: 1500 },
    );
    const counted =
      table.scene({ kind: 'operator' }).links.find(({ link }) => link === 'nowhere')?.counts ?? {};
    const told = Object.entries(counted).filter(([name]) => /^(fault|refused)\./.test(name));
    expect(told.length).toBeGreaterThan(5);
    // Whoever took a side that was not theirs is silent by now.
    table.run(4000);
    const before = finalsIn(table.outputs).length;
    expect(table.runUntil(() => finalsIn(table.outputs).length > before, 60_000)).toBe(true);
  });

  it('from ever new devices do not make the table grow', () => {
    const table = virtualTable({ seed: 4, auto: false });
    table.run(2500);
    const { state, setting } = table;
    for (let i = 0; i < 3000; i++) {
      const device = (0x10000000 + i).toString(16).toUpperCase();
      const body = `H1,2A0000,00000733,012A,${device},A,1,1.0.0,9F86D081,6,2,1000,000F,01,`;
      const raw = { line: `${body}${sumOf(body)}` };
      advance(state, { kind: 'line', atMs: table.nowMs, link: 'nowhere', raw, device }, setting);
    }
    const { links } = table.scene({ kind: 'operator' });
    expect(links.length).toBeLessThan(100);
    expect(JSON.stringify(links).length).toBeLessThan(100_000);
    table.run(500);
    expect(table.scene({ kind: 'operator' }).links.find(({ link }) => link === 'sim-a')?.complaints).toEqual(
      [],
    );
  });
});

function sumOf(body: string): string {
  return checksumOf(body, body.length).toString(16).toUpperCase().padStart(4, '0');
}
