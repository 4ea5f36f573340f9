import { describe, expect, it } from 'vitest';
import { nearest } from '../host/config/problem.ts';
import { bad, LEAST, link, table } from './support/mat-config.ts';

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
});

describe('nearest word', () => {
  it('forgives two slips, but not half a word', () => {
    expect(nearest('baudrate', ['path', 'baudRate'])).toBe('baudRate');
    expect(nearest('prot', ['port', 'path'])).toBe('port');
    expect(nearest('x', ['a', 'b'])).toBeUndefined();
    expect(nearest('colour', ['layout', 'links'])).toBeUndefined();
  });
});
