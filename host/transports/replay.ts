import { resolve } from 'node:path';
import * as z from 'zod';
import { TableFault, wordsOf } from '../fault.ts';
import type { LinkId } from '../ids.ts';
import { fileChunks, readRecords } from '../journal/read.ts';
import type { JournalRecord, RawLine } from '../record.ts';
import type { Transport, TransportClock, TransportEvents, TransportKind } from './transport.ts';

const schema = z.strictObject({
  path: z.string().min(1).describe('A capture or a journal, one JSON object a line'),
  via: z.string().min(1).optional().describe('Only lines that came over this link of the recorded host'),
  speed: z
    .union([z.literal('max'), z.number().positive().max(1000)])
    .default(1)
    .describe('1 is as it happened, 10 is ten times faster, max does not wait'),
});

export type ReplayOptions = z.infer<typeof schema>;

/** Recorded lines in the place of boards. What is sent to it is taken and goes nowhere. */
export const replay: TransportKind<ReplayOptions> = {
  name: 'replay',
  optionsSchema: () => z.toJSONSchema(schema, { io: 'input' }),
  parse(options, place) {
    const given = schema.parse(options);
    return { ...given, path: resolve(place.folder, given.path) };
  },
  open: async (link, options, events, clock) => openReplay(link, options, events, clock),
};

function openReplay(
  link: LinkId,
  options: ReplayOptions,
  events: TransportEvents,
  clock: TransportClock,
): Transport {
  let isUp = false;
  let stopped = false;
  let wake = (): void => {};
  let cancel = (): void => {};

  const wait = (ms: number): Promise<void> =>
    new Promise((done) => {
      wake = done;
      cancel = clock.after(ms, done);
    });

  const play = async (): Promise<void> => {
    let cutOff = '';
    let unreadable = 0;
    let lines = 0;
    /** Where the capture's time and ours began. */
    let began: { readonly capturedMs: number; readonly nowMs: number } | undefined;
    const records = readRecords(fileChunks(options.path), ({ what, text }) => {
      if (what === 'torn-tail') cutOff = ` ${text}`;
      else if (what !== 'gap') unreadable++;
    });
    for await (const batch of records) {
      if (!isUp && !stopped) {
        isUp = true;
        events.up(link, options.path);
      }
      for (const record of batch) {
        const line = lineOf(record, options.via);
        if (line === undefined) continue;
        if (options.speed !== 'max') {
          began ??= { capturedMs: record.atMs, nowMs: clock.now() };
          // From the beginning, not from the line before: small waits that end late must not add up.
          const ms = began.nowMs + (record.atMs - began.capturedMs) / options.speed - clock.now();
          if (ms > 0) await wait(ms);
        }
        if (stopped) return;
        lines++;
        events.line(link, line.raw, line.from);
      }
      if (options.speed === 'max') await wait(0);
      if (stopped) return;
    }
    if (stopped) return;
    isUp = false;
    if (unreadable > 0) events.dropped(link, 'unreadable line of the capture', unreadable);
    if (cutOff !== '') events.dropped(link, 'line cut off', 1);
    events.down(
      link,
      `The capture ${options.path} has been played to its end: ${lines} lines.${cutOff}`,
      lines > 0 ? undefined : 'Check "via" and that the file is a capture or a journal.',
      'replay/ended',
    );
  };

  const playing = play().catch((error: unknown) => {
    if (stopped) return;
    isUp = false;
    if (error instanceof TableFault) {
      events.down(link, error.sentence, error.remedy, 'replay/unreadable');
    } else {
      events.down(link, wordsOf(error), undefined, 'replay/unreadable');
    }
  });

  return {
    link,
    send: () => isUp && !stopped,
    async close() {
      stopped = true;
      cancel();
      wake();
      await playing;
    },
  };
}

function lineOf(
  record: JournalRecord,
  via: string | undefined,
):
  | { readonly raw: RawLine; readonly from?: { readonly device?: string; readonly retained?: boolean } }
  | undefined {
  const { kind, data } = record;
  if (kind !== 'line' || typeof data !== 'object' || data === null || !('link' in data)) return undefined;
  if (via !== undefined && data.link !== via) return undefined;
  const raw =
    typeof data.line === 'string'
      ? { line: data.line }
      : typeof data.b64 === 'string'
        ? { b64: data.b64 }
        : undefined;
  if (raw === undefined) return undefined;
  if (typeof data.device !== 'string') return { raw };
  return { raw, from: { device: data.device, ...(data.retained === true ? { retained: true } : {}) } };
}
