import type { Output } from '../advance/input.ts';
import type { Clock } from '../clock.ts';
import { wordsOf } from '../fault.ts';
import type { Audience } from '../game/ruleset.ts';
import type { TableId } from '../ids.ts';
import type { Log } from '../log.ts';
import type { Scene } from '../scene/scene.ts';
import { type FeedClient, OFFENCES } from './feed-client.ts';
import { type ClientMessage, clientMessageSchema, simActionOf, type TableList } from './feed-messages.ts';
import { messageProblem } from './feed-problem.ts';
import { type Access, commandBy, grantFor, questionBy } from './feed-roles.ts';
import { FeedStreams } from './feed-streams.ts';
import type { FeedSim, FeedTable } from './feed-table.ts';

/** Commands of one client that may wait for their answer. */
const MOST_PENDING = 32;

type Waiting = { readonly client: FeedClient; readonly id: string };
/** Why something was not done, for the one who asked. */
type Problem = { readonly code: string; readonly text: string };

export type DeskOptions = {
  readonly tables: ReadonlyMap<TableId, FeedTable>;
  readonly sim: FeedSim | undefined;
  readonly clock: Clock;
  readonly log: Log;
  readonly access: Access;
};

/** Takes what clients say to the tables and brings back their answers. */
export class FeedDesk {
  readonly streams: FeedStreams;
  readonly #options: DeskOptions;
  readonly #waiting = new Map<string, Waiting>();
  readonly #counts = new Map<string, number>();
  #commands = 0;

  constructor(options: DeskOptions) {
    this.#options = options;
    this.streams = new FeedStreams((table, audience) => this.sceneFor(table, audience), options.clock);
  }

  /** Counts something worth knowing, shown by `/healthz`. */
  count(what: string): void {
    this.#counts.set(what, (this.#counts.get(what) ?? 0) + 1);
  }

  health(): { readonly [key: string]: unknown } {
    return {
      ok: true,
      tables: this.#options.tables.size,
      clients: this.streams.clients.size,
      counts: Object.fromEntries(this.#counts),
    };
  }

  tableList(): TableList {
    const tables = [...this.#options.tables.keys()].flatMap((table) => {
      const scene = this.sceneFor(table, { kind: 'public' });
      return scene === undefined ? [] : [{ table, simulated: scene.simulated, ruleset: rulesetOf(scene) }];
    });
    return { tables };
  }

  /** The scene of a table for an audience; undefined when there is no such table or it failed to say. */
  sceneFor(table: TableId, audience: Audience): Scene | undefined {
    try {
      const scene = this.#options.tables.get(table)?.scene(audience);
      const auto = audience.kind === 'operator' ? this.#options.sim?.auto?.(table) : undefined;
      return scene === undefined || auto === undefined ? scene : { ...scene, auto };
    } catch (error) {
      this.count('sceneFault');
      this.#options.log.error('a scene could not be made', { table, error });
      return undefined;
    }
  }

  /** Passes an output on: answers to whoever asked, everything else as news to all. */
  told(table: TableId, output: Output): void {
    if (output.kind === 'send') return;
    if (output.kind === 'accepted' || output.kind === 'refused') this.#answer(table, output);
    this.streams.news(table, output);
  }

  /** Takes one message of a client; undefined stands for a binary one. */
  hear(client: FeedClient, text: string | undefined): void {
    if (!client.maySpeak(this.#options.clock.now())) {
      this.#offend(client, 'feed/too-fast', 'Too many messages; this one was not read.');
      return;
    }
    const message = read(text);
    if ('problem' in message) this.#offend(client, 'feed/bad-message', message.problem);
    else this.#serve(client, message);
  }

  /** Lets a client go that closed. */
  forget(client: FeedClient): void {
    this.streams.clients.delete(client);
    for (const [id, waiting] of this.#waiting) if (waiting.client === client) this.#waiting.delete(id);
    this.streams.dropUnfollowed();
  }

  #serve(client: FeedClient, message: ClientMessage): void {
    const { table } = message;
    const problem = this.#options.tables.has(table)
      ? this.#take(client, message)
      : { code: 'feed/unknown-table', text: `There is no table "${table}" here; /api/v1/tables lists them.` };
    if (problem === undefined) return;
    if (message.op === 'subscribe' || message.id === undefined) client.answer({ op: 'error', ...problem });
    else {
      const refusal = { code: problem.code, message: problem.text, rules: [] };
      client.answer({ op: 'refused', id: message.id, table, refusal });
    }
  }

  #take(client: FeedClient, message: ClientMessage): Problem | undefined {
    switch (message.op) {
      case 'subscribe':
        return this.#subscribe(client, message);
      case 'command':
        return this.#command(client, message);
      case 'ask':
        return this.#ask(client, message);
      case 'sim':
        return this.#sim(client, message);
      default:
        return message satisfies never;
    }
  }

