import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { nearest } from '../host/config/problem.ts';
import {
  type Config,
  configSchema,
  loadConfig,
  needsBroker,
  parseConfig,
  problemLine,
} from '../host/config.ts';
import { TableFault } from '../host/fault.ts';
import type { Ruleset } from '../host/game/ruleset.ts';
import { PARTS, withParts } from '../host/parts.ts';
import { FIXED_12 } from '../host/sensing/layout.ts';
import { DEFAULT_LIMITS } from '../host/sensing/limits.ts';

/** A ruleset that takes one option, so that the config is tested without any real game. */
const ruleset: Ruleset = {
  name: 'bakugan',
  version: '1',
  setup(options) {
    const rounds =
      typeof options === 'object' && options !== null && 'rounds' in options ? options.rounds : 1;
    if (rounds !== 1) throw new RangeError('rounds must be 1.');
    return { state: null, events: [] };
  },
  legalInputs: () => [],
  step: (state) => ({ ok: true, state, events: [] }),
  rulingInput: () => undefined,
  studInput: () => undefined,
  view: () => null,
  cues: () => [],
  activity: () => expect.unreachable(),
  over: () => undefined,
};
const parts = withParts(PARTS, { rulesets: [ruleset] });

const FILES: Readonly<Record<string, string>> = {
  '/etc/mat/secret': 'hunter2\n',
  '/etc/mat/empty': '\n',
  '/etc/mat/round.yaml': `
name: round
cells:
  - { q: 0, r: 0, side: A, tile: 0 }
  - { q: 1, r: 0, side: B, tile: 0 }
`,
};
const readText = (path: string): string => {
  const text = FILES[path];
  if (text === undefined) throw Object.assign(new Error(`ENOENT: ${path}`), { code: 'ENOENT' });
  return text;
};

const parse = (text: string) => parseConfig(text, '/etc/mat/table.yaml', parts, readText);
function good(text: string): Config {
  const parsed = parse(text);
  if (!parsed.ok) throw new Error(parsed.problems.map(problemLine).join('\n'));
  return parsed.config;
}
/** Problems as `line key code`, and their full lines. */
function bad(text: string): { short: string[]; full: string } {
  const parsed = parse(text);
  if (parsed.ok) throw new Error('was accepted');
  return {
    short: parsed.problems.map(({ line, key, code }) => `${line} ${key} ${code}`),
    full: parsed.problems.map(problemLine).join('\n'),
  };
}

const WHOLE = `store: store-042
http:
  host: 0.0.0.0
  port: 8081
  tokens: { operatorFile: secret }
dataDir: matches
broker:
  host: 0.0.0.0
  username: mat
  passwordFile: secret
tables:
  t1:
    layout: fixed-12
    sensors: axis
    ruleset: bakugan
    rulesetOptions: { rounds: 1 }
    calibration: t1.json
    sensing: { restMs: 800, openYes: 0.99 }
    links:
      side-a: { transport: serial, path: /dev/serial/by-id/usb-uno-a, side: A }
      side-b: { transport: mqtt }
  t2:
    layout: round.yaml
    links:
      old: { transport: replay, path: old.jsonl, speed: max }
`;
const LEAST = 'tables: { t1: { links: { a: { transport: serial, path: /dev/ttyACM0 } } } }\n';
/** The least config with one table body. */
const table = (body: string): string => `tables:\n  t1:\n${body.replace(/^/gm, '    ')}\n`;
const link = (body: string): string => table(`links:\n  a: ${body}`);

