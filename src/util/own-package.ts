import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

interface Package {
  readonly version: string;
}

/**
 * A file of the program's own package, by its path from the package's root. The root is two folders up from here, both
 * in `src/util/` and in every file of the bundle (see scripts/build.mjs).
 */
export function ownFile(path: string): string {
  return fileURLToPath(new URL(`../../${path}`, import.meta.url));
}

export const VERSION: string = (JSON.parse(readFileSync(ownFile('package.json'), 'utf8')) as Package).version;
