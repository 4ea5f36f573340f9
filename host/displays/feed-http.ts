import { Hono } from 'hono';
import type { TableId } from '../ids.ts';
import type { Scene } from '../scene/scene.ts';
import { hostIsOurs } from './feed-address.ts';
import type { TableList } from './feed-messages.ts';
import type { PageFile } from './page-files.ts';

/** What the routes answer from. */
export type FeedRoutes = {
  readonly pages: ReadonlyMap<string, PageFile>;
  readonly bound: string;
  readonly alsoNamed: readonly string[];
  tables(): TableList;
  /** The scene for the public, or nothing when there is no such table. */
  scene(table: TableId): Scene | undefined;
  health(): { readonly [key: string]: unknown };
  /** Routes to recorded matches. */
  readonly archive?: Hono | undefined;
  /** Told of an exception in a route. */
  failed(error: unknown): void;
};

const NOT_BUILT =
  'The pages are not built yet. Stop the host, run "npm run build" in its folder, and start it again.\n';

/** Routes of the feed: health, tables as JSON, the pages. Never a stack trace, never a file outside the pages. */
export function feedRoutes(from: FeedRoutes): Hono {
  const app = new Hono();

  app.use(async (c, next) => {
    const host = c.req.header('host');
    if (!hostIsOurs(host, from.bound, from.alsoNamed)) {
      return c.text(
        'This name is not one of this host. Use its address, or add the name to http.names in the config.\n',
        421,
      );
    }
    await next();
    c.header('X-Content-Type-Options', 'nosniff');
    c.header('Referrer-Policy', 'no-referrer');
    c.header('Cross-Origin-Opener-Policy', 'same-origin');
    c.header('Cross-Origin-Resource-Policy', 'same-origin');
    if (!c.res.headers.has('Content-Security-Policy'))
      c.header('Content-Security-Policy', policyFor(host ?? ''));
    c.header('Permissions-Policy', 'camera=(), microphone=(), geolocation=()');
    return undefined;
  });

  app.get('/healthz', (c) => {
    c.header('Cache-Control', 'no-store');
    return c.json(from.health());
  });

  app.get('/api/v1/tables', (c) => {
    c.header('Cache-Control', 'no-store');
    return c.json(from.tables());
  });

  app.get('/api/v1/tables/:id', (c) => {
    c.header('Cache-Control', 'no-store');
    const scene = from.scene(c.req.param('id'));
    if (scene === undefined) {
      return c.json({ error: 'There is no such table on this host; /api/v1/tables lists them.' }, 404);
    }
    return c.json(scene);
  });

  if (from.archive !== undefined) app.route('/', from.archive);

  app.get('*', (c) => {
    const file = from.pages.get(pageAt(c.req.path));
    if (file === undefined) {
      if (from.pages.size === 0) return c.text(NOT_BUILT, 503);
      return c.text(
        'There is nothing at this address. The live table is at /, the overlay at /overlay, the operator page at /operator, the page of a player at /player?side=A, recorded matches at /library.\n',
        404,
      );
    }
    c.header('ETag', file.etag);
    c.header('Cache-Control', file.hashed ? 'public, max-age=31536000, immutable' : 'no-cache');
    if (c.req.header('if-none-match') === file.etag) return c.body(null, 304);
    c.header('Content-Type', file.type);
    return c.body(file.body);
  });

  app.all('*', (c) =>
    c.json({ error: 'Only GET is served here; commands go over the WebSocket at /ws.' }, 405),
  );
  app.onError((error, c) => {
    from.failed(error);
    return c.json({ error: 'The host could not answer; its log says why.' }, 500);
  });
  return app;
}

const PAGES = /^\/(overlay|operator|player|library|replay)\/?$/;

function pageAt(path: string): string {
  if (path === '/' || path === '/index.html') return '/index.html';
  // Browsers ask for it beside pages that name no picture of their own, as the verifying page.
  if (path === '/favicon.ico') return '/icon.svg';
  const name = PAGES.exec(path)?.[1];
  return name === undefined ? path : `/${name}.html`;
}

/** Own scripts, styles and feed; nothing from anywhere else. Style attributes are allowed, style elements are not. */
function policyFor(host: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data:",
    `connect-src 'self' ws://${host} wss://${host}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-src 'self'",
    "frame-ancestors 'self'",
  ].join('; ');
}
