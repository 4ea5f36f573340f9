import { describe, expect, it } from 'vitest';
import { type ConfigProblem, type ParsedConfig, parseConfig, problemLine } from '../host/config.ts';
import { PARTS } from '../host/parts.ts';
import { firmata } from '../host/transports/firmata.ts';
import { LEAST_FIRMATA } from './support/firmata-link.ts';
import { placeOf } from './support/transports.ts';

/** Rules have options of their own, which are no matter here. */
function linkProblems(parsed: ParsedConfig): readonly ConfigProblem[] {
  return parsed.ok ? [] : parsed.problems.filter(({ key }) => key.includes('.links.'));
}

describe('options of a Firmata board', () => {
  it('are completed: 57600 baud, the quickest sampling, the side of the link', () => {
    expect(firmata.parse(LEAST_FIRMATA, placeOf({ side: 'B' }))).toEqual({
      ...LEAST_FIRMATA,
      device: '0F1A7A01',
      side: 'B',
      baudRate: 57_600,
      samplingMs: 10,
      answerMs: 10_000,
      silentMs: 3000,
    });
  });

  it.each<[string, object, RegExp]>([
    ['no device', { device: undefined }, /\.device: is needed here/],
    ['a short device', { device: '12AB' }, /\.device: must be eight hex digits/],
    ['the device of an unset board', { device: '00000000' }, /\.device: must not be 00000000/],
    ['no tiles', { tiles: [] }, /\.tiles: must be at least 1/],
    ['a typo', { tilse: [] }, /\.tilse: has no meaning here\. Did you mean "tiles"\?/],
    ['too fast', { samplingMs: 5 }, /\.samplingMs: must be at least 10/],
    ['too slow', { samplingMs: 20 }, /\.samplingMs: must be at most 19/],
    [
      'a hall on a digital pin',
      { tiles: [{ tile: 0, hall: '7', contact: 2 }] },
      /\.tiles\.0\.hall: must be an analog pin, "A0" to "A15"/,
    ],
    [
      'a contact on the serial wire',
      { tiles: [{ tile: 0, hall: 'A0', contact: 1 }] },
      /\.tiles\.0\.contact: must be a pin: a whole number from 2/,
    ],
    ['no contact', { tiles: [{ tile: 0, hall: 'A0' }] }, /\.tiles\.0\.contact: /],
    [
      'a pin twice',
      { tiles: [...LEAST_FIRMATA.tiles, { tile: 2, hall: 'A2', contact: 'A1' }] },
      /\.tiles\.2\.contact: is the pin of tiles\.1\.hall already/,
    ],
    ['a stud on a contact', { stud: 3 }, /\.stud: is the pin of tiles\.1\.contact already/],
    [
      'a tile twice',
      { tiles: [LEAST_FIRMATA.tiles[0], { tile: 0, hall: 'A1', contact: 3 }] },
      /\.tiles\.1\.tile: is the number of tiles\.0 already/,
    ],
    [
      'a gap',
      { tiles: [LEAST_FIRMATA.tiles[0], { tile: 2, hall: 'A1', contact: 3 }] },
      /\.tiles\.1\.tile: leaves a gap: 2 tiles are numbered 0 to 1/,
    ],
    ['no side', { side: undefined }, /\.side: is needed here: A, B or both/],
    ['gates of a side that it does not serve', { gatesB: { near: 8, far: 9 } }, /\.gatesB: .*it is "gates"/],
  ])('name the key: %s', (_, change, words) => {
    const link = { transport: 'firmata', side: 'A', ...LEAST_FIRMATA, ...change };
    const text = JSON.stringify({ tables: { t1: { links: { uno: link } } } });
    const parsed = parseConfig(text, 'table.yaml', PARTS, () => '');
    const problems = linkProblems(parsed).map(problemLine);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(words);
    expect(problems[0]).toContain('tables.t1.links.uno.');
  });

  it('share ports and sides with boards of our own firmware', () => {
    const links = {
      a: { transport: 'serial', side: 'A', path: '/dev/ttyUSB0' },
      b: { transport: 'firmata', side: 'A', ...LEAST_FIRMATA },
    };
    const parsed = parseConfig(JSON.stringify({ tables: { t1: { links } } }), 't.yaml', PARTS, () => '');
    const codes = linkProblems(parsed).map(({ code }) => code);
    expect(codes.sort()).toEqual(['config/path-twice', 'config/side-twice']);
  });
});
