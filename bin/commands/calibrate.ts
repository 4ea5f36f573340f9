import { resolve } from 'node:path';
import { Command, Option } from 'commander';
import type { LedFrame } from '../../firmware-protocol/frame.ts';
import { decodeLine, encodeDown } from '../../firmware-protocol/line.ts';
import { calibrationPath, keepCalibration, readCalibration } from '../../host/calibration-file.ts';
import { systemClock } from '../../host/clock.ts';
import { loadConfig, type TableConfig } from '../../host/config.ts';
import { TableFault } from '../../host/fault.ts';
import { systemDisk } from '../../host/journal/disk.ts';
import { PARTS, partNamed } from '../../host/parts.ts';
import type { RawLine } from '../../host/record.ts';
import {
  type CalibratePrompt,
  type Calibrator,
  calibrationMade,
  createCalibrator,
  hearCalibration,
  promptOf,
  skipStep,
} from '../../host/sensing/calibrate.ts';
import type { Calibration } from '../../host/sensing/calibration.ts';
import { calibrationReport, type TileReport } from '../../host/sensing/calibration-report.ts';
import { FIXED_12, type Layout } from '../../host/sensing/layout.ts';
import { DEFAULT_LIMITS } from '../../host/sensing/limits.ts';
import type { Transport } from '../../host/transports/transport.ts';
import { calibrateSimulated } from '../calibrate-simulated.ts';
import { filled, whole } from '../option-values.ts';
import { checkOutPlace } from '../out-place.ts';
import { simulatedMat } from '../simulated.ts';

type Options = {
  readonly simulated: boolean;
  readonly seed: number;
  readonly sensors?: Layout['sensors'];
  readonly config?: string;
  readonly table?: string;
  readonly out?: string;
  readonly reference: string;
  readonly balls: readonly string[];
  readonly json: boolean;
};

/** `bakucore calibrate`: leads a person through the procedure and keeps what it finds. */
export function calibrate(): Command {
  return new Command('calibrate')
    .description('Calibrate a mat in about two minutes: it says what to do, lights the tile, and reports.')
    .option('--simulated', 'on a simulated table, with a simulated person', false)
    .option('--seed <number>', 'which simulated table', whole(0, 0x7fffffff), 1)
    .addOption(
      new Option('--sensors <layout>', 'sensors of the simulated table').choices([
        'axis',
        'collector',
        'collector+offset',
      ]),
    )
    .option('--config <file>', 'config of the real table', filled)
    .option('--table <name>', 'which table of the config; the first by default', filled)
    .option('--out <file>', 'file to keep; by default the one that the config names', filled)
    .option('--reference <bakugan>', 'ball that goes on every tile', filled, 'reference')
    .option('--balls <bakugan...>', 'other balls, each put on three tiles', [])
    .option('--json', 'print the report as JSON', false)
    .addHelpText(
      'after',
      '\nKeys while it runs: s and Enter leaves out a step.\n\nExamples:\n  bakucore calibrate --simulated\n  bakucore calibrate --config my-table.yaml --reference A/1 --balls A/2 A/3 B/1 B/2 B/3',
    )
    .action(async (options: Options) => {
      const { out, config } = options;
      if (out !== undefined) await checkOutPlace(out, config === undefined ? [] : [config]);
      const { layout, calibration, path, mat } = options.simulated ? simulated(options) : await real(options);
      const report = calibrationReport(layout, calibration);
      if (path !== undefined) {
        const file = resolve(path);
        const before = await keepCalibration(file, calibration, systemDisk, mat);
        if (before !== undefined) process.stderr.write(`The calibration before is kept as ${before}\n`);
        process.stderr.write(`Calibration kept as ${file}\n`);
      }
      process.stdout.write(options.json ? `${JSON.stringify(report)}\n` : `${tableOf(report)}\n`);
      if (report.some((tile) => !tile.pass)) process.exitCode = 1;
    });
}

type Done = {
  readonly layout: Layout;
  readonly calibration: Calibration;
  readonly path: string | undefined;
  /** Name of the mat, where it has one. */
  readonly mat?: string;
};

function simulated(options: Options): Done {
  const layout: Layout = { ...FIXED_12, sensors: options.sensors ?? FIXED_12.sensors };
  const { calibrator, tookMs } = calibrateSimulated({
    layout,
    seed: options.seed,
    told: (prompt, atMs) => say(prompt, `${(atMs / 1000).toFixed(0)} s`),
  });
  process.stderr.write(`Took ${(tookMs / 1000).toFixed(0)} s of the simulated table's time.\n`);
  const mat = simulatedMat(options.seed);
  return { layout, calibration: whatWasMade(calibrator), path: options.out, mat };
}

function whatWasMade(calibrator: Calibrator): Calibration {
  const made = calibrationMade(calibrator);
  if (made !== undefined) return made;
  const { text, problem } = promptOf(calibrator);
  throw new TableFault(
    'calibrate/unfinished',
    `The calibration stopped at: ${text} ${problem}`,
    'Try again.',
  );
}

function say(prompt: CalibratePrompt, when: string): void {
  const done = `${Math.round(prompt.progress * 100)} %`.padStart(5);
  process.stderr.write(
    `${when.padStart(6)} ${done}  ${prompt.text}${prompt.problem && `\n        ! ${prompt.problem}`}\n`,
  );
}

/** How often the person's screen and the lights are brought up to date. */
const LOOK_MS = 200;

