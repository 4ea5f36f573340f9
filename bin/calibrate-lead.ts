/** Leads a person through a calibration at a real table: opens its links, lights tiles, and knows when to give up. */
import { CAPABILITY, type HelloFrame, type LedFrame } from '../firmware-protocol/frame.ts';
import { decodeLine, encodeDown } from '../firmware-protocol/line.ts';
import type { Clock } from '../host/clock.ts';
import type { TableConfig } from '../host/config.ts';
import { TableFault } from '../host/fault.ts';
import { type LinkId, SIDES, type Side } from '../host/ids.ts';
import { type Parts, partNamed } from '../host/parts.ts';
import type { RawLine } from '../host/record.ts';
import {
  type CalibratePrompt,
  type Calibrator,
  hearCalibration,
  promptOf,
} from '../host/sensing/calibrate.ts';
import type { Layout } from '../host/sensing/layout.ts';
import type { Transport } from '../host/transports/transport.ts';

export interface LeadAsk {
  readonly layout: Layout;
  readonly links: TableConfig['links'];
  readonly parts: Parts;
  readonly clock: Clock;
  /** Makes the calibration once every board has said who it is; `gates` are the sides that have launch gates. */
  readonly begin: (gates: readonly Side[]) => Calibrator;
  /** Ends with a TableFault once a side of the layout has been silent for this long, ms. */
  readonly silentMs: number;
  /** Hears every prompt that is new. */
  readonly told: (prompt: CalibratePrompt, calibrator: Calibrator) => void;
  /** Hears why a link is down. */
  readonly aside: (text: string) => void;
  /** Listens for the person who leaves out a step; returns how to stop. */
  readonly skips?: (calibrator: Calibrator) => () => void;
}

/** How often the person's screen and the lights are brought up to date. */
const LOOK_MS = 200;

/** What is known of one link. */
interface Way {
  hello: HelloFrame | undefined;
  /** A board without a side, or noise, was heard. */
  isUnset: boolean;
  why: string;
}

/** Opens the links and stays until the last step is done; gives the calibration. Throws when a board stays silent. */
export async function leadCalibration(ask: LeadAsk): Promise<Calibrator> {
  const { layout, links, parts, clock, silentMs } = ask;
  const ways = new Map<LinkId, Way>(
    Object.keys(links).map((link) => [link, { hello: undefined, isUnset: false, why: '' }]),
  );
  const needed = SIDES.filter((side) => layout.cells.some((cell) => cell.side === side));
  const heardMs = new Map<Side, number>();
  const open: Transport[] = [];
  let calibrator: Calibrator | undefined;
  const events = {
    line(link: LinkId, raw: RawLine): void {
      const way = ways.get(link);
      const decoded = 'line' in raw ? decodeLine(raw.line) : undefined;
      if (decoded?.ok !== true || way === undefined) return;
      const { frame } = decoded;
      if (frame.kind === 'hello') {
        way.isUnset = frame.side === 'unset';
        way.hello = way.isUnset ? undefined : frame;
      }
      const side = way.hello?.side;
      if (frame.kind !== 'quiet' || side === undefined || side === 'unset') return;
      for (const its of needed) if (side === its || side === 'both') heardMs.set(its, clock.now());
      if (calibrator !== undefined) hearCalibration(calibrator, side, frame);
    },
    // A board that runs already said who it is before: it is asked again.
    up(link: LinkId): void {
      const way = ways.get(link);
      if (way !== undefined) way.why = '';
      greet(open.find((one) => one.link === link));
    },
    down(link: LinkId, reason: string): void {
      const way = ways.get(link);
      if (way !== undefined) way.why = reason;
      ask.aside(`${link}: ${reason}`);
    },
    dropped() {},
  };
  let stop = (): void => {};
  try {
    const sinceMs = clock.now();
    for (const [link, { transport, options }] of Object.entries(links)) {
      const kind = partNamed(parts.transports, transport);
      if (kind === undefined) continue;
      const one = await kind.open(link, options, events, clock);
      open.push(one);
      greet(one);
    }
    let shown = '';
    for (;;) {
      const silent = needed.filter((side) => clock.now() - (heardMs.get(side) ?? sinceMs) > silentMs);
      if (silent.length > 0) throw silence(silent, ways, silentMs);
      if (calibrator === undefined && needed.every((side) => heardMs.has(side))) {
        calibrator = ask.begin(needed.filter((side) => hasGates(ways, side)));
        stop = ask.skips?.(calibrator) ?? stop;
      }
      if (calibrator !== undefined) {
        const prompt = promptOf(calibrator);
        const said = `${prompt.text}|${prompt.problem}`;
        if (said !== shown) {
          shown = said;
          ask.told(prompt, calibrator);
          for (const one of open) light(one, layout, ways.get(one.link)?.hello, prompt);
        }
        if (prompt.step.kind === 'done' && !calibrator.leaving) return calibrator;
      }
      await new Promise<void>((next) => {
        clock.after(LOOK_MS, next);
      });
    }
  } finally {
    stop();
    await Promise.all(open.map((one) => one.close()));
  }
}

function hasGates(ways: ReadonlyMap<LinkId, Way>, side: Side): boolean {
  return [...ways.values()].some(
    ({ hello }) =>
      hello !== undefined &&
      (hello.side === side || hello.side === 'both') &&
      (hello.capabilities & CAPABILITY.gates) !== 0,
  );
}

/** Names every link on which the silent side was heard before, or, where it never was, that says nothing of a side. */
function silence(sides: readonly Side[], ways: ReadonlyMap<LinkId, Way>, silentMs: number): TableFault {
  const its = [...ways].filter(([, { hello }]) =>
    hello === undefined ? true : hello.side === 'both' || sides.some((side) => side === hello.side),
  );
  const known = its.filter(([, { hello }]) => hello !== undefined);
  const named = (known.length > 0 && known.length >= sides.length ? known : its).map(
    ([link, { why, isUnset }]) =>
      `${link}${why !== '' ? ` (${why})` : isUnset ? ' (its board has no side yet)' : ''}`,
  );
  const on = named.length === 0 ? 'no link of this table serves it' : `look at link ${named.join(', ')}`;
  const unset = its.some(([, { isUnset }]) => isUnset);
  return new TableFault(
    'calibrate/silent',
    `Side ${sides.join(' and side ')} said nothing for ${silentMs / 1000} s: ${on}.`,
    unset
      ? 'Tell the board its side with: bakucore doctor --port PORT --assign A, then calibrate anew.'
      : 'Plug the board in, see that its port stands in the config with baudRate 500000 and that no host runs, then calibrate anew.',
  );
}

function greet(to: Transport | undefined): void {
  to?.send(encodeDown({ kind: 'greet', tag: 0 }));
}

const WHITE = 0xffffff;
const FULL = 255;

function light(to: Transport, layout: Layout, hello: HelloFrame | undefined, prompt: CalibratePrompt): void {
  if (hello === undefined) return;
  const { side, device } = hello;
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
  const where = { device };
  if ((all & ~mask) !== 0) to.send(line(all & ~mask, 0), where);
  if (mask !== 0) to.send(line(mask, FULL), where);
}
