import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { FIXED_12 } from '../host/sensing/layout.ts';
import { PINS, type Pin } from '../sim/avr/pins.ts';

const text = readFileSync(new URL('../wiring.md', import.meta.url), 'utf8');
const header = readFileSync(
  new URL('../firmware-protocol/arduino/BakuTile/src/pins.h', import.meta.url),
  'utf8',
);

/** Rows of the first table in a chapter, header left out, cells trimmed. */
function tableIn(chapter: RegExp): readonly (readonly string[])[] {
  const from = text.search(chapter);
  const rest = text.slice(from).split('\n');
  const first = rest.findIndex((line) => line.startsWith('|'));
  const rows = rest.slice(first);
  const end = rows.findIndex((line) => !line.startsWith('|'));
  return rows.slice(2, end).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

/** Arduino pin numbers of the ports, from the boards' published pin maps. */
const ARDUINO: Readonly<Record<'uno' | 'mega', (pin: string) => string | undefined>> = {
  uno(pin) {
    const [, port, bit = ''] = /^P([BCD])(\d)$/.exec(pin) ?? [];
    if (port === 'D') return `D${bit}`;
    if (port === 'B') return `D${8 + Number(bit)}`;
    return port === 'C' ? `A${bit}` : undefined;
  },
  mega(pin) {
    const [, port, bit = ''] = /^P([ABCFKL])(\d)$/.exec(pin) ?? [];
    const n = Number(bit);
    if (port === 'A') return `D${22 + n}`;
    if (port === 'C') return `D${37 - n}`;
    if (port === 'L') return `D${49 - n}`;
    if (port === 'F') return `A${n}`;
    if (port === 'K') return `A${8 + n}`;
    // PB0 to PB3 are the SPI pins; PB4 to PB7 are D10 to D13.
    return port === 'B' && n >= 4 ? `D${6 + n}` : undefined;
  },
};

/** Ports that pins.h names for a board, in the order of the wiring table: mux, select, contacts, rest. */
function portsInHeader(board: 'uno' | 'mega'): ReadonlyMap<string, readonly string[]> {
  const body = header.slice(
    header.indexOf(`namespace ${board} {`),
    header.indexOf(`}  // namespace ${board}`),
  );
  const found = new Map<string, readonly string[]>();
  for (const [, name = '', inside = ''] of body.matchAll(/(k\w+) = \{([^}]*)\}/g)) {
    const [port = '', first = '0', count = '1'] = inside.split(',').map((part) => part.trim());
    const letter = port.replaceAll("'", '');
    found.set(
      name,
      Array.from({ length: Number(count) }, (_, i) => `P${letter}${Number(first) + i}`),
    );
  }
  return found;
}

const ROWS = {
  uno: ['kMuxA', 'kSelect', 'kContactsA', 'kGateNearA', 'kGateFarA', 'kStudA', 'kStripA', 'kStatus'],
  mega: [
    'kMuxA',
    'kMuxB',
    'kSelect',
    'kContactsA',
    'kContactsB',
    'kGateNearA',
    'kGateFarA',
    'kStudA',
    'kGateNearB',
    'kGateFarB',
    'kStudB',
    'kStripA',
    'kStripB',
    'kStatus',
  ],
} as const;

describe('wiring.md', () => {
  for (const [board, chapter] of [
    ['uno', /^## 4\./m],
    ['mega', /^## 5\./m],
  ] as const) {
    it(`has the pins of the firmware's header for the ${board}`, () => {
      const ports = portsInHeader(board);
      const wanted = ROWS[board].flatMap((name) => ports.get(name) ?? [`${name} is not in pins.h`]);
      const rows = tableIn(chapter);
      expect(rows.map(([, , port]) => port)).toEqual(wanted);
      expect(rows.map(([, arduino]) => arduino)).toEqual(wanted.map(ARDUINO[board]));
      expect([...ports.keys()].sort()).toEqual([...ROWS[board]].sort());
    });

    it(`has the pins of the emulated ${board}`, () => {
      const name = ({ port, bit }: Pin): string => `P${port}${bit}`;
      const pins = PINS[board];
      const written = new Set(tableIn(chapter).map(([, , port]) => port));
      for (const pin of [
        ...pins.select,
        ...pins.contacts,
        ...pins.gates,
        ...pins.studs,
        ...pins.chains,
        pins.statusLed,
      ]) {
        expect(written).toContain(name(pin));
      }
    });
  }

  it('has the cells and channels of the default layout', () => {
    const wanted = FIXED_12.cells.map(({ side, tile, cell }) => [
      side,
      `${tile}`,
      cell,
      `${2 * tile}, ${2 * tile + 1}`,
    ]);
    expect(tableIn(/^## 2\./m)).toEqual(wanted);
  });

  it('draws the cells where the layout has them', () => {
    const drawing = text.slice(text.indexOf('player B (north)'), text.indexOf('player A (south)'));
    const drawn = drawing
      .split('\n')
      .flatMap((line, y) =>
        [...line.matchAll(/q-?\d+r-?\d+/g)].map((match) => ({ cell: match[0], x: match.index, y })),
      );
    const at = (cell: string) => drawn.find((one) => one.cell === cell);
    expect(drawn).toHaveLength(FIXED_12.cells.length);
    for (const a of FIXED_12.cells) {
      for (const b of FIXED_12.cells) {
        const south = b.r + b.q / 2 - (a.r + a.q / 2);
        if (south > 0) expect(at(b.cell)?.y).toBeGreaterThan(at(a.cell)?.y ?? Number.NaN);
        if (b.q > a.q) expect(at(b.cell)?.x).toBeGreaterThan(at(a.cell)?.x ?? Number.NaN);
      }
    }
  });
});
