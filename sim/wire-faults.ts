/** What a bad wire does to a board's lines, seeded. Works on bytes: what comes out may be no line at all. */
import { type Chance, createChance, hash32 } from './random.ts';

/** Shares of lines, 0 to 1 each. */
export interface WirePlan {
  readonly lost: number;
  /** Damaged in one of the ways seen in real captures. */
  readonly damaged: number;
  /** The same line again, 0.2 to 3.1 s later, as a broker does. */
  readonly doubled: number;
  /** Comes after the next line. */
  readonly late: number;
  /** A bad spell begins: for ten lines on average a third of them is damaged. */
  readonly spell: number;
}

export const SOUND_WIRE: WirePlan = { lost: 0, damaged: 0, doubled: 0, late: 0, spell: 0 };
/** As measured on good serial lines: one in a thousand lost, one in ten thousand damaged, a spell in ten minutes. */
export const USUAL_WIRE: WirePlan = { lost: 0.001, damaged: 0.0001, doubled: 0, late: 0, spell: 0.00003 };
/** Share of lines lost on an impaired wire. */
export const LOST_LINES = 0.02;
export const LOSSY_WIRE: WirePlan = { ...SOUND_WIRE, lost: 0.1 };
export const NOISY_WIRE: WirePlan = { lost: 0.02, damaged: 0.1, doubled: 0, late: 0, spell: 0.005 };
/** One line in a hundred damaged, and a bad spell every few seconds. */
export const DAMAGING_WIRE: WirePlan = { lost: 0.001, damaged: 0.01, doubled: 0, late: 0, spell: 0.002 };
/** As a broker with redelivery: half of the lines come twice, some out of order. */
export const REPEATING_WIRE: WirePlan = { lost: 0, damaged: 0, doubled: 0.5, late: 0.05, spell: 0 };

export type Damage = 'flipped' | 'cut' | 'joined' | 'nul-run' | 'terminal-code' | 'wrong-baud';
const DAMAGES: readonly Damage[] = ['flipped', 'cut', 'joined', 'nul-run', 'terminal-code', 'wrong-baud'];

export interface Chunk {
  readonly atUs: number;
  readonly bytes: Uint8Array;
}

export interface WireFaults {
  /** What arrives of what was sent, and when. */
  pass(sent: readonly Chunk[]): readonly Chunk[];
  /** What had been delayed and is due by now. */
  due(atUs: number): readonly Chunk[];
  plan(next: WirePlan): void;
  /** A spell of bad lines begins at once, as after every reset. */
  beginSpell(): void;
  readonly counts: Readonly<Record<Damage | 'lost' | 'doubled' | 'late', number>>;
}

const SPELL_LINES = 10;
const SPELL_DAMAGED = 0.35;

export function createWireFaults(seed: number, first: WirePlan = SOUND_WIRE): WireFaults {
  const chance = createChance(hash32(seed, 51, 0));
  const counts = {
    flipped: 0,
    cut: 0,
    joined: 0,
    'nul-run': 0,
    'terminal-code': 0,
    'wrong-baud': 0,
    lost: 0,
    doubled: 0,
    late: 0,
  };
  let plan = first;
  let partial: number[] = [];
  let spellLeft = 0;
  let delayed: Chunk[] = [];
  let held: Chunk | undefined;

  const line = (chunk: Chunk, out: Chunk[]): void => {
    if (spellLeft > 0) spellLeft -= 1;
    else if (chance.happens(plan.spell)) spellLeft = 1 + Math.floor(chance.exponential(SPELL_LINES));
    if (chance.happens(plan.lost)) {
      counts.lost += 1;
      return;
    }
    let bytes = chunk.bytes;
    if (chance.happens(spellLeft > 0 ? SPELL_DAMAGED : plan.damaged)) {
      const how = chance.pick(DAMAGES);
      counts[how] += 1;
      bytes = damaged(chance, bytes, how);
    }
    if (chance.happens(plan.doubled)) {
      counts.doubled += 1;
      delayed.push({ atUs: chunk.atUs + Math.floor(chance.between(200_000, 3_100_000)), bytes });
    }
    const now = { atUs: chunk.atUs, bytes };
    if (held !== undefined) {
      out.push(now, { atUs: chunk.atUs, bytes: held.bytes });
      held = undefined;
    } else if (chance.happens(plan.late)) {
      counts.late += 1;
      held = now;
    } else out.push(now);
  };

  return {
    counts,
    plan(next) {
      plan = next;
    },
    beginSpell() {
      spellLeft = 1 + Math.floor(chance.exponential(SPELL_LINES));
    },
    pass(sent) {
      if (sent.length === 0) return sent;
      const idle =
        plan.lost + plan.damaged + plan.doubled + plan.late + plan.spell === 0 && spellLeft === 0 && !held;
      if (idle && partial.length === 0) return sent;
      const out: Chunk[] = [];
      for (const chunk of sent) {
        // The usual case: a chunk is a line.
        if (partial.length === 0 && chunk.bytes.indexOf(10) === chunk.bytes.length - 1) {
          line(chunk, out);
          continue;
        }
        for (const byte of chunk.bytes) {
          partial.push(byte);
          if (byte !== 10) continue;
          line({ atUs: chunk.atUs, bytes: Uint8Array.from(partial) }, out);
          partial = [];
        }
      }
      return out;
    },
    due(atUs) {
      if (delayed.length === 0) return [];
      const now = delayed.filter((chunk) => chunk.atUs <= atUs).sort((a, b) => a.atUs - b.atUs);
      delayed = delayed.filter((chunk) => chunk.atUs > atUs);
      return now;
    },
  };
}

/** One line, its line feed included, after damage of a kind. */
export function damaged(chance: Chance, bytes: Uint8Array, how: Damage): Uint8Array {
  const at = 1 + chance.below(Math.max(1, bytes.length - 2));
  switch (how) {
    case 'flipped': {
      const out = bytes.slice();
      out[at] = (out[at] ?? 0) ^ (1 << chance.below(7));
      return out;
    }
    case 'cut':
      return joined(bytes.slice(0, at), bytes.slice(bytes.length - 1));
    case 'joined':
      // The line feed is lost: this line runs together with whatever comes next.
      return bytes.slice(0, bytes.length - 1);
    case 'nul-run':
      return joined(bytes.slice(0, at), new Uint8Array(1 + chance.below(30)), bytes.slice(at));
    case 'terminal-code':
      return joined(bytes.slice(0, at), Uint8Array.of(27, 91, 50, 74), bytes.slice(at));
    case 'wrong-baud':
      // What a port opened at another rate shows first: noise, then the tail of a good line.
      return joined(
        Uint8Array.from({ length: 5 + chance.below(40) }, () => 128 + chance.below(128)),
        bytes.slice(at),
      );
    default:
      return how satisfies never;
  }
}

function joined(...parts: readonly Uint8Array[]): Uint8Array {
  const out = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}
