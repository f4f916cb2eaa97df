import { mkdtempSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'vite';

/** Below node_modules, so that the bundle finds the packages that it leaves outside. */
const CACHE = join(import.meta.dirname, '../../node_modules/.cache/license-sync-tests');

export interface Bundle {
  /** An .mjs file that plain Node runs. */
  readonly file: string;
  remove(): Promise<void>;
}

/** Makes one file that plain Node runs of a TypeScript module and the sources it imports, for child processes. */
export async function bundleForNode(entry: string): Promise<Bundle> {
  await mkdir(CACHE, { recursive: true });
  const folder = mkdtempSync(join(CACHE, 'bundle-'));
  await build({
    configFile: false,
    logLevel: 'error',
    build: {
      ssr: entry,
      target: 'node20',
      outDir: folder,
      emptyOutDir: false,
      minify: false,
      rolldownOptions: { output: { entryFileNames: 'child.mjs', chunkFileNames: '[name]-[hash].mjs' } },
    },
  });
  return { file: join(folder, 'child.mjs'), remove: () => rm(folder, { recursive: true, force: true }) };
}
