import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Builds the pages into `dist/pages`, for browsers back to the Chromium inside OBS 30. */
export default defineConfig({
  root: here('.'),
  publicDir: here('./public'),
  base: '/',
  logLevel: 'warn',
  build: {
    target: 'chrome103',
    cssTarget: 'chrome103',
    outDir: here('../../dist/pages'),
    emptyOutDir: true,
    modulePreload: false,
    assetsInlineLimit: 0,
    rolldownOptions: {
      input: {
        index: here('./index.html'),
        overlay: here('./overlay.html'),
        operator: here('./operator.html'),
        player: here('./player.html'),
        replay: here('./replay.html'),
        library: here('./library.html'),
      },
    },
  },
});
