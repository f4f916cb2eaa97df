import { fileURLToPath } from 'node:url';

const at = (relative) => fileURLToPath(new URL(relative, import.meta.url));

export const BENCH = at('../');
export const CLI = at('../../bin/license-sync.js');
export const JOBS = at('../../jobs');
export const DIST = at('../../dist/cli/main.cjs');
export const INPUTS = at('../data/inputs');
export const MEASURED = at('../data/measured');
/** Of this process alone. */
export const SCRATCH = at(`../data/scratch-${process.pid}`);
export const RESULTS = at('../results.md');

export const program = (name) => at(`../programs/${name}`);