describe('a good config', () => {
  it('fills in the defaults', () => {
    const config = good(LEAST);
    expect(config).toMatchObject({
      store: 'demo',
      http: { host: '127.0.0.1', port: 8080, tokens: { judges: {} } },
      dataDir: '/etc/mat/data',
      broker: { embedded: true, host: '127.0.0.1', port: 1883, url: 'mqtt://127.0.0.1:1883' },
      tables: {
        t1: {
          table: 't1',
          layout: FIXED_12,
          ruleset: 'bakugan',
          rulesetOptions: {},
          sensing: DEFAULT_LIMITS,
          links: {
            a: { transport: 'serial', options: { path: '/dev/ttyACM0', baudRate: 500_000, silentMs: 3000 } },
          },
        },
      },
    });
    expect(needsBroker(config)).toBe(false);
  });

  it('takes everything that is written, with paths from its own folder', () => {
    const config = good(WHOLE);
    expect(config.dataDir).toBe('/etc/mat/matches');
    expect(config.http.tokens).toEqual({ operatorFile: '/etc/mat/secret', judges: {} });
    expect(config.tables.t1).toMatchObject({
      layout: { ...FIXED_12, sensors: 'axis' },
      calibration: '/etc/mat/t1.json',
      sensing: { ...DEFAULT_LIMITS, restMs: 800, openYes: 0.99 },
      links: {
        'side-a': { side: 'A' },
        'side-b': {
          options: {
            url: 'mqtt://127.0.0.1:1883',
            store: 'store-042',
            table: 't1',
            clientId: 'bakucore-store-042-t1-side-b',
            username: 'mat',
            passwordFile: '/etc/mat/secret',
          },
        },
      },
    });
    expect(config.tables.t2?.layout.cells).toEqual([
      { cell: 'q0r0', q: 0, r: 0, side: 'A', tile: 0 },
      { cell: 'q1r0', q: 1, r: 0, side: 'B', tile: 0 },
    ]);
    expect(config.tables.t2?.links.old?.options).toEqual({ path: '/etc/mat/old.jsonl', speed: 'max' });
    expect(needsBroker(config)).toBe(true);
    expect(JSON.stringify(config)).not.toContain('hunter2');
  });

  it('is frozen to the bottom', () => {
    const config = good(WHOLE);
    const thaw = (value: unknown, path: string): string[] =>
      typeof value !== 'object' || value === null
        ? []
        : [
            ...(Object.isFrozen(value) ? [] : [path]),
            ...Object.entries(value).flatMap(([key, item]) => thaw(item, `${path}.${key}`)),
          ];
    expect(thaw(config, 'config')).toEqual([]);
  });

  it('has a hash that follows what it means, not how it is written', () => {
    const twice = `tables:\n  t1:\n    links:\n      a:\n        path: "/dev/ttyACM0" # the left one\n        transport: serial\n`;
    expect(good(twice).hash).toBe(good(LEAST).hash);
    expect(good(LEAST.replace('ACM0', 'ACM1')).hash).not.toBe(good(LEAST).hash);
  });

  it('uses a broker elsewhere', () => {
    const config = good(
      `broker: { embedded: false, url: "mqtts://club.example:8883" }\n${link('{ transport: mqtt }')}`,
    );
    expect(config.tables.t1?.links.a?.options).toMatchObject({ url: 'mqtts://club.example:8883' });
    expect(needsBroker(config)).toBe(false);
  });

  it('takes transports from outside the host by their name', () => {
    const sim = {
      ...PARTS.transports[2],
      name: 'sim',
      parse: () => ({ seed: 1 }),
      open: () => expect.unreachable(),
    };
    const parsed = parseConfig(
      link('{ transport: sim }'),
      'x.yaml',
      withParts(parts, { transports: [sim] }),
      readText,
    );
    expect(parsed.ok && parsed.config.tables.t1?.links.a).toEqual({ transport: 'sim', options: { seed: 1 } });
  });
});

