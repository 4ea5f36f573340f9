import { num } from './html.ts';
import type { RollCase } from './rolls.ts';

/** What of a roll can no longer be shown, and why; nothing where all of it was run again. */
export function toldView({ told, fromSeq, toSeq }: RollCase): string {
  if (told === undefined) return '';
  const { gone } = told;
  const why =
    gone === 0
      ? 'Records before this roll were let go or removed with leave, so how the table stood at its call cannot be made again.'
      : `${num(gone)} of the records ${fromSeq} to ${toSeq} were let go or removed with leave: what the tiles read is among them.`;
  return `<div class="card warn"><b>Lines no longer kept.</b> ${why} What stands here is what was recorded of the roll: its rulings, and what judges did. Nothing was judged anew.</div>`;
}
