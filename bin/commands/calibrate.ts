import { resolve } from 'node:path';
import { Command, Option } from 'commander';
import { calibrationPath, keepCalibration, readCalibration } from '../../host/calibration-file.ts';
import { systemClock } from '../../host/clock.ts';
import { loadConfig } from '../../host/config.ts';
import { TableFault } from '../../host/fault.ts';
import { SIDES } from '../../host/ids.ts';
import { systemDisk } from '../../host/journal/disk.ts';
import { PARTS } from '../../host/parts.ts';
import {
  type CalibratePrompt,
  type Calibrator,
  calibrationMade,
  createCalibrator,
  promptOf,
  skipStep,
} from '../../host/sensing/calibrate.ts';
import type { Calibration } from '../../host/sensing/calibration.ts';
import { calibrationReport } from '../../host/sensing/calibration-report.ts';
import { FIXED_12, type Layout } from '../../host/sensing/layout.ts';
import { DEFAULT_LIMITS } from '../../host/sensing/limits.ts';
import { leadCalibration } from '../calibrate-lead.ts';
import { calibrateSimulated } from '../calibrate-simulated.ts';
import { calibrationTable, type GateReport, gatesOf } from '../calibration-table.ts';
import { filled, whole } from '../option-values.ts';
import { checkOutPlace } from '../out-place.ts';
import { say, sayAside } from '../say.ts';
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
  readonly gates: boolean;
  readonly silentSeconds: number;
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
    .option(
      '--no-gates',
      'leave out the launch gates; by default those of every board that has some are tried',
    )
    .option(
      '--silent-seconds <seconds>',
      'end with an error once a board has said nothing for so long',
      whole(2, 3600),
      15,
    )
    .option('--json', 'print the report as one JSON object: tiles and gates', false)
    .addHelpText(
      'after',
      '\nKeys while it runs: s and Enter leaves out a step.\n\nExamples:\n  bakucore calibrate --simulated\n  bakucore calibrate --config my-table.yaml --reference A/1 --balls A/2 A/3 B/1 B/2 B/3',
    )
    .action(async (options: Options) => {
      const { out, config } = options;
      if (out !== undefined) await checkOutPlace(out, config === undefined ? [] : [config]);
      const { layout, calibration, gates, path, mat } = options.simulated
        ? simulated(options)
        : await real(options);
      const report = calibrationReport(layout, calibration);
      if (path !== undefined) {
        const file = resolve(path);
        const before = await keepCalibration(file, calibration, systemDisk, mat);
        if (before !== undefined) sayAside(`The calibration before is kept as ${before}`);
        sayAside(`Calibration kept as ${file}`);
      }
      if (options.json) say(JSON.stringify({ tiles: report, gates }));
      else say(...calibrationTable(report, gates));
      const areGatesWell = gates.every(({ near, far }) => near && far);
      if (!areGatesWell || report.some((tile) => !tile.pass)) process.exitCode = 1;
    });
}

type Done = {
  readonly layout: Layout;
  readonly calibration: Calibration;
  readonly gates: readonly GateReport[];
  readonly path: string | undefined;
  /** Name of the mat, where it has one. */
  readonly mat?: string;
};

function simulated(options: Options): Done {
  const layout: Layout = { ...FIXED_12, sensors: options.sensors ?? FIXED_12.sensors };
  const { calibrator, tookMs } = calibrateSimulated({
    layout,
    seed: options.seed,
    gates: options.gates ? SIDES : [],
    told: (prompt, atMs) => tell(prompt, `${(atMs / 1000).toFixed(0)} s`),
  });
  sayAside(`Took ${(tookMs / 1000).toFixed(0)} s of the simulated table's time.`);
  const mat = simulatedMat(options.seed);
  return { layout, calibration: whatWasMade(calibrator), gates: gatesOf(calibrator), path: options.out, mat };
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

function tell(prompt: CalibratePrompt, when: string): void {
  const done = `${Math.round(prompt.progress * 100)} %`.padStart(5);
  sayAside(`${when.padStart(6)} ${done}  ${prompt.text}`);
  if (prompt.problem !== '') sayAside(`        ! ${prompt.problem}`);
}

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
  const calibrator = await leadCalibration({
    layout: table.layout,
    links: table.links,
    parts: PARTS,
    clock: systemClock,
    silentMs: options.silentSeconds * 1000,
    begin: (gates) =>
      createCalibrator({
        layout: table.layout,
        reference: options.reference,
        balls: options.balls,
        gates: options.gates ? gates : [],
        before: kept?.calibration,
      }),
    told: (prompt, calibrator) => tell(prompt, liveOf(calibrator, prompt)),
    aside: sayAside,
    skips(calibrator) {
      const skip = (text: Buffer): void => {
        if (text.toString().trim() === 's') skipStep(calibrator);
      };
      process.stdin.on('data', skip);
      return () => {
        process.stdin.off('data', skip);
        process.stdin.pause();
      };
    },
  });
  return { layout: table.layout, calibration: whatWasMade(calibrator), gates: gatesOf(calibrator), path };
}

/** Level of the tile that is waited for, as a live number. */
function liveOf(c: Calibrator, prompt: CalibratePrompt): string {
  if (prompt.step.kind !== 'seat') return '';
  const at = prompt.step.cell * c.halls;
  const mt = ((c.newest[at] ?? 0) - (c.zero[at] ?? 0)) * DEFAULT_LIMITS.mtPerCount;
  return `${mt.toFixed(1)} mT`;
}
