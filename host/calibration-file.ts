import { readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import * as z from 'zod';
import { systemCodeOf, TableFault, wordsOf } from './fault.ts';
import type { TableId } from './ids.ts';
import { type Disk, systemDisk } from './journal/disk.ts';
import type { Calibration } from './sensing/calibration.ts';
import { type Layout, layoutHash } from './sensing/layout.ts';

const hall = z.strictObject({
  restCounts: z.number().min(0).max(1023),
  noiseCounts: z.number().min(0).max(512),
  seatedCounts: z.number().min(-1023).max(1023),
  ledCounts: z.number().min(-1023).max(1023),
  liftCounts: z.number().min(-1023).max(1023).optional(),
});

/** A calibration as it stands in files and journals. */
export const calibrationSchema = z.strictObject({
  version: z.literal(1),
  layout: z.string(),
  layoutHash: z.string(),
  tiles: z.array(
    z.strictObject({
      tile: z.string().regex(/^[AB]\d{1,2}$/),
      halls: z.array(hall).min(1).max(3),
      neighbours: z.record(z.string(), z.number().min(-2).max(2)),
      contactWorks: z.boolean(),
      measured: z.literal(false).optional(),
    }),
  ),
  balls: z.record(
    z.string(),
    z.strictObject({
      polarity: z.union([z.literal(1), z.literal(-1)]),
      strength: z.number().positive().max(10),
    }),
  ),
});

/** File of a table's calibration: the one its config names, else one of its own beside its journal. */
export function calibrationPath(dataDir: string, table: TableId, named: string | undefined): string {
  return named ?? join(dataDir, `${table}.calibration.json`);
}

/** Nothing measured: the detector takes the usual values of the layout, and whose ball it is rests on gates and tracks. */
export function uncalibrated(layout: Layout): Calibration {
  return { version: 1, layout: layout.name, layoutHash: layoutHash(layout), tiles: [], balls: {} };
}

/** A calibration in its own file may say which mat it was made on, where mats have names: simulated ones do. */
const fileSchema = calibrationSchema.extend({ mat: z.string().optional() });

/** The calibration in the text of a file. Throws when it is none. */
export function calibrationIn(text: string): KeptCalibration {
  const { mat, ...calibration } = fileSchema.parse(JSON.parse(text));
  return { calibration, mat };
}

export interface KeptCalibration {
  readonly calibration: Calibration;
  /** The mat it was made on; undefined when the file does not say. */
  readonly mat: string | undefined;
}

/**
 * Reads a calibration made for this layout. Undefined when the file is not there yet. Throws a TableFault when it
 * cannot be read, is no calibration, or was made on another layout.
 */
export async function readCalibration(path: string, layout: Layout): Promise<KeptCalibration | undefined> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    const code = systemCodeOf(error);
    if (code === 'ENOENT') return undefined;
    const remedy =
      code === 'ENOTDIR'
        ? 'A file stands in the place of a folder: give dataDir, or the calibration of the table, another place.'
        : 'Check that this user may read it.';
    throw fault(path, `cannot be read (${code ?? wordsOf(error)})`, remedy, error);
  }
  let kept: KeptCalibration;
  try {
    kept = calibrationIn(text);
  } catch (error) {
    throw fault(path, `is no calibration: ${whyNot(error)}`, 'Calibrate anew, or restore the file.', error);
  }
  const { calibration } = kept;
  if (calibration.layoutHash !== layoutHash(layout)) {
    throw fault(
      path,
      `was made on layout "${calibration.layout}" as it was then, not on "${layout.name}" as it is now`,
      'Calibrate anew.',
    );
  }
  return kept;
}

/** Most calibrations of one file that are kept beside it. */
const MOST_KEPT = 10_000;

/**
 * Writes a calibration, and the mat it was made on where that has a name, whole and safe from a power cut. The one before is kept beside it with a number of its own:
 * resolves to that path, or to undefined when there was none. Rejects with a TableFault when it cannot be written.
 */
export async function keepCalibration(
  path: string,
  calibration: Calibration,
  disk: Disk = systemDisk,
  mat?: string,
): Promise<string | undefined> {
  try {
    await disk.makeFolder(dirname(path));
    const before = await setAside(disk, path);
    await disk.replace(path, Buffer.from(`${JSON.stringify({ ...calibration, mat }, null, 2)}\n`));
    return before;
  } catch (error) {
    throw new TableFault(
      'calibrate/not-kept',
      `The calibration could not be written to ${path} (${wordsOf(error)}).`,
      'Check that this user may write there, and that there is room.',
      { cause: error },
    );
  }
}

/** Copies the calibration that is there under the first free number, whole or not at all. */
async function setAside(disk: Disk, path: string): Promise<string | undefined> {
  let bytes: Uint8Array;
  try {
    bytes = await disk.read(path);
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
  const taken = new Set(await disk.list(dirname(path)));
  for (let n = 1; n <= MOST_KEPT; n += 1) {
    const aside = `${path}.${n}`;
    if (taken.has(basename(aside))) continue;
    await disk.replace(aside, bytes);
    return aside;
  }
  throw new Error(`${MOST_KEPT} older ones are kept there already: move them away`);
}

function fault(path: string, what: string, remedy: string, cause?: unknown): TableFault {
  return new TableFault('config/bad-value', `${path} ${what}.`, remedy, { cause });
}

/** What is wrong first, on one line: the rest follows from it as often as not. */
function whyNot(error: unknown): string {
  if (!(error instanceof z.ZodError)) return wordsOf(error).replaceAll('\n', ' ');
  const issue = error.issues.find(({ path }) => path[0] === 'version') ?? error.issues[0];
  if (issue?.path[0] === 'version') return 'its version is not 1, the one that is read here';
  const at = issue === undefined || issue.path.length === 0 ? '' : `${issue.path.join('.')}: `;
  return `${at}${issue?.message ?? wordsOf(error)}`;
}
