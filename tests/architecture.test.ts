import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { describe, expect, it } from 'vitest';

/**
 * Who may import whom. A source file belongs to the first row whose path it starts with; it may import files that
 * start with any of the named paths, and the npm packages and Node modules named. Type imports count.
 */
const TABLE: readonly { from: string; may: readonly string[]; packages: readonly string[] }[] = [
  { from: 'firmware-protocol/', may: ['firmware-protocol/'], packages: [] },
  { from: 'host/exact.ts', may: [], packages: [] },
  { from: 'host/ids.ts', may: ['firmware-protocol/frame.ts'], packages: [] },
  { from: 'host/record.ts', may: ['host/ids.ts'], packages: [] },
  { from: 'host/sim-action.ts', may: ['host/ids.ts'], packages: [] },
  { from: 'host/clock.ts', may: ['host/ids.ts'], packages: [] },
  { from: 'host/fault.ts', may: ['host/ids.ts'], packages: [] },
  { from: 'host/visible.ts', may: [], packages: [] },
  { from: 'host/log.ts', may: ['host/ids.ts', 'host/fault.ts', 'host/visible.ts'], packages: ['pino'] },
  {
    from: 'host/sensing/',
    may: ['host/sensing/', 'firmware-protocol/', 'host/ids.ts', 'host/record.ts', 'host/exact.ts'],
    packages: [],
  },
  {
    from: 'host/game/',
    may: [
      'host/game/',
      'host/ids.ts',
      'host/sensing/ruling.ts',
      'host/sensing/activity.ts',
      'host/sensing/layout.ts',
    ],
    packages: [],
  },
  {
    from: 'host/scene/',
    may: [
      'host/scene/',
      'host/game/ruleset.ts',
      'host/sensing/',
      'host/ids.ts',
      'firmware-protocol/frame.ts',
    ],
    packages: [],
  },
  {
    from: 'host/advance/',
    may: [
      'host/advance/',
      'host/scene/',
      'host/game/ruleset.ts',
      'host/game/event.ts',
      'host/game/play.ts',
      'host/game/history.ts',
      'host/sensing/',
      'host/ids.ts',
      'host/record.ts',
      'firmware-protocol/',
    ],
    packages: [],
  },
  {
    from: 'host/transports/',
    may: [
      'host/transports/',
      'host/ids.ts',
      'host/record.ts',
      'host/clock.ts',
      'host/fault.ts',
      'host/log.ts',
      'host/journal/read.ts',
      'firmware-protocol/',
    ],
    packages: [
      'serialport',
      '@serialport/parser-readline',
      'mqtt',
      'aedes',
      'johnny-five',
      'firmata-io',
      'zod',
      'node:',
    ],
  },
  {
    from: 'host/journal/',
    may: [
      'host/journal/',
      'host/advance/input.ts',
      'host/ids.ts',
      'host/record.ts',
      'host/clock.ts',
      'host/fault.ts',
      'host/log.ts',
    ],
    packages: ['node:', 'zod', 'canonicalize'],
  },
  {
    from: 'host/displays/',
    may: [
      'host/displays/',
      'host/scene/scene.ts',
      'host/game/ruleset.ts',
      'host/advance/input.ts',
      'host/ids.ts',
      'host/record.ts',
      'host/clock.ts',
      'host/fault.ts',
      'host/log.ts',
      'host/sim-action.ts',
      'host/sensing/',
    ],
    packages: ['hono', '@hono/node-server', 'ws', 'zod', 'node:'],
  },
  {
    from: 'host/pages/',
    may: [
      'host/pages/',
      'host/scene/scene.ts',
      'host/game/ruleset.ts',
      'host/game/bakugan/view.ts',
      'host/advance/input.ts',
      'host/displays/feed-messages.ts',
      'host/displays/archive-messages.ts',
      'host/ids.ts',
      'host/sim-action.ts',
      'host/sensing/ruling.ts',
      'host/sensing/seen.ts',
      'firmware-protocol/frame.ts',
    ],
    packages: ['lit', 'vite', 'node:'],
  },
  {
    from: 'host/parts.ts',
    may: ['host/transports/', 'host/game/', 'host/sensing/layout.ts', 'host/displays/', 'host/ids.ts'],
    packages: ['zod'],
  },
  {
    from: 'host/config',
    may: [
      'host/config',
      'host/parts.ts',
      'host/sensing/',
      'host/fault.ts',
      'host/ids.ts',
      'host/transports/',
    ],
    packages: ['yaml', 'zod', 'node:'],
  },
  { from: 'host/audit/page/', may: ['host/audit/', 'host/journal/'], packages: ['vite'] },
  { from: 'host/', may: ['host/', 'firmware-protocol/'], packages: ['node:', 'zod'] },
  {
    from: 'sim/',
    may: [
      'sim/',
      'firmware-protocol/',
      'host/ids.ts',
      'host/exact.ts',
      'host/clock.ts',
      'host/record.ts',
      'host/sim-action.ts',
      'host/sensing/',
      'host/game/ruleset.ts',
      'host/advance/input.ts',
      'host/transports/transport.ts',
    ],
    packages: ['avr8js', 'pure-rand', 'node:', 'zod'],
  },
  {
    from: 'bin/',
    may: ['bin/', 'host/', 'sim/', 'firmware-protocol/'],
    packages: ['commander', 'ws', 'yaml', 'node:'],
  },
];

