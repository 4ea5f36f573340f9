import type { Answer, Command, Question } from '../advance/input.ts';
import type { Audience, Refusal } from '../game/ruleset.ts';
import type { TableId } from '../ids.ts';
import type { Scene } from '../scene/scene.ts';
import type { SimAction } from '../sim-action.ts';

/** A table as the feed sees it. */
export interface FeedTable {
  /** Everything this audience may see now. Called only when something is about to be sent. */
  scene(audience: Audience): Scene;
  /** Hands a command in; its `accepted` or `refused` comes back through `Feed.told` with the same id. */
  command(id: string, command: Command): void;
  /** Answers a judge's question; nothing changes by it. */
  ask(question: Question): Answer | Refusal;
}

/** The world of simulated tables. */
export interface FeedSim {
  /** Does something to a simulated table's world; may throw an Error whose message is for the person who asked. */
  act(table: TableId, action: SimAction): void;
  /** Whether automatic play is on at a table; undefined where that is not known. */
  auto?(table: TableId): boolean;
}
