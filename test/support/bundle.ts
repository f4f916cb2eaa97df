import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'vite';

/** The bundle finds there the packages that it leaves outside, and the program's own files two folders up, as in `dist/`. */
const PACKAGES = join(import.meta.dirname, '../../node_modules');

export interface Bundle {
  /** An .mjs file that plain Node runs. */
  readonly file: string;
  remove(): Promise<void>;
}

/** Makes one file that plain Node runs of a TypeScript module and the sources it imports, for child processes. */
export async function bundleForNode(entry: string): Promise<Bundle> {
  const folder = mkdtempSync(join(PACKAGES, '.license-sync-tests-'));
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
