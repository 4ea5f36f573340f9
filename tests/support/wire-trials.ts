import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSource } from '../../host/audit/source.ts';
import { systemClock } from '../../host/clock.ts';
import { demoOptions } from '../../host/game/bakugan/demo.ts';
import { systemDisk } from '../../host/journal/disk.ts';
import { isObject } from '../../host/journal/entry.ts';
import { silentLog } from '../../host/log.ts';
import type { Activity } from '../../host/sensing/activity.ts';
import { FIXED_12 } from '../../host/sensing/layout.ts';
import type { SimAction } from '../../host/sim-action.ts';
import { runBridge } from '../../host/transports/bridge.ts';
import { openBroker } from '../../host/transports/broker.ts';
import { serial } from '../../host/transports/serial.ts';
import { type LiveTable, startLiveTable } from '../../sim/live.ts';
import { servePorts } from '../../sim/live-ports.ts';
import { freePort } from './brokers.ts';
import { lookAtJournal, settingIn } from './journal-look.ts';
import type { KillTrials } from './kill-trials.ts';
import { drawFrom } from './power-cut-files.ts';
import { eventually } from './transports.ts';

/**
 * Kills a host on real wires at random moments: side A on a serial port, side B over MQTT. The next host begins 20 ms
 * after the death of the one before, on the same folder and wires; boards and balls go on meanwhile. What each left on
 * disk is looked at in a copy.
 */
export async function wireTrials(ask: {
  readonly seed: number;
  readonly kills: number;
  /** Longest life after the host is ready, ms. */
  readonly lifeMs: number;
  /** Program and arguments that run `hostUntilKilled` with the arguments added. */
  readonly child: readonly [string, ...string[]];
  readonly each?: (found: KillTrials & { readonly lines: Readonly<Record<string, number>> }) => void;
}): Promise<KillTrials & { readonly lines: Readonly<Record<string, number>> }> {
  const { seed, kills, lifeMs } = ask;
  const draw = drawFrom(seed);
  const folder = mkdtempSync(join(tmpdir(), 'bakucore-wires-'));
  const dataDir = join(folder, 'data');
  const port = await freePort();
  const url = `mqtt://127.0.0.1:${port}`;
  const world = await startLiveTable(
    { layout: FIXED_12, seed, hex: undefined },
    { refused() {}, late() {}, died() {}, time() {} },
  );
  world.act({ act: 'auto', on: true });
  const ports = await servePorts(world, folder);
  const broker = await openBroker({ host: '127.0.0.1', port }, silentLog);
  const [a, b] = ports.ports.map(({ path }) => path);
  const place = { store: 'demo', table: 't1', link: 'bridge', folder: '/', broker: { url } };
  const carried = { port: serial.parse({ path: b }, place), url, store: 'demo', table: 't1' };
  const bridge = await runBridge(carried, silentLog, systemClock);
  const config = join(folder, 'table.yaml');
  const links = { 'side-a': { transport: 'serial', path: a, side: 'A' }, air: { transport: 'mqtt' } };
  const tables = { t1: { rulesetOptions: demoOptions(FIXED_12.cells, seed), links } };
  writeFileSync(
    config,
    JSON.stringify({ http: { port: 0 }, dataDir, broker: { embedded: false, url }, tables }),
  );
  writeFileSync(join(folder, 'calibration.json'), JSON.stringify(world.calibration));

  const announced: string[] = [];
  const wrong: string[] = [];
  const counts = { torn: 0, untold: 0, records: 0 };
  let lines: Readonly<Record<string, number>> = {};
  let rulings = 0;
  let done = 0;
  const found = () => ({ kills: done, rulings, ...counts, wrong, lines });
  const start = (n: number): Life => {
    const [program, ...fixed] = ask.child;
    return beginLife(
      program,
      [...fixed, config, join(folder, 'calibration.json'), `${seed * 1000 + n}`],
      world,
    );
  };
  const copy = join(folder, 'copy');
  try {
    let life = start(0);
    for (let n = 0; n < kills; n += 1) {
      const printed = await life.endAfter(() => bothHeard(dataDir), draw(lifeMs));
      const deadMs = performance.now();
      cpSync(dataDir, copy, { recursive: true });
      await new Promise((go) => setTimeout(go, Math.max(0, 20 - (performance.now() - deadMs))));
      if (n + 1 < kills) life = start(n + 1);
      for (const line of printed) {
        const { kind, data } = JSON.parse(line);
        if (kind === 'ruling' && data.ruling?.stage === 'final') rulings += 1;
        if (kind === 'ruling' || kind === 'event') announced.push(line);
      }
      const setting = await settingIn(systemDisk, copy);
      const label = `kill ${n}`;
      if (setting !== undefined) {
        await lookAtJournal({ disk: systemDisk, dataDir: copy, announced, wrong, label, counts, setting });
        lines = await linesByLink(copy);
      } else if (announced.length > 0) wrong.push(`${label}: nothing is on disk`);
      rmSync(copy, { recursive: true, force: true });
      done += 1;
      ask.each?.(found());
    }
  } finally {
    await bridge.close();
    await broker.close();
    await ports.close();
    await world.close();
    rmSync(folder, { recursive: true, force: true });
  }
  return found();
}

interface Life {
  /** Lets it play for so long after it is ready and something holds, kills it; gives the whole lines it printed. */
  endAfter(holds: () => boolean, ms: number): Promise<readonly string[]>;
}

function beginLife(program: string, given: readonly string[], world: LiveTable): Life {
  const running = spawn(program, given, { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
  let text = '';
  const ended = new Promise<void>((done) => running.once('close', () => done()));
  const ready = new Promise<void>((done) => {
    running.stdout?.setEncoding('utf8');
    running.stdout?.on('data', (more: string) => {
      text += more;
      if (text.includes('ready\n')) done();
    });
  });
  running.on('message', (message: { readonly act?: SimAction; readonly know?: Activity }) => {
    if (message.act !== undefined) world.act(message.act);
    if (message.know !== undefined) world.know(message.know);
  });
  const telling = setInterval(() => {
    if (running.connected) running.send(world.seen(), () => {});
  }, 20);
  return {
    async endAfter(holds, ms) {
      await Promise.race([ready, ended]);
      await eventually('both wires bring lines', () => running.exitCode !== null || holds());
      await new Promise((go) => setTimeout(go, ms));
      running.kill('SIGKILL');
      await ended;
      clearInterval(telling);
      return text
        .split('\n')
        .slice(0, -1)
        .filter((line) => line.startsWith('{'));
    },
  };
}

/** Whether a few lines of each wire are on disk. */
function bothHeard(dataDir: string): boolean {
  const folder = join(dataDir, 't1');
  const text = readdirSync(folder)
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => readFileSync(join(folder, name), 'latin1'))
    .join('');
  return ['air', 'side-a'].every((link) => text.split(`"link":"${link}"`).length > 30);
}

async function linesByLink(dataDir: string): Promise<Readonly<Record<string, number>>> {
  const counts: Record<string, number> = {};
  const source = await openSource(join(dataDir, 't1'));
  for await (const batch of source.records(() => {})) {
    for (const { kind, data } of batch) {
      if (kind !== 'line' || !isObject(data)) continue;
      counts[String(data.link)] = (counts[String(data.link)] ?? 0) + 1;
    }
  }
  return counts;
}
