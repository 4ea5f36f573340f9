/** Stands in a stream of pieces where a packed file cannot be unpacked any further; the next file may follow it. */
export interface Damage {
  readonly file: string;
  /** In a few words, as `unexpected end of file`. */
  readonly why: string;
}

export function isDamage(piece: Uint8Array | Damage): piece is Damage {
  return !(piece instanceof Uint8Array);
}

/** What is wrong, as a sentence. */
export function damageText({ file, why }: Damage): string {
  return `${file} cannot be unpacked (${why}).`;
}

/** What to do about it. */
export const DAMAGE_REMEDY = 'It was cut off, damaged or is no gzip file: take another copy of it.';
