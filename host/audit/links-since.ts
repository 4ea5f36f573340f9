import { type Links, linksSeen } from '../sensing/links.ts';
import type { LinkSeen } from '../sensing/seen.ts';

/** Links as they are, with what was counted since they were looked at before. */
export function linksSince(links: Links, before: readonly LinkSeen[]): readonly LinkSeen[] {
  return linksSeen(links).map((link) => since(link, before));
}

/** A link with what was counted since it was looked at before. */
function since(link: LinkSeen, before: readonly LinkSeen[]): LinkSeen {
  const was = before.find((one) => one.link === link.link)?.counts ?? {};
  const counts = Object.entries(link.counts)
    .map(([name, count]) => [name, count - (was[name] ?? 0)] as const)
    .filter(([, count]) => count > 0);
  return { ...link, counts: Object.fromEntries(counts) };
}