/** Folders that know no clock, no chance, no input or output, and no operation that engines round differently. */
const PURE = [
  'firmware-protocol/',
  'host/exact.ts',
  'host/ids.ts',
  'host/sensing/',
  'host/game/',
  'host/scene/',
  'host/advance/',
];
const IMPURE = /\bDate\.now\b|\bnew Date\b|\bMath\.random\b|\bperformance\.now\b|\bsetTimeout\b|\bconsole\./;
const INEXACT =
  /\*\*|\bMath\.(pow|exp|expm1|log|log2|log10|log1p|sin|cos|tan|asin|acos|atan|atan2|sinh|cosh|tanh|asinh|acosh|atanh|cbrt|hypot)\b/;
const BANNED_NAMES = /(^|[-/])(utils?|helpers?|managers?|services?|controllers?|handlers?)[-./]/i;

const root = join(import.meta.dirname, '..');
const files = ['firmware-protocol', 'host', 'sim', 'bin'].flatMap((folder) => typescriptUnder(folder));
const imports = new Map(files.map((file) => [file, importsOf(file)] as const));

describe('architecture', () => {
  it('finds the tree', () => {
    expect(files.length).toBeGreaterThan(30);
  });

  it('follows the import table', () => {
    const wrong: string[] = [];
    for (const [file, targets] of imports) {
      const row = TABLE.find((r) => file.startsWith(r.from));
      if (row === undefined) {
        wrong.push(`${file}: in no row of the table`);
        continue;
      }
      for (const target of targets) {
        const allowed = target.local ? row.may : row.packages;
        if (!allowed.some((a) => target.name.startsWith(a))) wrong.push(`${file} imports ${target.name}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  it('has no import circle, type imports included', () => {
    const circles: string[] = [];
    const done = new Set<string>();
    const walk = (file: string, path: readonly string[]): void => {
      const at = path.indexOf(file);
      if (at >= 0) {
        circles.push([...path.slice(at), file].join(' → '));
        return;
      }
      if (done.has(file)) return;
      for (const target of imports.get(file) ?? []) if (target.local) walk(target.name, [...path, file]);
      done.add(file);
    };
    for (const file of files) walk(file, []);
    expect(circles).toEqual([]);
  });

  it('keeps clocks, chance and I/O out of the pure folders', () => {
    expect(offences(PURE, IMPURE)).toEqual([]);
  });

  it('keeps operations that engines round differently out of the pure folders and the simulator', () => {
    expect(offences([...PURE, 'sim/'], INEXACT)).toEqual([]);
  });

  it('has no drawer of leftovers', () => {
    expect(files.filter((file) => BANNED_NAMES.test(file))).toEqual([]);
  });

  it('keeps files to one subject', () => {
    const long = files
      .map((file) => ({ file, lines: source(file).split('\n').length }))
      .filter(({ file, lines }) => lines > 300 && !file.includes('/data/'));
    expect(long).toEqual([]);
  });
});

function offences(folders: readonly string[], pattern: RegExp): string[] {
  return files
    .filter((file) => folders.some((folder) => file.startsWith(folder)))
    .flatMap((file) =>
      withoutComments(source(file))
        .split('\n')
        .map((line, i) => ({ line, at: `${file}:${i + 1}` }))
        .filter(({ line }) => pattern.test(line))
        .map(({ line, at }) => `${at}: ${line.trim()}`),
    );
}

/** The same text with comments blanked, line numbers kept. */
function withoutComments(text: string): string {
  return text
    .replace(/\/\*[\s\S]*?\*\//g, (comment) => comment.replace(/[^\n]/g, ''))
    .replace(/(^|[^:'"`])\/\/.*$/gm, '$1');
}

function source(file: string): string {
  return readFileSync(join(root, file), 'utf8');
}

function typescriptUnder(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .sort();
}

type Import = { readonly local: boolean; readonly name: string };

function importsOf(file: string): readonly Import[] {
  const text = source(file);
  const found: Import[] = [];
  const pattern = /(?:\bfrom\s+|\bimport\s+|\bimport\(\s*)['"]([^'"\n]+)['"]/g;
  for (const match of text.matchAll(pattern)) {
    const name = match[1];
    if (name === undefined || name.endsWith('.css')) continue;
    const local = name.startsWith('.');
    found.push({ local, name: local ? normalize(join(dirname(file), name)) : name });
  }
  return found;
}
