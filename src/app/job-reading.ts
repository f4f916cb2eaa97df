import type { LoadJobOptions } from '../job/load.js';
import { COMPARISONS } from '../platform/comparisons/index.js';
import { CATALOGUE_SHAPES } from '../platform/operations/index.js';
import type { AppContext } from './context.js';

/** How job files are read: against the catalogue, with the context's variables and folder. `set`: as `--set`. */
export function jobReading(
  { env, cwd }: Pick<AppContext, 'env' | 'cwd'>,
  set: readonly string[] = [],
): LoadJobOptions {
  return { env, cwd, set, operations: CATALOGUE_SHAPES, comparisons: COMPARISONS };
}
