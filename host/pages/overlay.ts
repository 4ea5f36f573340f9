import { render } from 'lit';
import type { Scene } from '../scene/scene.ts';
import { FeedLink } from './feed-link.ts';
import { overlayModel } from './overlay/model.ts';
import { stage } from './overlay/stage.ts';
import { wishOf } from './wish.ts';

/** After this long without the host the last picture would mislead: it fades out until the host is back, ms. */
const STALE_MS = 10_000;
const MOST_DELAY_MS = 60_000;
const THEMES: readonly string[] = ['dark', 'light', 'glass'];
const PLACES: readonly string[] = ['bottom', 'top'];

const address = new URL(location.href);
const asked = (name: string): string => address.searchParams.get(name) ?? '';
const among = (list: readonly string[], word: string): string =>
  list.includes(word) ? word : (list[0] ?? '');
const within = (word: string, least: number, most: number, usual: number): number => {
  const value = Number.parseFloat(word);
  return Number.isFinite(value) ? Math.min(most, Math.max(least, value)) : usual;
};

const root = document.getElementById('stage');
const delayMs = within(asked('delay'), 0, MOST_DELAY_MS, 0);
document.body.dataset.theme = among(THEMES, asked('theme'));
document.body.dataset.pos = among(PLACES, asked('pos'));
root?.style.setProperty('--scale', String(within(asked('scale'), 0.5, 2, 1)));

function fitWindow(): void {
  const share = Math.min(innerWidth / 1920, innerHeight / 1080);
  root?.style.setProperty('--fit', share.toFixed(4));
}
addEventListener('resize', fitWindow);
fitWindow();

let newest = '';
let stale = 0;

function show(scene: Scene): void {
  const model = overlayModel(scene);
  if (model === undefined) return;
  const text = JSON.stringify(model);
  root?.classList.remove('gone');
  // Levels and counters come 20 times a second; what does not show must not draw.
  if (text === newest) return;
  newest = text;
  const draw = (): void => {
    if (root !== null) render(stage(model), root);
  };
  if (delayMs > 0) setTimeout(draw, delayMs);
  else draw();
}

if (asked('film') === '') {
  new FeedLink(wishOf(address, { kind: 'public' }), {
    seen({ scene, connected }) {
      clearTimeout(stale);
      if (!connected) stale = window.setTimeout(() => root?.classList.add('gone'), STALE_MS);
      else if (scene !== undefined) show(scene);
    },
  });
} else {
  // Inside the replay page, which says what was on air at the moment it shows.
  addEventListener('message', ({ origin, source, data }) => {
    if (origin === location.origin && source === parent && data?.film !== undefined) show(data.film);
  });
}
