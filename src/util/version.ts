import { readFileSync } from 'node:fs';

interface Package {
  readonly version: string;
}

/** The program's version, from its own package.json (two folders up, from `src/` and from `dist/` alike). */
export const VERSION: string = (
  JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as Package
).version;
