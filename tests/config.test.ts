import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { configSchema, loadConfig, needsBroker, parseConfig } from '../host/config.ts';
import { TableFault } from '../host/fault.ts';
import { PARTS, withParts } from '../host/parts.ts';
import { FIXED_12 } from '../host/sensing/layout.ts';
import { DEFAULT_LIMITS } from '../host/sensing/limits.ts';
import { good, LEAST, link, parts, readText } from './support/mat-config.ts';

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
