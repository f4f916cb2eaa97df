import { CLI } from './cli.js';
import { DOCTOR } from './doctor.js';
import { EXPLAIN } from './explain.js';
import { JOB } from './job.js';
import { LEDGER } from './ledger.js';
import { MAPPING } from './mapping.js';
import { PLATFORM } from './platform.js';
import { RESOLVE } from './resolve.js';
import { RETRY } from './retry.js';
import { RULES } from './rules.js';
import { RUN } from './run.js';
import { SANDBOX } from './sandbox.js';
import { SOURCE } from './source.js';
import { WORKBOOK } from './workbook.js';

/** One catalogue for all that is said to people; a code is `<room>.<what>`. */
export const CATALOGUE = {
  ...SOURCE,
  ...JOB,
  ...MAPPING,
  ...RULES,
  ...PLATFORM,
  ...LEDGER,
  ...WORKBOOK,
  ...SANDBOX,
  ...RUN,
  ...RETRY,
  ...RESOLVE,
  ...EXPLAIN,
  ...DOCTOR,
  ...CLI,
} as const;
