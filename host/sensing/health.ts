import { type AtMs, type CellId, SIDES } from '../ids.ts';
import { MAGNET_MT } from './baseline.ts';
import type { HealthFinding } from './health-finding.ts';
import { hallFindings, LEAST_LINES } from './health-halls.ts';
import { latencyTimerFinding } from './latency-timer.ts';
import { neighbourFindings } from './neighbours.ts';
import type { LinkSeen } from './seen.ts';
import { heardMs, type Sensing } from './state.ts';
import { tileFaults } from './tile-faults.ts';
import { turnedFindings } from './turned.ts';

/** A contact closed for so long with no field is stuck. */
const STUCK_MS = 10_000;
const SILENT_MS = 3000;

/**
 * Everything found wrong with sensors and links as of `atMs`, what blocks first. Judge it while nobody rolls. `vacant`
 * are the cells on which play has no core.
 */
export function healthOf(
  sensing: Sensing,
  links: readonly LinkSeen[],
  atMs: AtMs,
  vacant: ReadonlySet<CellId> = new Set(),
): readonly HealthFinding[] {
  const now = hallFindings(sensing);
  const found = [
    ...boardFindings(sensing, links, atMs),
    ...now,
    ...contactFindings(sensing),
    ...neighbourFindings(sensing, vacant),
    ...turnedFindings(sensing),
    ...calibrationFindings(sensing).filter((known) => !now.some((one) => isSame(one, known))),
  ];
  return [...found.filter((f) => f.blocks), ...found.filter((f) => !f.blocks)];
}

/** What is seen of a hall now need not be said once more from its calibration. */
function isSame(one: HealthFinding, other: HealthFinding): boolean {
  return one.code === other.code && one.cell === other.cell && one.hall === other.hall;
}

/**
 * What cannot be said yet: sides that are heard and were not listened to for long enough, and tiles of which their
 * board never tells.
 */
export function unheard(sensing: Sensing, atMs: AtMs): readonly HealthFinding[] {
  const { tiles, health } = sensing;
  return SIDES.filter((side) => atMs - heardMs(sensing, side) <= SILENT_MS).flatMap((side) => {
    const own = tiles.cells.flatMap((cell, i) =>
      cell.side === side ? [{ cell, lines: health.heard[i] ?? 0 }] : [],
    );
    const most = own.reduce((n, { lines }) => Math.max(n, lines), 0);
    if (own.length > 0 && most < LEAST_LINES) {
      return [
        {
          code: 'health/listening',
          blocks: true,
          text: `Side ${side} has not been listened to for two seconds.`,
          remedy: 'Keep hands off the mat and wait a moment.',
        },
      ];
    }
    return own
      .filter(({ lines }) => lines === 0)
      .map(({ cell }) => ({
        code: 'health/tile-unwatched',
        blocks: true,
        cell: cell.cell,
        text: `No board tells of tile ${cell.cell}.`,
        remedy: 'The board of that side has fewer tiles than the layout: use the one or the other.',
      }));
  });
}

/** Whether a match may start: nothing found that blocks. */
export function readyToPlay(findings: readonly HealthFinding[]): boolean {
  return !findings.some(({ blocks }) => blocks);
}

function boardFindings(sensing: Sensing, links: readonly LinkSeen[], atMs: AtMs): readonly HealthFinding[] {
  const found: HealthFinding[] = [];
  const missing = SIDES.filter(
    (side) =>
      sensing.tiles.cells.some((cell) => cell.side === side) && !(atMs - heardMs(sensing, side) <= SILENT_MS),
  );
  for (const seen of links) {
    for (const text of seen.complaints) {
      const noise = text.startsWith('Mostly noise');
      found.push({
        code: noise ? 'health/wrong-baud' : 'health/link',
        // A spare wire may be out as long as the board is heard on another.
        blocks: noise || missing.length > 0,
        link: seen.link,
        text,
        remedy: noise
          ? 'Set baudRate 500000 for this link, and check the port.'
          : 'See the links of this table.',
      });
    }
    if (seen.heldBack === true) found.push(latencyTimerFinding(seen.link));
  }
  for (const side of missing) {
    found.push({
      code: 'health/board-missing',
      blocks: true,
      text: `Nothing is heard of side ${side}.`,
      remedy: 'Plug its board in, and see that its link is in the config.',
    });
  }
  return found;
}

function contactFindings(sensing: Sensing): readonly HealthFinding[] {
  const { tiles, health, limits } = sensing;
  const found: HealthFinding[] = [];
  for (const [i, { cell }] of tiles.cells.entries()) {
    if (tiles.contactWorks[i] === 0) {
      found.push({
        code: 'health/contact-dead',
        blocks: false,
        cell,
        text: `The contact of tile ${cell} did not close when it was calibrated.`,
        remedy: 'Clean the core and its contact; until then the field alone decides there.',
      });
    }
    const closedMs = (health.seenMs[i] ?? NaN) - (health.openMs[i] ?? NaN);
    const at = i * tiles.halls;
    const mt = Math.abs((health.mean[at] ?? 0) - (tiles.rest[at] ?? 0)) * limits.mtPerCount;
    if (closedMs >= STUCK_MS && mt < MAGNET_MT) {
      found.push({
        code: 'health/contact-stuck',
        blocks: false,
        cell,
        text: `The contact of tile ${cell} stays closed though nothing lies there.`,
        remedy: 'Clean it, or look for a bridged wire; until then the field alone decides there.',
      });
    }
  }
  return found;
}

function calibrationFindings({ tiles, setting }: Sensing): readonly HealthFinding[] {
  const { calibration, layout } = setting;
  if (calibration.tiles.length === 0) {
    return [
      {
        code: 'health/uncalibrated',
        blocks: false,
        text: 'This mat was never calibrated: usual values are taken for every tile.',
        remedy: 'Run `bakucore calibrate`; it takes about two minutes.',
      },
    ];
  }
  return tileFaults(layout, calibration).flatMap((fault) => {
    const cell = tiles.cells.find((c) => `${c.side}${c.tile}` === fault.tile)?.cell;
    return cell === undefined
      ? []
      : [{ ...fault.finding, cell, text: `Tile ${cell} (${fault.tile}): ${fault.finding.text}` }];
  });
}
