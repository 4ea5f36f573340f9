/** Files and ports that the built program cannot use: it says what is wrong and what to do, and leaves with 1. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { demoOptions } from '../host/game/bakugan/demo.ts';
import { FIXED_12 } from '../host/sensing/layout.ts';
import { ran } from './support/program.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'bakucore-files-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function put(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return name;
}

const rules = JSON.stringify(demoOptions(FIXED_12.cells));
/** A good config but for what is put in its place. */
function config(links: string, more = '', top = ''): string {
  return `${top}http: { port: 0 }\ntables:\n  t1:\n    rulesetOptions: ${rules}\n${more}    links:\n${links}`;
}
const BOMB = Array.from({ length: 12 }, (_, i) => {
  const before =
    i === 0
      ? '["x","x","x","x","x","x","x","x","x"]'
      : `[${Array(9)
          .fill(`*a${i - 1}`)
          .join(',')}]`;
  return `a${i}: &a${i} ${before}`;
}).join('\n');
const TILE_TWICE = `name: twice\ncells:\n${FIXED_12.cells
  .map(({ q, r, side, tile }) => `  - { q: ${q}, r: ${r}, side: ${side}, tile: ${tile === 3 ? 2 : tile} }`)
  .join('\n')}\n`;

const ONE_PORT = '      a: { transport: serial, path: /dev/x }\n';
const CONFIGS: readonly (readonly [string, string, RegExp])[] = [
  [
    'with a typo',
    config('      a: { transport: serial, paht: /dev/x }\n'),
    /config:6: tables\.t1\.links\.a\.paht: has no meaning here\. Did you mean "path"\?/,
  ],
  [
    'with a missing port',
    config('      a: { transport: serial }\n'),
    /config:6: tables\.t1\.links\.a\.path: is needed here\. \(The port: /,
  ],
  [
    'with two boards claiming one side',
    config(`${ONE_PORT.replace(' }', ', side: A }')}      b: { transport: serial, path: /dev/y, side: A }\n`),
    /claims side A, which tables\.t1\.links\.a claims too\. One board serves a side/,
  ],
  [
    'with a tile twice',
    config(ONE_PORT, '    layout: ./twice.yaml\n'),
    /twice\.yaml:\d+: .*tile 2 of side A/,
  ],
  ['that is empty', '', /config:1: The file says nothing\. Start from the example in the README\./],
  ['that is an alias bomb', BOMB, /Aliases unfold into far more than is written\./],
  [
    'with a second document',
    'tables: {}\n---\ntables: {}\n',
    /config:\d: A second document begins here; .* Remove the line "---"/,
  ],
  ['that is no YAML', 'tables: [{\n', /config:2: This is no YAML: .* Check indentation and colons\./],
];

describe('a config', () => {
  it.each(CONFIGS)('%s', async (_, text, says) => {
    put('twice.yaml', TILE_TWICE);
    const { code, stdout, stderr } = await ran(['start', '--config', put('config', text)], folder);
    expect(stderr).toMatch(says);
    expect(stderr).not.toMatch(/internal|\n\s+at /);
    expect(stdout).toBe('');
    expect(code).toBe(1);
  });

  it('that is not there, or is a folder', async () => {
    mkdirSync(join(folder, 'dir'));
    for (const path of ['nowhere.yaml', 'dir']) {
      const { code, stderr } = await ran(['start', '--config', path], folder);
      expect(stderr).toMatch(
        /the config cannot be read \(E\w+\)\. Check the path and that this user may read it\./,
      );
      expect(code).toBe(1);
    }
  });
});

describe('a port that is taken', () => {
  it('of the pages, and of the broker', async () => {
    const other = createServer();
    await new Promise<void>((done) => other.listen(0, '127.0.0.1', done));
    const address = other.address();
    const port = typeof address === 'object' ? address?.port : 0;
    const data = 'dataDir: ./data-taken\n';
    const link = '      a: { transport: mqtt }\n';
    const pages = config('      a: { transport: serial, path: /dev/x }\n', '', data).replace(
      'port: 0',
      `port: ${port}`,
    );
    const broker = config(link, '', `broker: { port: ${port} }\n${data}`);
    const [ofPages, ofBroker] = [
      await ran(['start', '--config', put('pages.yaml', pages)], folder),
      await ran(['start', '--config', put('broker.yaml', broker)], folder),
    ];
    await new Promise((done) => other.close(done));
    expect(ofPages.stderr).toMatch(
      /http\/port-taken: Another program already listens on 127\.0\.0\.1:\d+\. If it is an earlier host, stop it; else /,
    );
    expect(ofBroker.stderr).toMatch(
      /broker\/port-taken: Another program listens on 127\.0\.0\.1:\d+ already\. It may be a broker: use it with/,
    );
    expect([ofPages.code, ofBroker.code]).toEqual([1, 1]);
  });
});

describe('a capture', () => {
  const line = (atMs: number): string => `{"atMs":${atMs},"via":"a","line":"E1,2A0200,002DC73B,03,1,F842"}\n`;

  it('cut in mid-line is replayed up to there, and says so', async () => {
    const path = put('cut.jsonl', `${line(1)}${line(2)}${line(3).slice(0, 30)}`);
    const { code, stdout, stderr } = await ran(['replay', path], folder);
    expect(stderr).toBe('The last line was cut off; 30 bytes were left out.\n');
    expect(stdout).toMatch(/^2 records: 0 rulings,/);
    expect(code).toBe(0);
  });

  it('with moments that are none', async () => {
    const path = put('never.jsonl', `${line(1)}${line(2).replace('2', '1e999')}${line(3)}`);
    const { code, stdout, stderr } = await ran(['replay', path], folder);
    expect(stderr).toBe('Line 2 is neither a record nor a captured line.\n');
    expect(stdout).toMatch(/^2 records/);
    expect(code).toBe(0);
  });

  it('that holds nothing, garbage, or nothing to check is no success', async () => {
    for (const text of ['garbage\n\u0000\n{}\n']) {
      const { code, stderr } = await ran(['replay', put('nothing.jsonl', text), '--check'], folder);
      expect(stderr).toMatch(/holds no record\./);
      expect(code).toBe(1);
    }
    const plain = await ran(['replay', put('plain.jsonl', line(1)), '--check'], folder);
    expect(plain.stderr).toMatch(/does not say what was ruled, told or sent, so there is nothing to check\./);
    expect(plain.code).toBe(1);
  });
});

describe('what is made of records', () => {
  const lines = '{"atMs":1,"via":"x","line":"old"}\n';

  it('says what of a file could not be read', async () => {
    const path = put('damaged.jsonl', `${lines}no record\n${lines}{"atMs":2,"vi`);
    const { code, stderr } = await ran(['export', path, '--events', '--out', 'events.ndjson'], folder);
    expect(stderr).toContain('damaged.jsonl: Line 2 is neither a record nor a captured line.');
    expect(stderr).toContain('damaged.jsonl: The last line was cut off');
    expect(code).toBe(0);
  });

  it('is no success where there is no record, no folder of a table, no chance', async () => {
    const path = put('nothing.match', '');
    for (const [args, code, said] of [
      [['export', path, '--events'], 1, /journal\/unreadable: .*holds no record\. Name/],
      [['export', path, '--match', 'last'], 1, /journal\/unreadable: .*no folder of a table\. Name/],
      [['library', 'not-there'], 1, /journal\/unreadable: There is no not-there\. Name/],
      [['diff', 'not-there'], 1, /^journal\/unreadable: not-there cannot be read \(ENOENT\)\. Check/m],
      [['learn', path, '--open-yes', 'often'], 2, /Give a chance from 0 to 1/],
    ] as const) {
      const got = await ran(args, folder);
      expect(got.stderr).toMatch(said);
      expect(got.code).toBe(code);
    }
  });
});

describe('a calibration that was kept', () => {
  it.each([
    ['is cut off', '{"version":1,\n', /is no calibration: .*JSON.* Calibrate anew, or restore the file\./],
    [
      'is of a newer form',
      '{"version":2,"mats":[]}',
      /its version is not 1, the one that is read here\. Calibrate/,
    ],
    ['lacks parts', '{"version":1}', /is no calibration: layout: .*\. Calibrate anew/],
  ])('and %s: the place and the remedy, on one line', async (name, text, says) => {
    const data = join(folder, name.replaceAll(' ', '-'));
    mkdirSync(data);
    writeFileSync(join(data, 't1.calibration.json'), text);
    const { code, stderr } = await ran(['start', '--port', '0', '--data-dir', data], folder);
    expect(stderr).toMatch(/^config\/bad-value: \S+t1\.calibration\.json [^\n]+\n$/);
    expect(stderr).toMatch(says);
    expect(code).toBe(1);
  });

  it('cannot be looked for in a data folder that is a file: that is said', async () => {
    const { code, stderr } = await ran(['start', '--port', '0', '--data-dir', put('data-file', '')], folder);
    expect(stderr).toMatch(/^config\/bad-value: .*ENOTDIR.*give dataDir, or .* another place\.\n$/);
    expect(code).toBe(1);
  });
});

describe('a file that is named', () => {
  const line = '{"atMs":1,"via":"x","line":"old"}\n';

  it.each([
    ['is no gzip', Buffer.from('no gzip at all'), /incorrect header check/],
    ['was cut off', gzipSync(line.repeat(500)).subarray(0, 40), /unexpected end of file/],
  ])('and %s: every command says which and what to do', async (name, bytes, why) => {
    const file = `${name.replaceAll(' ', '-')}.jsonl.gz`;
    writeFileSync(join(folder, file), bytes);
    for (const args of [['report'], ['replay'], ['verify'], ['diff'], ['export', '--events']]) {
      const { code, stderr } = await ran([...args, file], folder);
      expect(stderr).toMatch(
        new RegExp(`journal/unreadable: ${file} cannot be unpacked \\(${why.source}\\)`),
      );
      expect(stderr).toMatch(/take another copy of it\./);
      expect(code).toBe(1);
    }
  });

  it('and named twice is refused: its rolls would count twice', async () => {
    const capture = put('once.jsonl', line);
    const { code, stderr } = await ran(['report', capture, `./${capture}`], folder);
    expect(stderr).toMatch(/^file\/named-twice: \.\/once\.jsonl is named twice\. Name each file once\./);
    expect(code).toBe(1);
  });

  it('and cannot be written or read: the place and the remedy', async () => {
    const capture = put('good.jsonl', line);
    mkdirSync(join(folder, 'taken'));
    const file = put('a-file', '');
    for (const [args, said] of [
      [
        ['report', capture, '--out', 'nowhere/x'],
        /^file\/not-written: nowhere\/x cannot be written \(ENOENT\)/m,
      ],
      [['export', capture, '--events', '--out', 'taken'], /^file\/not-written: taken cannot be .*EISDIR/m],
      [['diff', capture, '--trace', file], /^file\/not-written: a-file cannot be written \(EEXIST\)/m],
      [
        ['export', capture, '--prove-since', 'nowhere'],
        /^file\/unreadable: nowhere cannot be read \(ENOENT\)/m,
      ],
    ] as const) {
      const { code, stderr } = await ran(args, folder);
      expect(stderr).toMatch(said);
      expect(code).toBe(1);
    }
  });
});

describe('options', () => {
  const WRONG: readonly (readonly [string, readonly string[], RegExp])[] = [
    [
      'a rate that is none',
      ['doctor', '--port', 'x', '--baud', 'fast'],
      /Give a whole number from 300 to 4000000\./,
    ],
    [
      'a broker that is none',
      ['bridge', '--port', 'x', '--broker', 'here', '--store', 's', '--table', 't'],
      /Give an address as in mqtt:\/\/192\.168\.1\.5:1883\./,
    ],
  ];
  it('a limit by a name that every object has: wrong usage, 2', async () => {
    const { code, stderr } = await ran(['diff', 'x', '--limit', '__proto__=1'], folder);
    expect(stderr).toMatch(/names are restMs, /);
    expect(code).toBe(2);
  });

  it.each([
    ['--events and --bundle', ['--events', '--bundle'], /--bundle and --events .* Export twice/],
    [
      '--match and --bundle',
      ['--match', 'last', '--bundle'],
      /--match and --bundle .* Export the match first/,
    ],
    ['--events and a roll', ['--events', '--roll', 't1.1'], /--events and --roll .* Leave --roll out/],
  ])('%s of one export: both are named, and nothing is made', async (_, options, says) => {
    const capture = put('both.jsonl', '{"atMs":1,"via":"x","line":"old"}\n');
    const { code, stdout, stderr } = await ran(['export', capture, ...options], folder);
    expect(stderr).toMatch(/^config\/not-together: /);
    expect(stderr).toMatch(says);
    expect(stdout).toBe('');
    expect(code).toBe(1);
  });

  it.each(WRONG)('%s: wrong usage, 2', async (_, args, says) => {
    const { code, stderr } = await ran(args, folder);
    expect(stderr).toMatch(says);
    expect(code).toBe(2);
  });
});
