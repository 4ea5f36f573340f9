import type { FilmMark, FilmOutline } from '../displays/archive-messages.ts';
import type { AtMs, Json } from '../ids.ts';
import { type ChainedRecord, endOf, entryOfText, isObject, LONGEST_END } from '../journal/entry.ts';
import type { RecordKind } from '../record.ts';
import { type Match, restsBefore } from './matches.ts';
import type { SegmentReader } from './segment-reader.ts';

/** Lines that only sensors and lights need; their time is read without parsing them. */
const DULL: ReadonlySet<RecordKind> = new Set(['line', 'sent', 'tick']);
const AT = /^\{"atMs":(-?[\d.e+]+)/;
/** A pause of the record that counts as one, ms: boards are heard fifty times a second. */
const PAUSE_MS = 10_000;
/** Faults shown; links that flap would hide everything else. */
const MOST_FAULTS = 200;
const MARKED: Readonly<Record<string, FilmMark['kind']>> = {
  'roll/judged': 'judge',
  'judge/count': 'correction',
  'correction/made': 'correction',
  'correction/undone': 'correction',
  'turn/started': 'turn',
  'game/over': 'over',
};

/** A place at which the state may be kept, with the hash that it must have. */
export type SnapshotAt = { readonly seq: number; readonly atMs: AtMs; readonly hash: string };
export type Outlined = Omit<FilmOutline, 'match'> & { readonly snapshots: readonly SnapshotAt[] };

/** Where a match can be gone to: what was ruled, told and done in it, from its records alone; nothing is run again. */
export async function outlineOf(reader: SegmentReader, match: Match): Promise<Outlined> {
  const { from } = match;
  let { to } = match;
  const snapshots: SnapshotAt[] = [];
  const marks: FilmMark[] = [];
  const walls: { atMs: AtMs; wallMs: number }[] = [];
  const spans: { fromMs: AtMs; toMs: AtMs }[] = [];
  let faults = 0;
  let gone = false;
  const pass = (atMs: AtMs): void => {
    const last = spans.at(-1);
    if (last === undefined || atMs - last.toMs > PAUSE_MS) spans.push({ fromMs: atMs, toMs: atMs });
    else if (atMs > last.toMs) last.toMs = atMs;
  };
  for await (const bytes of reader.texts(from, to)) {
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8');
    for (let at = 0, end = text.indexOf('\n'); end >= 0; at = end + 1, end = text.indexOf('\n', at)) {
      if (end === at) continue;
      const ended = endOf(text.slice(Math.max(at, end - LONGEST_END), end));
      if (ended !== undefined && DULL.has(ended.kind)) {
        if (ended.seq >= from && ended.seq < to)
          pass(Number(AT.exec(text.slice(at, at + 40))?.[1] ?? Number.NaN));
        continue;
      }
      const entry = entryOfText(text.slice(at, end));
      if (entry === undefined) continue;
      if ('pruned' in entry) {
        if (entry.pruned.to <= from || entry.pruned.from >= to) continue;
        if (restsBefore(match, entry.pruned)) to = entry.pruned.from;
        else gone = true;
        continue;
      }
      const { record } = entry;
      if (record.seq < from || record.seq >= to) continue;
      pass(record.atMs);
      if (isObject(record.data) && typeof record.data.wallTime === 'string') {
        walls.push({ atMs: record.atMs, wallMs: Date.parse(record.data.wallTime) });
      }
      if (record.kind === 'snapshot' && isObject(record.data) && typeof record.data.state === 'string') {
        snapshots.push({ seq: record.seq, atMs: record.atMs, hash: record.data.state });
      }
      const mark = markOf(record);
      if (mark === undefined || (mark.kind === 'fault' && ++faults > MOST_FAULTS)) continue;
      marks.push(mark);
    }
  }
  return {
    fromMs: spans[0]?.fromMs ?? 0,
    toMs: spans.at(-1)?.toMs ?? 0,
    walls,
    spans,
    marks,
    snapshots,
    ...(gone
      ? {
          dark: 'Lines from the boards are no longer kept, so the moments of this match cannot be shown again. Its rulings stand below, and in the report.',
        }
      : {}),
  };
}

function markOf({ atMs, kind, data }: ChainedRecord): FilmMark | undefined {
  if (!isObject(data)) return undefined;
  if (kind === 'ruling' && isObject(data.ruling) && data.ruling.stage === 'final')
    return ruled(atMs, data.ruling);
  if (kind === 'ruling' && isObject(data.retraction)) {
    const { roll, why, stage } = data.retraction;
    if (stage !== 'final') return undefined;
    return {
      atMs,
      kind: 'correction',
      text: `Ruling of ${String(roll)} withdrawn: ${String(why)}`,
      ...rollOf(roll),
    };
  }
  if (kind === 'fault') return { atMs, kind: 'fault', text: String(data.text) };
  if (kind !== 'event' || !isObject(data.event)) return undefined;
  const { type, text, data: told } = data.event;
  const marked = MARKED[String(type)];
  if (marked === undefined) return undefined;
  return { atMs, kind: marked, text: String(text), ...rollOf(isObject(told) ? told.roll : undefined) };
}

function ruled(atMs: AtMs, ruling: { readonly [key: string]: Json }): FilmMark {
  const balls = Array.isArray(ruling.balls) ? ruling.balls.filter(isObject) : [];
  const doubt = balls.some((ball) => ball.opened === 'undetermined' || ball.player === 'undetermined');
  const said = balls.map((ball) => {
    const who = ball.player === 'undetermined' ? 'a ball' : String(ball.player);
    const held =
      isObject(ball.attached) && Array.isArray(ball.attached.sure) ? ball.attached.sure.join(' + ') : '';
    if (ball.opened === 'undetermined') return `${who} undetermined`;
    return ball.opened === 'yes' ? `${who} opened${held === '' ? '' : ` on ${held}`}` : `${who} did not open`;
  });
  const text = `Roll ${String(ruling.roll)}: ${said.join(', ') || 'no ball was seen'}`;
  return { atMs, kind: doubt ? 'undetermined' : 'ruling', text, ...rollOf(ruling.roll) };
}

function rollOf(roll: Json | undefined): { readonly roll?: string } {
  return typeof roll === 'string' ? { roll } : {};
}