  #subscribe(client: FeedClient, message: ClientMessage & { op: 'subscribe' }): Problem | undefined {
    const { grant, problem } = grantFor(message.audience, message.token, this.#options.access);
    client.follow(this.streams.channelOf(message.table, grant.audience), grant);
    this.streams.dropUnfollowed();
    this.streams.look(message.table);
    if (problem === undefined) return undefined;
    this.count('notGranted');
    return { code: 'feed/not-granted', text: problem };
  }

  #command(client: FeedClient, message: ClientMessage & { op: 'command' }): Problem | undefined {
    const { table } = message;
    const grant = client.grantFor(table);
    if (grant === undefined) return { code: 'feed/not-subscribed', text: 'Subscribe to this table first.' };
    const command = commandBy(grant, message.command, this.#options.access);
    if ('notAllowed' in command) return { code: 'feed/not-allowed', text: command.notAllowed };
    if (client.pending >= MOST_PENDING) {
      return { code: 'feed/too-many', text: 'Earlier commands are not answered yet.' };
    }
    this.#commands += 1;
    const id = `${client.number}-${this.#commands}`;
    client.pending += 1;
    this.#waiting.set(id, { client, id: message.id });
    try {
      this.#options.tables.get(table)?.command(id, command);
      return undefined;
    } catch (error) {
      this.#settled(id);
      this.#options.log.error('a command could not be taken', { table, error });
      return { code: 'feed/fault', text: 'The host could not take this command; its log says why.' };
    }
  }

  #ask(client: FeedClient, message: ClientMessage & { op: 'ask' }): Problem | undefined {
    const { table, id } = message;
    const grant = client.grantFor(table);
    if (grant === undefined) return { code: 'feed/not-subscribed', text: 'Subscribe to this table first.' };
    const question = questionBy(grant, message.question, this.#options.access);
    if ('notAllowed' in question) return { code: 'feed/not-allowed', text: question.notAllowed };
    try {
      const answer = this.#options.tables.get(table)?.ask(question);
      if (answer === undefined) return undefined;
      client.answer(
        'code' in answer
          ? { op: 'refused', id, table, refusal: answer }
          : { op: 'answer', id, table, answer },
      );
      return undefined;
    } catch (error) {
      this.#options.log.error('a question could not be answered', { table, error });
      return { code: 'feed/fault', text: 'The host could not answer this; its log says why.' };
    }
  }

  #sim(client: FeedClient, message: ClientMessage & { op: 'sim' }): Problem | undefined {
    const { table, action } = message;
    if (client.grantFor(table)?.may.sim !== true) {
      return { code: 'feed/not-allowed', text: 'Only the operator of this table moves its simulated world.' };
    }
    const { sim } = this.#options;
    if (sim === undefined) return { code: 'feed/not-simulated', text: 'This table is real: use your hands.' };
    try {
      sim.act(table, simActionOf(action));
      if (message.id !== undefined) client.answer({ op: 'accepted', id: message.id, table });
      return undefined;
    } catch (error) {
      return { code: 'sim/refused', text: wordsOf(error) };
    }
  }

  #answer(table: TableId, output: Output & { kind: 'accepted' | 'refused' }): void {
    const waiting = this.#settled(output.id);
    if (waiting === undefined) return;
    const { client, id } = waiting;
    if (output.kind === 'accepted') client.answer({ op: 'accepted', id, table });
    else client.answer({ op: 'refused', id, table, refusal: output.refusal });
  }

  #settled(id: string): Waiting | undefined {
    const waiting = this.#waiting.get(id);
    if (waiting !== undefined) waiting.client.pending -= 1;
    this.#waiting.delete(id);
    return waiting;
  }

  #offend(client: FeedClient, code: string, text: string): void {
    this.count('junk');
    client.offences += 1;
    if (client.offences <= OFFENCES) client.answer({ op: 'error', code, text });
    else client.socket.close(1008, 'Too much that is not the protocol.');
  }
}

function rulesetOf(scene: Scene): string {
  const { view } = scene;
  return typeof view === 'object' && view !== null && 'ruleset' in view ? String(view.ruleset) : 'unknown';
}

/** Whatever a browser sent, as a message or as what is wrong with it. */
function read(text: string | undefined): ClientMessage | { readonly problem: string } {
  if (text === undefined) return { problem: 'The feed takes JSON text, not binary messages.' };
  try {
    const value: unknown = JSON.parse(text);
    const parsed = clientMessageSchema.safeParse(value);
    if (parsed.success) return parsed.data;
    return { problem: messageProblem(clientMessageSchema, value, parsed.error.issues) };
  } catch {
    // Not JSON, or nested so deep that reading it ran out of stack.
    return { problem: 'This is not a JSON message of the feed.' };
  }
}
