import { defineConfig, type Plugin } from 'vite';

/** Puts the script into the page, so that it is one file that works from a disk. */
function oneFile(): Plugin {
  return {
    name: 'one-file',
    enforce: 'post',
    generateBundle(_options, bundle) {
      const scripts = Object.values(bundle).flatMap((one) => (one.type === 'chunk' ? [one] : []));
      for (const page of Object.values(bundle)) {
        if (page.type !== 'asset' || !page.fileName.endsWith('.html')) continue;
        const code = scripts.map((script) => script.code.replaceAll('</script', '<\\/script')).join('\n');
        const html = String(page.source).replace(/<script type="module"[^>]*><\/script>/g, '');
        page.source = html.replace('</body>', () => `<script type="module">${code}</script>\n</body>`);
      }
      for (const script of scripts) delete bundle[script.fileName];
    },
  };
}

export default defineConfig({
  root: import.meta.dirname,
  base: './',
  plugins: [oneFile()],
  build: {
    outDir: '../../../dist/verify',
    emptyOutDir: true,
    modulePreload: false,
    target: 'es2022',
    rollupOptions: { input: `${import.meta.dirname}/verify.html` },
  },
});
