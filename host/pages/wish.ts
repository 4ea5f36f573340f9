import type { Audience } from '../game/ruleset.ts';
import type { FeedWish } from './feed-link.ts';

/**
 * What the address of a page asks for: `?table=t1&as=judge#token=…`. A token stands behind `#`, which browsers never
 * send to a server and proxies never log.
 */
export function wishOf(address: URL, usual: Audience): FeedWish {
  return {
    table: address.searchParams.get('table') ?? undefined,
    audience: audienceOf(address.searchParams.get('as')) ?? usual,
    token: new URLSearchParams(address.hash.slice(1)).get('token') ?? undefined,
  };
}

function audienceOf(word: string | null): Audience | undefined {
  switch (word) {
    case 'A':
    case 'B':
      return { kind: 'player', player: word };
    case 'judge':
    case 'operator':
    case 'venue':
    case 'public':
      return { kind: word };
    default:
      return undefined;
  }
}
