import { describe, expect, it } from 'vitest';
import { archiveRoutes } from '../host/displays/archive-http.ts';
import type { RemoveAsk } from '../host/displays/archive-messages.ts';
import type { FeedArchive } from '../host/displays/feed-archive.ts';
import { TableFault } from '../host/fault.ts';

const SECRET = 'a-secret-of-sixteen';

function routes(): { readonly app: ReturnType<typeof archiveRoutes>; readonly removed: RemoveAsk[] } {
  const removed: RemoveAsk[] = [];
  const unasked = (): Promise<never> => Promise.reject(new TableFault('http/failed', 'Not asked for.', ''));
  const archive: FeedArchive = {
    ...{ library: unasked, outline: unasked, stretch: unasked, trace: unasked, make: unasked, open: unasked },
    async remove(ask) {
      removed.push(ask);
      return { records: 7 };
    },
    verifyPage: async () => undefined,
    close: async () => {},
  };
  const tokens = [
    { role: 'judge', name: 'Ines', secret: SECRET },
    { role: 'operator', secret: `${SECRET}-2` },
  ] as const;
  const app = archiveRoutes({
    ...{ archive, access: { everyone: false, tokens }, origins: [], nowMs: () => 0 },
    failed: (error) => {
      throw error;
    },
  });
  return { app, removed };
}

function remove(secret: string, body: object): RequestInit {
  return {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json' },
  };
}

const ask = { table: 't1', match: 't1-0', who: 'A. Keeper', why: 'asked for', confirm: 't1-0' };

describe('the removal of a match', () => {
  it('is recorded with what was typed and with whose token it was', async () => {
    const { app, removed } = routes();
    expect((await app.request('/api/v1/archive/remove', remove(SECRET, ask))).status).toBe(200);
    expect((await app.request('/api/v1/archive/remove', remove(`${SECRET}-2`, ask))).status).toBe(200);
    expect(removed.map(({ who }) => who)).toEqual(['A. Keeper (judge Ines)', 'A. Keeper (operator)']);
  });

  it('is refused to anyone else, and to an ask that names no person', async () => {
    const { app, removed } = routes();
    expect((await app.request('/api/v1/archive/remove', remove('no-secret-of-ours', ask))).status).toBe(403);
    const nobody = remove(SECRET, { ...ask, who: '   ' });
    expect((await app.request('/api/v1/archive/remove', nobody)).status).toBe(400);
    expect(removed).toEqual([]);
  });
});

describe('a report', () => {
  it('of a match that is named twice is refused: its rolls would count twice', async () => {
    const { app } = routes();
    const one = { table: 't1', match: 't1-0' };
    const twice = {
      make: 'report',
      form: 'csv',
      title: 'Cup',
      matches: [one, { table: 't1', match: 't1-7' }, one],
    };
    const answer = await app.request('/api/v1/archive/make', remove(SECRET, twice));
    expect(answer.status).toBe(400);
    expect(await answer.json()).toEqual({ error: 'matches: name each match once' });
  });
});
