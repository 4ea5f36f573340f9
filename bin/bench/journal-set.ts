import { generateKeyPairSync, sign } from 'node:crypto';
import { decodeLine } from '../../firmware-protocol/line.ts';
import { advance, startTable } from '../../host/advance/advance.ts';
import type { Input, Output } from '../../host/advance/input.ts';
import type { TableSetting } from '../../host/advance/setting.ts';
import type { TableState } from '../../host/advance/state.ts';
import { savePlay } from '../../host/game/play.ts';
import { textOfBase64Url } from '../../host/journal/base64.ts';
import type { Chain } from '../../host/journal/chain.ts';
import { keyOf } from '../../host/journal/keys.ts';
import { keyText, noteBody, noteText } from '../../host/journal/note.ts';
import { type Entry, entryOfInput, entryOfOutput } from '../../host/journal/records.ts';
import { headFor } from '../../host/recorded-table.ts';
import { type VirtualTableAsk, virtualTable } from './virtual-table.ts';

/** A stretch of play as a journal would hold it, to be laid end to end. */
export interface JournalSet {
  readonly setting: TableSetting;
  readonly inputs: readonly Input[];
  readonly entries: readonly (Entry & { readonly atMs: number })[];
  /** Rolls that were ruled to their end. */
  readonly rolls: number;
  /** Hall values in its lines. */
  readonly samples: number;
  readonly spanMs: number;
  /** Options and inputs of the match, as `savePlay` has them, and the turns it came to. */
  readonly savedPlay: string;
  readonly turns: number;
}

/** Plays a table in virtual time for so long; idle ones are only watched. */
export function playedSet(
  seed: number,
  ms: number,
  idle = false,
  under: Partial<VirtualTableAsk> = {},
): JournalSet {
  const table = virtualTable({ seed, judge: !idle, auto: !idle, ...under });
  table.run(ms);
  const { setting, inputs } = table;
  const state = startTable(setting, 0);
  const entries: (Entry & { readonly atMs: number })[] = [];
  let rolls = 0;
  for (const input of inputs) {
    const said: readonly Output[] = advance(state, input, setting);
    if (input.kind !== 'tick' || said.length > 0) entries.push({ ...entryOfInput(input), atMs: input.atMs });
    for (const output of said) {
      entries.push({ ...entryOfOutput(output), atMs: output.atMs });
      if (output.kind === 'ruling' && output.ruling.stage === 'final') rolls += 1;
    }
  }
  const samples = inputs.reduce((sum, input) => sum + samplesIn(input), 0);
  return {
    setting,
    inputs,
    entries,
    rolls,
    samples,
    spanMs: ms,
    savedPlay: savePlay(state.play),
    turns: turnsOf(state),
  };
}

function turnsOf(state: TableState): number {
  const game = state.play.state;
  return typeof game === 'object' && game !== null && 'turn' in game ? Number(game.turn) : 0;
}

/** Hall values that a line carries: samples one by one, or the means of a quiet line. */
function samplesIn(input: Input): number {
  if (input.kind !== 'line' || !('line' in input.raw)) return 0;
  const decoded = decodeLine(input.raw.line);
  if (!decoded.ok) return 0;
  const { frame } = decoded;
  if (frame.kind === 'burst') return frame.samples.length;
  return frame.kind === 'quiet' ? frame.means.length : 0;
}

const ORIGIN = 'bakucore/bench/t1';
/** As a host does it. */
const CHECKPOINT_RECORDS = 256;
const SEGMENT_RECORDS = 32_768;

/** Writes sets one after the other into one chain, with heads, checkpoints and segments as a host writes them. */
export interface JournalWriter {
  /** Bytes of the next set; each begins a match of its own, `shiftMs` later than it was played. */
  write(set: JournalSet, shiftMs: number): Buffer;
  /** Bytes of the stop. */
  end(): Buffer;
}

export function journalWriter(chain: Chain): JournalWriter {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const raw = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url');
  const key = keyOf(ORIGIN, raw);
  let signed = 0;
  let openSeq = 0;
  let began = 0;
  let atMs = 0;
  const checkpoint = (out: string[]): void => {
    const body = noteBody({ origin: ORIGIN, size: chain.nextSeq, root: chain.tree.root() });
    const note = noteText(body, key, sign(null, Buffer.from(body), privateKey));
    out.push(chain.add('checkpoint', atMs, { note }));
    signed = chain.nextSeq;
    if (chain.nextSeq - began < SEGMENT_RECORDS) return;
    began = chain.nextSeq;
    const frontier = chain.tree.frontier().map(textOfBase64Url);
    out.push(chain.add('segment', atMs, { frontier, open: openSeq, key: keyText(key) }));
  };
  const write = (set: JournalSet, shiftMs: number): Buffer => {
    const out: string[] = [];
    openSeq = chain.nextSeq;
    atMs = shiftMs;
    const head = { ...headFor('bench', set.setting), key: keyText(key), resumes: false };
    out.push(chain.add('open', atMs, head));
    for (const entry of set.entries) {
      out.push(chain.add(entry.kind, entry.atMs + shiftMs, entry.data));
      // Words of the table may tell of moments before; the time of writing never goes back.
      atMs = entry.atMs + shiftMs;
      if (chain.nextSeq - signed >= CHECKPOINT_RECORDS) checkpoint(out);
    }
    return Buffer.from(`${out.join('\n')}\n\n`);
  };
  return {
    write,
    end() {
      const out = [chain.add('close', atMs, {})];
      checkpoint(out);
      return Buffer.from(`${out.join('\n')}\n\n`);
    },
  };
}
