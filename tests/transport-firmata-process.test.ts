import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { firmataKind } from '../host/transports/firmata.ts';
import type { BoardProcessEvents } from '../host/transports/firmata-fork.ts';
import type { ToBoard } from '../host/transports/firmata-messages.ts';
import { LEAST_FIRMATA } from './support/firmata-link.ts';
import { eventually, Listener, placeOf, settle, testClock } from './support/transports.ts';

/** The transport over a process that is played here. */
function played() {
  const clock = testClock();
  const listener = new Listener();
  const starts: { readonly asked: ToBoard[]; events: BoardProcessEvents; killed: boolean }[] = [];
  const kind = firmataKind((events) => {
    const mine = { asked: [] as ToBoard[], events, killed: false };
    starts.push(mine);
    return {
      ask: (message) => mine.asked.push(message) > 0,
      kill() {
        mine.killed = true;
        events.ended('signal SIGKILL');
      },
    };
  });
  const open = () => kind.open('f', kind.parse(LEAST_FIRMATA, placeOf({ side: 'A' })), listener, clock);
  const tell = (message: unknown): void => starts.at(-1)?.events.told(message);
  return { clock, listener, starts, open, tell };
}

describe('the process that speaks with a board', () => {
  it('is told what to do, and started again for ever when it dies, ever more patiently', async () => {
    const { clock, listener, starts, open, tell } = played();
    const transport = await open();
    expect(starts[0]?.asked[0]).toMatchObject({ ask: 'start', options: { path: '/dev/ttyUSB0', side: 'A' } });
    tell({ told: 'up', detail: 'StandardFirmata 2.5' });
    expect(listener.isUp).toBe(true);
    starts[0]?.events.ended('signal SIGSEGV');
    expect(listener.downs).toMatchObject([
      { code: 'firmata/ended', reason: expect.stringContaining('SIGSEGV'), remedy: expect.any(String) },
    ]);
    expect(transport.send('P1,04,495D')).toBe(false);
    await clock.pass(100);
    expect(starts).toHaveLength(2);
    for (let i = 0; i < 20; i++) {
      starts.at(-1)?.events.ended('exit code 1');
      await clock.pass(5000);
    }
    expect(starts).toHaveLength(22);
    // The same reason is told once.
    expect(listener.downs).toHaveLength(2);
    const boots = starts.flatMap(({ asked: [first] }) => (first?.ask === 'start' ? [first.bootId] : []));
    expect(new Set(boots).size).toBe(22);
    tell({ told: 'up', detail: 'StandardFirmata 2.5' });
    starts.at(-1)?.events.ended(undefined);
    await clock.pass(100);
    expect(starts).toHaveLength(23);
    await settle();
  });

  it('is ended when it hangs; one that starts slowly is given time', async () => {
    const { clock, listener, starts, open, tell } = played();
    await open();
    await clock.pass(19_000);
    expect(starts[0]?.killed).toBe(false);
    tell({ told: 'alive' });
    for (let i = 0; i < 30; i++) {
      await clock.pass(1000);
      tell({ told: 'alive' });
    }
    expect(starts[0]?.killed).toBe(false);
    await clock.pass(6000);
    expect(starts[0]?.killed).toBe(true);
    expect(listener.downs[0]?.code).toBe('firmata/ended');
    expect(starts).toHaveLength(2);
  });

  it('gives the reason of its end itself, and that one stands', async () => {
    const { clock, listener, starts, open, tell } = played();
    await open();
    tell({ told: 'up', detail: '' });
    tell({ told: 'down', code: 'serial/lost', reason: 'The port went away.', remedy: 'Check the cable.' });
    starts[0]?.events.ended(undefined);
    expect(listener.downs.map(({ code }) => code)).toEqual(['serial/lost']);
    await clock.pass(100);
    tell({ told: 'down', code: 'serial/missing', reason: 'No port.', remedy: 'Plug it in.' });
    tell({ told: 'down', code: 'serial/missing', reason: 'No port.', remedy: 'Plug it in.' });
    expect(listener.downs.map(({ code }) => code)).toEqual(['serial/lost', 'serial/missing']);
  });

  it('may say anything: what is not understood is counted', async () => {
    const { listener, open, tell } = played();
    await open();
    for (const junk of [null, 7, 'x', {}, { told: 'line' }, { told: 'line', line: 5 }, { told: 'out' }])
      tell(junk);
    tell({ told: 'line', line: 'E1,before it was up' });
    tell({ told: 'up', detail: '' });
    tell({ told: 'line', line: 'E1\u0007' });
    expect(listener.lines).toEqual(['base64 RTEH']);
    expect(listener.droppedOf('message that is not understood')).toBe(1);
  });

  it('is asked to stop on close, and ended when it does not', async () => {
    const { clock, starts, open } = played();
    const transport = await open();
    const closing = transport.close();
    expect(starts[0]?.asked.at(-1)).toEqual({ ask: 'stop' });
    await clock.pass(1000);
    expect(starts[0]?.killed).toBe(true);
    await closing;
    await clock.pass(60_000);
    expect(starts).toHaveLength(1);
    expect(clock.pending).toBe(0);
  });

  const noProc = existsSync('/proc/self/task') ? '' : ' (skipped: needs /proc to find it)';
  it.skipIf(noProc !== '')(`never outlives the host, not even a killed one${noProc}`, async () => {
    const root = join(import.meta.dirname, '..');
    const loader = join(import.meta.dirname, 'support/typescript.mjs');
    const script = `
      import { firmataKind } from ${JSON.stringify(join(root, 'host/transports/firmata.ts'))};
      import { forkedBoard } from ${JSON.stringify(join(root, 'host/transports/firmata-fork.ts'))};
      import { systemClock } from ${JSON.stringify(join(root, 'host/clock.ts'))};
      const kind = firmataKind(forkedBoard(['--import', ${JSON.stringify(loader)}]));
      const options = kind.parse(${JSON.stringify({ ...LEAST_FIRMATA, path: '/nowhere/tty' })}, { side: 'A' });
      const tell = (...words) => console.log(JSON.stringify(words));
      const events = { up: tell, line: tell, dropped: tell, down: (link, reason, remedy, code) => tell(code) };
      await kind.open('f', options, events, systemClock);`;
    const host = spawn(process.execPath, ['--import', loader, '--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      let said = '';
      host.stdout.on('data', (text: Buffer) => {
        said += text.toString();
      });
      await eventually('the process at work', () => said.includes('\n'));
      expect(said).toBe('["serial/missing"]\n');
      const children = readFileSync(`/proc/${host.pid}/task/${host.pid}/children`, 'utf8').trim().split(' ');
      expect(children).toHaveLength(1);
      const command = `/proc/${children[0]}/cmdline`;
      expect(readFileSync(command, 'utf8')).toContain('firmata-board');
      host.kill('SIGKILL');
      // An ended process has no command line, or no longer a folder.
      await eventually('its end', () => !existsSync(command) || readFileSync(command, 'utf8') === '');
    } finally {
      host.kill('SIGKILL');
    }
  });
});
