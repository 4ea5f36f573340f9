import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FAULTS, TableFault, wordsOf } from '../host/fault.ts';
import { collectingLog, logOver, pinoLog, plainLine, silentLog } from '../host/log.ts';

describe('log', () => {
  it('strikes secrets out, wherever they stand, and leaves the names of files', () => {
    const log = collectingLog();
    log.info('Connecting to mqtt://mat:hunter2@host:1883', {
      password: 'hunter2',
      passwordFile: '/etc/mat/secret',
      broker: { url: 'mqtt://mat:hunter2@host', login: [{ authToken: 'hunter2' }] },
      why: new Error('refused at ws://x:hunter2@y/'),
    });
    log.child({ token: 'hunter2', table: 't1' }).error('again');
    expect(JSON.stringify(log.lines)).not.toContain('hunter2');
    expect(log.lines[0]?.fields.passwordFile).toBe('/etc/mat/secret');
    expect(log.lines[1]).toEqual({
      level: 'error',
      text: 'again',
      fields: { token: '[secret]', table: 't1' },
    });
  });

  it('never throws, whatever it is given and whoever writes', () => {
    const broken = logOver(() => {
      throw new Error('disk full');
    });
    const ring: Record<string, unknown> = {};
    ring.ring = ring;
    for (const log of [broken, silentLog, collectingLog()]) {
      expect(() => log.warn('x', { ring, big: 1n, none: undefined, call: () => 1 })).not.toThrow();
      fc.assert(fc.property(fc.string(), fc.object(), (text, fields) => log.info(text, fields)));
    }
  });

  it('writes one line each: JSON for machines, plain for people', async () => {
    const written: string[] = [];
    const stream = { write: (text: string) => written.push(text) };
    const json = await pinoLog({ json: true, stream });
    json.child({ table: 't1' }).warn('Port lost', { code: 'serial/lost' });
    json.debug('not shown');
    expect(written).toHaveLength(1);
    expect(JSON.parse(written[0] ?? '')).toMatchObject({
      level: 'warn',
      msg: 'Port lost',
      table: 't1',
      code: 'serial/lost',
    });
    const plain = await pinoLog({ json: false, level: 'debug', stream });
    plain.debug('Heard', { n: 2, link: 'a' });
    expect(written[1]).toMatch(/^\d\d:\d\d:\d\d debug Heard n=2 link=a\n$/);
    expect(plainLine('no JSON')).toBe('no JSON');
  });
});

describe('faults', () => {
  it('have stable, namespaced codes with one sentence each', () => {
    for (const [code, sentence] of Object.entries(FAULTS)) {
      expect(code).toMatch(/^[a-z]+\/[a-z-]+$/);
      expect(sentence).toMatch(/^[A-Z][^.]*\.$/);
    }
  });

  it('say what happened and what to do', () => {
    const fault = new TableFault('serial/busy', 'Another program holds /dev/x.', 'Close it.');
    expect(fault.message).toBe('serial/busy: Another program holds /dev/x. Close it.');
    expect(fault).toBeInstanceOf(Error);
  });

  it('find words in anything thrown', () => {
    expect(wordsOf(new AggregateError([new Error('connect ECONNREFUSED')], ''))).toBe('connect ECONNREFUSED');
    expect(wordsOf('plain')).toBe('plain');
    expect(wordsOf(undefined)).toBe('undefined');
    expect(wordsOf(new Error(''))).toBe('Error');
  });
});
