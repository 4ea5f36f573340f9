import type { LibraryAsk, MakeAsk, MatchName, RemoveAsk, StretchAsk } from '../displays/archive-messages.ts';
import type { FaultCode } from '../fault.ts';

/** What the process that reads recorded matches is asked. */
export type Job =
  | { readonly do: 'library'; readonly ask: LibraryAsk }
  | { readonly do: 'outline'; readonly name: MatchName }
  | { readonly do: 'stretch'; readonly name: MatchName; readonly ask: StretchAsk }
  | { readonly do: 'trace'; readonly name: MatchName; readonly roll: string; readonly ruledMs: number }
  | { readonly do: 'make'; readonly ask: MakeAsk }
  | { readonly do: 'to-remove' | 'remove'; readonly ask: RemoveAsk }
  | { readonly do: 'open'; readonly path: string; readonly table: string }
  | { readonly do: 'prune'; readonly name: MatchName };

export type ToRoom = { readonly id: number; readonly job: Job };
export type FromRoom =
  | { readonly id: number; readonly value: unknown }
  | {
      readonly id: number;
      readonly fault: { readonly code: FaultCode; readonly sentence: string; readonly remedy: string };
    };
