// The console's pages, by Vite: dist/console/pages/ with hashed names, and neither a script nor a style inside the document.
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const ROOT = fileURLToPath(new URL('../', import.meta.url));

/** @returns the chunks of scripts, each with the modules it is made of */
export async function buildPages(outDir = path.join(ROOT, 'dist/console/pages')) {
  const { output } = await build({
    configFile: false,
    root: path.join(ROOT, 'src/console/pages'),
    base: '/',
    logLevel: 'warn',
    define: { 'process.env.NODE_ENV': '"production"' },
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    build: {
      outDir,
      emptyOutDir: true,
      target: 'es2022',
      // What knows light-dark(): nothing is written twice for older ones.
      cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
      // As files, because the Content-Security-Policy allows nothing inside the document.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      rolldownOptions: {
        output: {
          entryFileNames: 'assets/[name]-[hash].js',
          chunkFileNames: 'assets/[name]-[hash].js',
          assetFileNames: 'assets/[name]-[hash][extname]',
        },
      },
    },
  });
  return output.filter(({ type }) => type === 'chunk');
}
