/**
 * A host on real wires that prints everything it tells. Its boards and balls live in the process that started it and are
 * reached over serial ports and a broker; hands and eyes of automatic players go over messages. Its end is to be killed.
 */
import { readFileSync, writeSync } from 'node:fs';
import { startAutopilot } from '../../bin/autopilot.ts';
import { systemClock } from '../../host/clock.ts';
import { loadConfig } from '../../host/config.ts';
import { bakugan } from '../../host/game/bakugan/bakugan.ts';
import { runHost } from '../../host/host.ts';
import { silentLog } from '../../host/log.ts';
import { PARTS } from '../../host/parts.ts';
import { textOfOutput } from '../../host/said.ts';
import type { Calibration } from '../../host/sensing/calibration.ts';
import { QUICK_PACE } from '../../sim/autoplay.ts';
import type { LiveTable, WorldSeen } from '../../sim/live.ts';

export async function hostUntilKilled(
  configFile: string,
  calibrationFile: string,
  seed: number,
): Promise<void> {
  let seen: WorldSeen = { auto: true, thrown: [], standing: [] };
  process.on('message', (message: WorldSeen) => {
    seen = message;
  });
  const calibration: Calibration = JSON.parse(readFileSync(calibrationFile, 'utf8'));
  const host = await runHost({
    config: loadConfig(configFile, PARTS),
    parts: PARTS,
    clock: systemClock,
    log: silentLog,
    pagesDir: '/',
    simulated: { feed: { act() {} }, calibrationOf: () => calibration },
    onTold: (_table, output) => say(`${textOfOutput(output)}\n`),
  });
  say('ready\n');
  const table = host.tables.get('t1');
  if (table === undefined) throw new Error('no table t1');
  const world: Pick<LiveTable, 'seen' | 'act' | 'know'> = {
    seen: () => seen,
    act: (action) => void process.send?.({ act: action }),
    know: (activity) => void process.send?.({ know: activity }),
  };
  // Automatic players use nothing else of a world.
  const players = { table, world: world as LiveTable, ruleset: bakugan, seed, now: () => systemClock.now() };
  startAutopilot({ ...players, pace: QUICK_PACE });
}

/** Writes all of it; a full pipe is waited for. */
function say(text: string): void {
  let bytes = Buffer.from(text);
  while (bytes.length > 0) {
    try {
      bytes = bytes.subarray(writeSync(1, bytes));
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) throw error;
    }
  }
}