describe('a bad config', () => {
  it.each<[string, string, string[], RegExp]>([
    ['empty', '', ['1  config/empty'], /table\.yaml:1: The file says nothing\./],
    ['only comments', '# nothing\n', ['1  config/empty'], /says nothing/],
    ['a list', '- a\n', ['1  config/bad-value'], /mapping/],
    ['no tables', 'store: x\n', ['1 tables config/missing-key'], /tables: is needed here/],
    ['tables without any', 'tables: {}\n', ['1 tables config/missing-key'], /names no table/],
    ['bad YAML', 'tables:\n  t1: [\n', ['3  config/syntax'], /table\.yaml:3: This is no YAML/],
    ['two documents', `${LEAST}---\n${LEAST}`, ['2  config/syntax'], /A second document begins here/],
    ['a key twice', 'store: a\nstore: b\n', ['2 store config/key-twice'], /:2: store: is given twice/],
    [
      'a typo at the top',
      `htttp: { port: 1 }\n${LEAST}`,
      ['1 htttp config/unknown-key'],
      /:1: htttp: has no meaning here\. Did you mean "http"\?/,
    ],
    [
      'a typo deep inside',
      link('\n    transport: serial\n    path: x\n    baudrate: 9600'),
      ['7 tables.t1.links.a.baudrate config/unknown-key'],
      /Did you mean "baudRate"\?/,
    ],
    [
      'a typo in the limits',
      table('sensing: { restMS: 1 }\nlinks: { a: { transport: mqtt } }'),
      ['3 tables.t1.sensing.restMS config/unknown-key'],
      /Did you mean "restMs"\?/,
    ],
    [
      'a match of two games',
      table('bestOf: 2\nlinks: { a: { transport: mqtt } }'),
      ['3 tables.t1.bestOf config/bad-value'],
      /tables\.t1\.bestOf: must be one of: 1, 3\./,
    ],
    [
      'a port path that is missing',
      link('{ transport: serial }'),
      ['4 tables.t1.links.a.path config/missing-key'],
      /:4: tables\.t1\.links\.a\.path: is needed here\. \(The port: \/dev\/serial\/by-id/,
    ],
    [
      'a link without transport',
      link('{ path: x }'),
      ['4 tables.t1.links.a.transport config/missing-key'],
      /serial, mqtt/,
    ],
    [
      'an unknown transport',
      link('{ transport: seriel, path: x }'),
      ['4 tables.t1.links.a.transport config/unknown-part'],
      /Did you mean "serial"\?/,
    ],
    [
      'an unknown ruleset',
      table('ruleset: chess\nlinks: { a: { transport: mqtt } }'),
      ['3 tables.t1.ruleset config/unknown-part'],
      /There is: bakugan/,
    ],
    [
      'options the game refuses',
      table('rulesetOptions: { rounds: 2 }\nlinks: { a: { transport: mqtt } }'),
      ['3 tables.t1.rulesetOptions config/bad-value'],
      /rounds must be 1/,
    ],
    [
      'an unknown layout',
      table('layout: fixed12\nlinks: { a: { transport: mqtt } }'),
      ['3 tables.t1.layout config/unknown-layout'],
      /Did you mean "fixed-12"\?/,
    ],
    [
      'a layout file that is not there',
      table('layout: ./no.yaml\nlinks: { a: { transport: mqtt } }'),
      ['3 tables.t1.layout config/unreadable'],
      /\/etc\/mat\/no\.yaml.*ENOENT/,
    ],
    ['no links', table('links: {}'), ['3 tables.t1.links config/missing-key'], /no way in/],
    [
      'a bad table name',
      LEAST.replace('t1', 'Table.1'),
      ['1 tables.Table.1 config/bad-name'],
      /small letters, digits/,
    ],
    [
      'a bad link name',
      LEAST.replace('a:', '"a b":'),
      ['1 tables.t1.links.a b config/bad-name'],
      /no name for a link/,
    ],
    ['a bad store name', `store: Club\n${LEAST}`, ['1 store config/bad-value'], /no name for a store/],
    [
      'a port out of range',
      `http:\n  port: 99999\n${LEAST}`,
      ['2 http.port config/bad-value'],
      /at most 65535/,
    ],
    [
      'a port that is a text',
      `http: { port: eighty }\n${LEAST}`,
      ['1 http.port config/bad-value'],
      /must be a number/,
    ],
    [
      'a share over 1',
      table('sensing: { openYes: 1.5 }\nlinks: { a: { transport: mqtt } }'),
      ['3 tables.t1.sensing.openYes config/bad-value'],
      /at most 1\./,
    ],
    [
      'a negative time',
      table('sensing: { restMs: -5 }\nlinks: { a: { transport: mqtt } }'),
      ['3 tables.t1.sensing.restMs config/bad-value'],
      /more than 0/,
    ],
    [
      'unknown sensors',
      table('sensors: radar\nlinks: { a: { transport: mqtt } }'),
      ['3 tables.t1.sensors config/bad-value'],
      /axis, collector/,
    ],
    [
      'a baud rate of nonsense',
      link('{ transport: serial, path: x, baudRate: 5 }'),
      ['4 tables.t1.links.a.baudRate config/bad-value'],
      /at least 300/,
    ],
    [
      'one port for two boards',
      table('links:\n  a: { transport: serial, path: x }\n  b: { transport: serial, path: x }'),
      ['5 tables.t1.links.b.path config/path-twice'],
      /is the port that tables\.t1\.links\.a uses/,
    ],
    [
      'one side for two boards',
      table(
        'links:\n  a: { transport: serial, path: x, side: both }\n  b: { transport: serial, path: y, side: B }',
      ),
      ['5 tables.t1.links.b.side config/side-twice'],
      /claims side B/,
    ],
    [
      'an unknown side',
      link('{ transport: serial, path: x, side: C }'),
      ['4 tables.t1.links.a.side config/bad-value'],
      /A, B, both/,
    ],
    [
      'a broker open to the network',
      `broker: { host: 0.0.0.0 }\n${LEAST}`,
      ['1 broker.host config/open-to-all'],
      /passwordFile/,
    ],
    [
      'a password in an address',
      `broker: { embedded: false, url: "mqtt://me:hush@host" }\n${LEAST}`,
      ['1 broker.url config/bad-value'],
      /must not carry a login/,
    ],
    [
      'a secret that is not there',
      `http: { tokens: { judgeFile: gone } }\n${LEAST}`,
      ['1 http.tokens.judgeFile config/unreadable'],
      /\/etc\/mat\/gone/,
    ],
    [
      'an empty secret',
      `http: { tokens: { judgeFile: empty } }\n${LEAST}`,
      ['1 http.tokens.judgeFile config/bad-value'],
      /is empty/,
    ],
    [
      'one port for two services',
      `http: { port: 1883 }\n${LEAST}`,
      ['1 broker config/bad-value'],
      /same port 1883/,
    ],
  ])('%s', (_what, text, short, full) => {
    const found = bad(text);
    expect(found.short).toEqual(short);
    expect(found.full).toMatch(full);
    expect(found.full).not.toContain('hush');
  });

  it('is told whole: every problem at once, in the order of lines', () => {
    const found = bad(
      `stor: x\nhttp: { port: -1 }\ntables: { t1: { links: { a: { path: 1 } }, colour: red } }\n`,
    );
    expect(found.short).toEqual([
      '1 stor config/unknown-key',
      '2 http.port config/bad-value',
      '3 tables.t1.links.a.transport config/missing-key',
      '3 tables.t1.colour config/unknown-key',
    ]);
  });

  it('may be an alias bomb, a tower of brackets or a gigabyte of nothing much', () => {
    const levels = Array.from({ length: 12 }, (_, i) =>
      i === 0 ? 'l0: &l0 [x,x,x,x,x,x,x,x,x]' : `l${i}: &l${i} [${`*l${i - 1},`.repeat(9)}]`,
    );
    const from = performance.now();
    expect(bad(levels.join('\n')).short).toEqual(['1  config/alias-bomb']);
    expect(bad('['.repeat(100_000)).short[0]).toContain('config/syntax');
    expect(bad('x'.repeat(2_000_000)).short).toEqual(['1  config/too-large']);
    expect(performance.now() - from).toBeLessThan(5000);
  });

  it('never throws, whatever the file holds', () => {
    const piece = fc.constantFrom(
      'tables:',
      '  t1:',
      ' links:',
      '{',
      '}',
      '[',
      '- ',
      ': ',
      '&a',
      '*a',
      '!!js',
      '\n',
      '\t',
      '"',
      '#',
      '? ',
      '|',
      '\0',
      'http',
      '1e999',
      '.nan',
      '<<',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(piece, fc.string()), { maxLength: 30 }), (pieces) => {
        const parsed = parse(pieces.join(''));
        if (!parsed.ok) for (const one of parsed.problems) expect(one.line).toBeGreaterThanOrEqual(1);
      }),
      { numRuns: 300 },
    );
    fc.assert(
      fc.property(
        fc.object({
          key: fc.constantFrom(
            'tables',
            't1',
            'links',
            'a',
            'transport',
            'path',
            'http',
            'port',
            'sensing',
            'x',
          ),
        }),
        (value) => {
          const parsed = parse(stringify(value));
          if (!parsed.ok)
            expect(parsed.problems.map(problemLine).join('\n')).toContain('/etc/mat/table.yaml:');
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe('a layout file', () => {
  const withLayout = (layout: string): string[] => {
    const parsed = parseConfig(
      table('layout: my.yaml\nlinks: { a: { transport: mqtt } }'),
      '/etc/mat/table.yaml',
      parts,
      () => layout,
    );
    return parsed.ok ? [] : parsed.problems.map(problemLine);
  };
  const cells = (...entries: string[]): string =>
    `name: my\ncells:\n${entries.map((entry) => `  - { ${entry} }\n`).join('')}`;

  it.each([
    [
      'a cell twice',
      cells('q: 0, r: 0, side: A, tile: 0', 'q: 0, r: 0, side: B, tile: 0'),
      /my\.yaml:4: cells\.1: is cell q0r0/,
    ],
    [
      'a tile twice on one board',
      cells('q: 0, r: 0, side: A, tile: 0', 'q: 1, r: 0, side: A, tile: 0'),
      /my\.yaml:4: cells\.1: is tile 0 of side A/,
    ],
    [
      'a gap in the tiles',
      cells('q: 0, r: 0, side: A, tile: 0', 'q: 1, r: 0, side: A, tile: 2'),
      /lacks tile 1 of side A/,
    ],
    [
      'an unknown side',
      cells('q: 0, r: 0, side: C, tile: 0'),
      /my\.yaml:3: cells\.0\.side: must be one of: A, B/,
    ],
    [
      'more tiles than a board has',
      cells('q: 0, r: 0, side: A, tile: 12'),
      /cells\.0\.tile: must be at most 11/,
    ],
    ['half a cell', cells('q: 0.5, r: 0, side: A, tile: 0'), /cells\.0\.q/],
    ['no cells', 'name: my\ncells: []\n', /cells/],
    [
      'gates the wrong way round',
      `${cells('q: 0, r: 0, side: A, tile: 0')}gatesMm: { near: 100, far: 0 }\n`,
      /gatesMm: has the far gate before/,
    ],
    [
      'an unknown key',
      `${cells('q: 0, r: 0, side: A, tile: 0')}pitch: 45\n`,
      /pitch: has no meaning here\. Did you mean "pitchMm"|pitch: has no meaning here/,
    ],
    ['nothing', '', /my\.yaml:1: The file says nothing/],
  ])('with %s', (_what, text, full) => {
    const problems = withLayout(text);
    expect(problems.join('\n')).toMatch(full);
  });

  it('may share a tile number between two boards', () => {
    expect(withLayout(cells('q: 0, r: 0, side: A, tile: 0', 'q: 1, r: 0, side: B, tile: 0'))).toEqual([]);
  });
});

describe('loading a config', () => {
  it('throws one fault that names every problem, and its own code when there is one', () => {
    const load = (text: string) => () =>
      loadConfig('/etc/mat/table.yaml', parts, (path) =>
        path === '/etc/mat/table.yaml' ? text : readText(path),
      );
    expect(load(LEAST)()).toMatchObject({ store: 'demo' });
    expect(load('')).toThrow(expect.objectContaining({ code: 'config/empty' }));
    expect(load('stor: 1\nhttpp: 2\n')).toThrow(TableFault);
    expect(load('stor: 1\nhttpp: 2\n')).toThrow(/table\.yaml:1: stor:[^\n]*\n.*table\.yaml:2: httpp:/s);
  });

  it('names a file that cannot be read', () => {
    expect(() => loadConfig('/nowhere/table.yaml', parts)).toThrow(
      expect.objectContaining({ code: 'config/unreadable', message: expect.stringContaining('ENOENT') }),
    );
    expect(() => loadConfig('/tmp', parts)).toThrow(expect.objectContaining({ code: 'config/unreadable' }));
  });
});

describe('JSON Schema of the config', () => {
  it('takes what the host takes and refuses what it refuses', () => {
    const check = new Ajv2020({ strict: false, validateFormats: false }).compile(configSchema(parts));
    expect(check({ tables: { t1: { links: { a: { transport: 'serial', path: 'x' } } } } })).toBe(true);
    expect(check({ tables: { t1: { links: { a: { transport: 'mqtt', side: 'A' } } } } })).toBe(true);
    expect(check({ tables: { t1: { links: { a: { transport: 'serial' } } } } })).toBe(false);
    expect(check({ tables: { t1: { links: { a: { transport: 'carrier-pigeon' } } } } })).toBe(false);
    expect(check({ tables: { t1: { links: { a: { transport: 'mqtt', path: 'x' } } } } })).toBe(false);
    expect(check({ tables: {}, htpp: {} })).toBe(false);
    expect(check({ tables: { 'T 1': { links: {} } } })).toBe(false);
  });
});

describe('nearest word', () => {
  it('forgives two slips, but not half a word', () => {
    expect(nearest('baudrate', ['path', 'baudRate'])).toBe('baudRate');
    expect(nearest('prot', ['port', 'path'])).toBe('port');
    expect(nearest('x', ['a', 'b'])).toBeUndefined();
    expect(nearest('colour', ['layout', 'links'])).toBeUndefined();
  });
});
