import { APPROVAL } from './approval.js';
import { ARGUMENT } from './argument.js';
import { AUDIT } from './audit.js';
import { CLI } from './cli.js';
import { CONSOLE } from './console.js';
import { CORRECTIONS } from './corrections.js';
import { DIFFERENCE } from './difference.js';
import { DOCTOR } from './doctor.js';
import { EXPLAIN } from './explain.js';
import { EXPRESSION } from './expression.js';
import { GUESS } from './guess.js';
import { HELP } from './help.js';
import { HELP_RUNS } from './help-runs.js';
import { HELP_TEAM } from './help-team.js';
import { HTML } from './html.js';
import { IMPORTS } from './imports.js';
import { INBOX } from './inbox.js';
import { JOB } from './job.js';
import { LEDGER } from './ledger.js';
import { LISTING } from './listing.js';
import { LOOKUP } from './lookup.js';
import { MAPPING } from './mapping.js';
import { MAPPING_BINDING } from './mapping-binding.js';
import { NOTIFY } from './notify.js';
import { PEOPLE } from './people.js';
import { PLATFORM } from './platform.js';
import { PULL } from './pull.js';
import { RECONCILE } from './reconcile.js';
import { REHEARSE } from './rehearse.js';
import { RESOLVE } from './resolve.js';
import { RETRY } from './retry.js';
import { REVERT } from './revert.js';
import { RULES } from './rules.js';
import { RUN } from './run.js';
import { RUN_ROWS } from './run-rows.js';
import { SANDBOX } from './sandbox.js';
import { SCHEDULE } from './schedule.js';
import { SEND } from './send.js';
import { SHOW } from './show.js';
import { SOURCE } from './source.js';
import { SOURCE_OTHER } from './source-other.js';
import { SOURCE_WORKBOOK } from './source-workbook.js';
import { SPOOL } from './spool.js';
import { STEPS } from './steps.js';
import { SUMMARY } from './summary.js';
import { TEAM } from './team.js';
import { TEMPLATE } from './template.js';
import { WAY_BACK } from './way-back.js';
import { WORKBOOK } from './workbook.js';

/** One catalogue for all that is said to people; a code is `<room>.<what>`. */
export const CATALOGUE = {
  ...SOURCE,
  ...SOURCE_OTHER,
  ...SOURCE_WORKBOOK,
  ...CORRECTIONS,
  ...IMPORTS,
  ...JOB,
  ...ARGUMENT,
  ...LISTING,
  ...LOOKUP,
  ...MAPPING,
  ...MAPPING_BINDING,
  ...RULES,
  ...PEOPLE,
  ...PLATFORM,
  ...LEDGER,
  ...SPOOL,
  ...WORKBOOK,
  ...HELP,
  ...HELP_RUNS,
  ...HELP_TEAM,
  ...HTML,
  ...TEAM,
  ...TEMPLATE,
  ...SANDBOX,
  ...RUN,
  ...RUN_ROWS,
  ...RETRY,
  ...REVERT,
  ...RESOLVE,
  ...EXPLAIN,
  ...INBOX,
  ...DIFFERENCE,
  ...DOCTOR,
  ...EXPRESSION,
  ...GUESS,
  ...PULL,
  ...RECONCILE,
  ...REHEARSE,
  ...APPROVAL,
  ...AUDIT,
  ...NOTIFY,
  ...SCHEDULE,
  ...SEND,
  ...SHOW,
  ...CLI,
  ...CONSOLE,
  ...STEPS,
  ...SUMMARY,
  ...WAY_BACK,
} as const;
