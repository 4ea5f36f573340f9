import type { LinkSeen } from '../../host/sensing/seen.ts';

/** Both boards plugged in and heard. */
export const LINKS_WELL: readonly LinkSeen[] = [
  {
    link: 'serial-a',
    up: true,
    device: 'A1B2C3D4',
    side: 'A',
    heardAtMs: 81_190,
    complaints: [],
    counts: { lines: 41_208 },
  },
  {
    link: 'serial-b',
    up: true,
    device: '0F0E11AA',
    side: 'B',
    heardAtMs: 81_192,
    complaints: [],
    counts: { lines: 41_190, repeats: 2 },
  },
];
/** The board of side B gone in mid-roll, with what the table says of it. */
export const LINKS_ILL: readonly LinkSeen[] = [
  ...LINKS_WELL.slice(0, 1),
  {
    link: 'serial-b',
    up: false,
    device: '0F0E11AA',
    side: 'B',
    heardAtMs: 77_020,
    complaints: [
      'The board of side B went away in mid-roll. Plug its USB cable in again; the roll needs a judge.',
      'Tile B4 shows contact without pause. Lift the steel plate and look for a wire that touches it.',
    ],
    counts: { gaps: 3, badChecksum: 14, resets: 1 },
  },
];