async function real(options: Options): Promise<Done> {
  if (options.config === undefined) {
    throw new TableFault('calibrate/no-table', 'No table was named.', 'Give --config FILE, or --simulated.');
  }
  const config = loadConfig(options.config, PARTS);
  const name = options.table ?? Object.keys(config.tables)[0] ?? '';
  const table = config.tables[name];
  if (table === undefined) {
    const known = Object.keys(config.tables).join(', ');
    throw new TableFault('calibrate/no-table', `The config has no table "${name}".`, `It has: ${known}.`);
  }
  const path = options.out ?? calibrationPath(config.dataDir, name, table.calibration);
  const kept = await readCalibration(path, table.layout).catch(() => undefined);
  const calibrator = createCalibrator({
    layout: table.layout,
    reference: options.reference,
    balls: options.balls,
    before: kept?.calibration,
  });
  await lead(table, calibrator);
  return { layout: table.layout, calibration: whatWasMade(calibrator), path };
}

/** Opens the table's links and stays until the last step is done. */
async function lead(table: TableConfig, calibrator: Calibrator): Promise<void> {
  const sides = new Map<string, 'A' | 'B' | 'both'>();
  const devices = new Map<string, string>();
  const open: Transport[] = [];
  const events = {
    line(link: string, raw: RawLine): void {
      const decoded = 'line' in raw ? decodeLine(raw.line) : undefined;
      if (decoded?.ok !== true) return;
      const { frame } = decoded;
      if (frame.kind === 'hello' && frame.side !== 'unset') {
        sides.set(link, frame.side);
        devices.set(link, frame.device);
      }
      const side = sides.get(link);
      if (frame.kind === 'quiet' && side !== undefined) hearCalibration(calibrator, side, frame);
    },
    // A board that runs already said who it is before: it is asked again.
    up: (link: string) => greet(open.find((one) => one.link === link)),
    down: (link: string, reason: string) => process.stderr.write(`${link}: ${reason}\n`),
    dropped() {},
  };
  try {
    for (const [link, { transport, options }] of Object.entries(table.links)) {
      const kind = partNamed(PARTS.transports, transport);
      if (kind === undefined) continue;
      const one = await kind.open(link, options, events, systemClock);
      open.push(one);
      greet(one);
    }
    await new Promise<void>((done) => {
      const skip = (text: Buffer): void => {
        if (text.toString().trim() === 's') skipStep(calibrator);
      };
      process.stdin.on('data', skip);
      let shown = '';
      const look = (): void => {
        const prompt = promptOf(calibrator);
        const said = `${prompt.text}|${prompt.problem}`;
        if (said !== shown) {
          shown = said;
          say(prompt, liveOf(calibrator, prompt));
          for (const one of open)
            light(one, table.layout, sides.get(one.link), devices.get(one.link), prompt);
        }
        if (prompt.step.kind !== 'done') {
          systemClock.after(LOOK_MS, look);
          return;
        }
        process.stdin.off('data', skip);
        process.stdin.pause();
        done();
      };
      look();
    });
  } finally {
    await Promise.all(open.map((one) => one.close()));
  }
}

function greet(to: Transport | undefined): void {
  to?.send(encodeDown({ kind: 'greet', tag: 0 }));
}

/** Level of the tile that is waited for, as a live number. */
function liveOf(c: Calibrator, prompt: CalibratePrompt): string {
  if (prompt.step.kind !== 'seat') return '';
  const at = prompt.step.cell * c.halls;
  const mt = ((c.newest[at] ?? 0) - (c.zero[at] ?? 0)) * DEFAULT_LIMITS.mtPerCount;
  return `${mt.toFixed(1)} mT`;
}

const WHITE = 0xffffff;
const FULL = 255;

function light(
  to: Transport,
  layout: Layout,
  side: 'A' | 'B' | 'both' | undefined,
  device: string | undefined,
  prompt: CalibratePrompt,
): void {
  if (side === undefined) return;
  const countA = layout.cells.filter((cell) => cell.side === 'A').length;
  let mask = 0;
  let all = 0;
  for (const cell of layout.cells) {
    if (side !== 'both' && cell.side !== side) continue;
    const tile = side === 'both' && cell.side === 'B' ? countA + cell.tile : cell.tile;
    all |= 1 << tile;
    if (prompt.lit.includes(cell.cell)) mask |= 1 << tile;
  }
  const line = (tileMask: number, level: number): string =>
    encodeDown({ kind: 'led', tag: 1, tileMask, rgb: WHITE, level, animation: 0 } satisfies LedFrame);
  const where = device === undefined ? undefined : { device };
  if ((all & ~mask) !== 0) to.send(line(all & ~mask, 0), where);
  if (mask !== 0) to.send(line(mask, FULL), where);
}

function tableOf(report: readonly TileReport[]): string {
  const lines = ['tile cell    noise   ball  light  neighbours  contact'];
  for (const t of report) {
    const row = [
      t.tile.padEnd(4),
      t.cell.padEnd(6),
      `${t.noiseMt.toFixed(2)}`.padStart(6),
      `${t.seatedMt.toFixed(1)}`.padStart(6),
      `${t.lightMt.toFixed(2)}`.padStart(6),
      `${(t.crosstalk * 100).toFixed(1)} %`.padStart(10),
      (t.contact ? 'works' : 'dead').padStart(8),
      t.pass ? '  pass' : '  FIX',
    ];
    lines.push(row.join(' '), ...t.fix.map((text) => `       ${text}`));
  }
  return lines.join('\n');
}
