import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { type Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { z } from 'zod';
import { type FaultCode, TableFault, wordsOf } from '../fault.ts';
import {
  libraryAsk,
  MOST_OPENED,
  makeAsk,
  matchName,
  removeAsk,
  stretchAsk,
  traceAsk,
} from './archive-messages.ts';
import { originIsOurs } from './feed-address.ts';
import type { FeedArchive } from './feed-archive.ts';
import { type Access, grantFor } from './feed-roles.ts';
import { keepMadeFiles } from './made-files.ts';

/** Largest body of a request, bytes. */
const MOST_BODY = 64 * 1024;
/** Where a match file is sent to. */
const OPEN = '/api/v1/archive/open';
/** What a page of evidence may do: show itself. */
const PAPER =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'";

export type ArchiveRoutes = {
  readonly archive: FeedArchive;
  readonly access: Access;
  readonly origins: readonly string[];
  readonly nowMs: () => number;
  failed(error: unknown): void;
};

/**
 * Routes to recorded matches, for judges and operators: they hold what sensors and players did. The token comes as
 * `Authorization: Bearer …`; what changes something must come from a page of this host.
 */
export function archiveRoutes({ archive, access, origins, nowMs, failed }: ArchiveRoutes): Hono {
  const app = new Hono();
  const made = keepMadeFiles(nowMs);

  const most = (maxSize: number) =>
    bodyLimit({ maxSize, onError: (c) => c.json({ error: 'That is more than is read here.' }, 413) });
  const [small, large] = [most(MOST_BODY), most(MOST_OPENED)];
  app.use('/api/v1/archive/*', (c, next) => (c.req.path === OPEN ? large : small)(c, next));
  app.use('/api/v1/archive/*', async (c, next) => {
    c.header('Cache-Control', 'no-store');
    if (staffOf(c, access) === undefined) {
      return c.json(
        {
          error:
            'Recorded matches are for judges and operators. Open this page with #token=… at the end of its address.',
        },
        403,
      );
    }
    if (c.req.method === 'POST' && !originIsOurs(c.req.header('origin'), c.req.header('host'), origins)) {
      return c.json({ error: 'Pages of other sites may not do this.' }, 403);
    }
    const sent = c.req.path === OPEN ? 'application/octet-stream' : 'application/json';
    if (c.req.method === 'POST' && c.req.header('content-type')?.startsWith(sent) !== true) {
      return c.json({ error: `Send ${sent}.` }, 415);
    }
    await next();
    return undefined;
  });

  const answer = async (c: Context, make: () => Promise<object>): Promise<Response> => {
    try {
      return c.json(await make());
    } catch (error) {
      if (error instanceof BadAsk) return c.json({ error: error.message }, 400);
      if (!(error instanceof TableFault)) {
        failed(error);
        return c.json({ error: 'The host could not answer; its log says why.' }, 500);
      }
      const text = `${error.sentence} ${error.remedy}`.trim();
      return c.json({ error: text, code: error.code }, statusOf(error.code));
    }
  };

  app.get('/api/v1/archive/library', (c) =>
    answer(c, () => archive.library(read(libraryAsk, c.req.query()))),
  );
  app.get('/api/v1/archive/:table/:match/outline', (c) =>
    answer(c, () => archive.outline(read(matchName, c.req.param()))),
  );
  app.get('/api/v1/archive/:table/:match/stretch', (c) =>
    answer(c, () => archive.stretch(read(matchName, c.req.param()), read(stretchAsk, c.req.query()))),
  );
  app.get('/api/v1/archive/:table/:match/trace', (c) =>
    answer(c, () => {
      const { roll, atMs } = read(traceAsk, c.req.query());
      return archive.trace(read(matchName, c.req.param()), roll, atMs);
    }),
  );
  app.post('/api/v1/archive/make', (c) =>
    answer(c, async () => made.add(await archive.make(read(makeAsk, await c.req.json().catch(() => null))))),
  );
  app.post(OPEN, (c) =>
    answer(c, async () => {
      const { body } = c.req.raw;
      if (body === null) throw new BadAsk('Send the match file as the body.');
      return archive.open(body);
    }),
  );
  app.post('/api/v1/archive/remove', (c) =>
    answer(c, async () => {
      const ask = read(removeAsk, await c.req.json().catch(() => null));
      return archive.remove({ ...ask, who: `${ask.who} (${staffOf(c, access)})` });
    }),
  );

  app.get('/made/:id/:name', (c) => {
    const file = made.find(c.req.param('id'));
    if (file === undefined)
      return c.text('This file is no longer kept: make it again in the library.\n', 404);
    c.header('Content-Type', file.type);
    c.header('Content-Length', String(file.bytes));
    c.header('Content-Security-Policy', PAPER);
    c.header('Cache-Control', 'no-store');
    const how = c.req.query('save') === undefined ? 'inline' : 'attachment';
    c.header('Content-Disposition', `${how}; filename="${file.name.replace(/[^\w.-]/g, '_')}"`);
    // Nobody would read the stream, and its file would stay open.
    if (c.req.method === 'HEAD') return c.body(null);
    // A read stream of Node is what the runtime calls a stream; the two declarations differ in name only.
    return c.body(Readable.toWeb(createReadStream(file.path)) as ReadableStream<Uint8Array>);
  });

  app.get('/verify', async (c) => {
    const page = await archive.verifyPage();
    if (page === undefined) return c.text('This page is not built yet: run "npm run build".\n', 503);
    c.header('Content-Security-Policy', verifyPolicy(page));
    return c.html(page);
  });
  return app;
}

/** Whoever asks, as `judge` or, by the name of the token, `judge Ines`; undefined where recorded matches are closed to it. */
function staffOf(c: Context, access: Access): string | undefined {
  const secret = /^Bearer (.+)$/.exec(c.req.header('authorization') ?? '')?.[1];
  for (const kind of ['operator', 'judge'] as const) {
    const { audience, actor } = grantFor({ kind }, secret, access).grant;
    if (audience.kind === kind) return actor?.name === undefined ? kind : `${kind} ${actor.name}`;
  }
  return undefined;
}

class BadAsk extends Error {}

function read<Schema extends z.ZodType>(schema: Schema, value: unknown): z.infer<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new BadAsk(
    `${issue?.path.join('.') || 'request'}: ${issue?.message ?? wordsOf(parsed.error)}`.slice(0, 300),
  );
}

function statusOf(code: FaultCode): 404 | 409 | 410 | 415 | 500 | 503 {
  if (code === 'journal/unknown-form') return 415;
  if (code === 'library/no-such-match') return 404;
  if (code === 'journal/not-kept' || code === 'library/removed') return 410;
  if (code === 'journal/in-use' || code === 'journal/not-intact') return 409;
  return code === 'http/failed' ? 503 : 500;
}

/** The page holds its own script: only that one may run, and nothing may be sent anywhere. */
function verifyPolicy(page: string): string {
  const script = /<script type="module">([\s\S]*?)<\/script>/.exec(page)?.[1] ?? '';
  const hash = createHash('sha256').update(script).digest('base64');
  return `default-src 'none'; script-src 'sha256-${hash}'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'`;
}
