import {
  type FilmOutline,
  type FilmStretch,
  type FilmTrace,
  type LibraryPage,
  type MadeFile,
  type MakeAsk,
  MOST_OPENED,
  type RemoveAsk,
  type StretchAsk,
} from '../displays/archive-messages.ts';

/** A match by its table and id. */
export type MatchAt = { readonly table: string; readonly match: string };

/** Asks the host for recorded matches. Everything rejects with an Error whose message is for the person at the page. */
export class ArchiveLink {
  readonly #token: string | undefined;

  constructor(address: URL) {
    this.#token = new URLSearchParams(address.hash.slice(1)).get('token') ?? undefined;
  }

  library(ask: { readonly words: string; readonly from: number }, stop: AbortSignal): Promise<LibraryPage> {
    return this.#get(`library?${new URLSearchParams({ words: ask.words, from: String(ask.from) })}`, stop);
  }

  outline(at: MatchAt): Promise<FilmOutline> {
    return this.#get(`${placeOf(at)}/outline`);
  }

  stretch(at: MatchAt, ask: StretchAsk): Promise<FilmStretch> {
    const { fromMs, toMs, everyMs, seen } = ask;
    const query = { fromMs: String(fromMs), toMs: String(toMs), everyMs: String(everyMs), seen };
    return this.#get(`${placeOf(at)}/stretch?${new URLSearchParams(query)}`);
  }

  trace(at: MatchAt, roll: string, atMs: number): Promise<FilmTrace> {
    return this.#get(`${placeOf(at)}/trace?${new URLSearchParams({ roll, atMs: String(atMs) })}`);
  }

  make(ask: MakeAsk): Promise<MadeFile> {
    return this.#send('make', ask);
  }

  /** Sends a match file; it can be looked at under the name that comes back. */
  open(file: File): Promise<MatchAt> {
    if (file.size > MOST_OPENED) {
      const [has, most] = [file.size, MOST_OPENED].map((bytes) => Math.round(bytes / 1024 / 1024));
      throw new Error(
        `${file.name} has ${has} MB; at most ${most} MB are opened here. Pack it with gzip first.`,
      );
    }
    const headers = { 'Content-Type': 'application/octet-stream' };
    return this.#ask('open', { method: 'POST', body: file, headers });
  }

  remove(ask: RemoveAsk): Promise<{ readonly records: number }> {
    return this.#send('remove', ask);
  }

  /** The same address with the token of this page, for another page of this host. */
  withToken(path: string): string {
    return this.#token === undefined ? path : `${path}#token=${encodeURIComponent(this.#token)}`;
  }

  #get<Answer>(path: string, stop?: AbortSignal): Promise<Answer> {
    return this.#ask(path, { cache: 'no-store', ...(stop === undefined ? {} : { signal: stop }) });
  }

  #send<Answer>(path: string, body: object): Promise<Answer> {
    const headers = { 'Content-Type': 'application/json' };
    return this.#ask(path, { method: 'POST', body: JSON.stringify(body), headers });
  }

  async #ask<Answer>(path: string, how: RequestInit): Promise<Answer> {
    const headers = new Headers(how.headers);
    if (this.#token !== undefined) headers.set('Authorization', `Bearer ${this.#token}`);
    const response = await fetch(`/api/v1/archive/${path}`, { ...how, headers }).catch((error: unknown) => {
      if (error instanceof DOMException && error.name === 'AbortError') throw error;
      throw new Error('The host does not answer. Is it running?');
    });
    const answer = await response.json().catch(() => ({}));
    if (!response.ok) throw new Error(answer.error ?? `The host answered ${response.status}.`);
    return answer;
  }
}

/** Path of a match, whatever an address bar holds: the host answers what is wrong with it. */
function placeOf({ table, match }: MatchAt): string {
  return `${encodeURIComponent(table)}/${encodeURIComponent(match)}`;
}
