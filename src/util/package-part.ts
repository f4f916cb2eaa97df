import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** Node's words for a file that isn't there, and for one that a package keeps to itself. */
const ABSENT: ReadonlySet<unknown> = new Set(['MODULE_NOT_FOUND', 'ERR_PACKAGE_PATH_NOT_EXPORTED']);

/**
 * One file of a CommonJS package, where its index would load a hundred others that are never used: that is a tenth of
 * a second and more of every run. Where files lie within a package is no promise of its makers, so `whole`, which
 * takes the same from the index, is asked where the file isn't there.
 * @param file as `require` takes it: `package/lib/file.js`
 */
export async function packagePart<T>(file: string, whole: () => Promise<T>): Promise<T> {
  try {
    return require(file) as T;
  } catch (error) {
    if (!ABSENT.has((error as NodeJS.ErrnoException).code)) throw error;
    return whole();
  }
}
