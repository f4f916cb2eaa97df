import { type CommandRow, type CommandRows, from, RUN_ID } from './command-row.js';
import {
  ALL,
  CANARY,
  CONCURRENCY,
  CORRECTIONS,
  gather,
  gatherRows,
  gatherWhole,
  JOB,
  JSON_EACH,
  JSON_ONE,
  LEDGER,
  METRICS,
  OFFLINE,
  type OptionRows,
  OUTPUT,
  positive,
  REPORT,
  RUN,
  SET_CONFLICTS,
  whole,
} from './options.js';

const runs = from(() => import('../commands/runs.js'));
const schedule = from(() => import('../commands/schedule.js'));

/** @param keys the option that names the sheet with the keys */
function pulling(keys: OptionRows): Pick<CommandRow, 'required' | 'options' | 'work'> {
  return {
    required: { ...keys, '--output <file>': 'pull_output' },
    options: {
      ...OUTPUT,
      '--sheet <name>': 'pull_sheet',
      '--header-row <n>': ['pull_header_row', positive],
      '--password-env <name>': 'password_env',
      '--connection <name>': 'connection',
      ...CONCURRENCY,
      ...LEDGER,
    },
    work: async () => (await import('../commands/pull.js')).pull,
  };
}

export const RUN_COMMANDS: CommandRows = {
  'run <job>': {
    examples: [
      'license-sync run jobs/new-buy.yaml',
      'license-sync run jobs/new-buy.yaml --input orders-november.xlsx --connection production',
      'license-sync run jobs/asset-lock.yaml --set run.concurrency=2 --json',
      'license-sync run jobs/new-buy.yaml --canary 5',
    ],
    options: { ...JOB, ...METRICS, '--dry-run': 'dry_run', ...OFFLINE, ...CORRECTIONS, ...CANARY },
    use: 'run',
    input: ({ dryRun }) => ({ kind: dryRun ? 'dry_run' : 'run' }),
    printsChanges: true,
  },
  'validate <job>': {
    examples: [
      'license-sync validate jobs/new-buy.yaml',
      'license-sync validate jobs/new-buy.yaml --input draft.xlsx --output checked.xlsx',
      'license-sync validate jobs/new-buy.yaml --corrections corrections.csv',
    ],
    options: { ...JOB, ...ALL, ...OFFLINE, ...CORRECTIONS },
    use: 'run',
    input: () => ({ kind: 'dry_run' }),
    printsChanges: true,
  },
  'rehearse [job]': {
    examples: [
      'license-sync rehearse jobs/new-buy.yaml --connection production',
      `license-sync rehearse --compare ${RUN_ID}`,
    ],
    options: { ...JOB, '--compare <run>': 'rehearse_compare' },
    work: async () => (await import('../commands/rehearse.js')).rehearse,
  },
  'plan <job>': {
    examples: ['license-sync plan jobs/new-buy.yaml --connection production'],
    options: { ...JOB, ...ALL, ...OFFLINE, ...CORRECTIONS },
    use: 'run',
    input: () => ({ kind: 'plan' }),
    printsChanges: true,
  },
  'apply <plan>': {
    examples: [`license-sync apply ${RUN_ID}`, `license-sync apply ${RUN_ID} --max-age 2h --yes`],
    options: {
      ...RUN,
      ...METRICS,
      '--max-age <age>': ['max_age', undefined, '24h'],
      '--queue': 'apply_queue',
      ...SET_CONFLICTS,
      ...REPORT,
    },
    use: 'apply',
  },
  'resume [run]': {
    examples: ['license-sync resume', `license-sync resume ${RUN_ID} --max-items 20000`],
    options: { ...RUN, ...METRICS, ...REPORT, '--queue': 'resume_queue', ...SET_CONFLICTS },
    use: 'resume',
  },
  'reconcile <job>': {
    examples: [
      'license-sync reconcile jobs/nightly-locks.yaml',
      'license-sync reconcile jobs/nightly-locks.yaml --apply --max-items 500',
    ],
    options: {
      ...RUN,
      ...METRICS,
      ...REPORT,
      ...ALL,
      '--apply': 'apply_actions',
      '--input <file>': 'input',
      '--set <key=value>': ['set_concurrency', gather, []],
    },
    use: 'reconcile',
    terminal: { stopping: 'listing.stopping_comparison' },
    printsChanges: true,
  },
  pull: {
    examples: [
      'license-sync pull asset --enterprises enterprises.xlsx --output assets.xlsx',
      'license-sync pull enterprise --customers customers.csv --output enterprises.csv',
    ],
    subcommands: {
      asset: {
        examples: ['license-sync pull asset --enterprises enterprises.xlsx --output assets.xlsx'],
        ...pulling({ '--enterprises <file>': 'pull_enterprises' }),
        input: ({ enterprises }) => ({ what: 'asset', keys: enterprises }),
      },
      enterprise: {
        examples: ['license-sync pull enterprise --customers customers.csv --output enterprises.csv'],
        ...pulling({ '--customers <file>': 'pull_customers' }),
        input: ({ customers }) => ({ what: 'enterprise', keys: customers }),
      },
    },
  },
  'schedule [paths...]': {
    examples: [
      'license-sync schedule',
      'license-sync schedule jobs/nightly-locks.yaml --apply',
      'license-sync schedule list',
      'license-sync schedule export --format systemd --output units',
    ],
    options: {
      ...METRICS,
      '--connection <name>': 'connection_jobs',
      '--concurrency <n>': ['runs_at_once', positive, 4],
      '--apply': 'schedule_apply',
      '--yes': 'schedule_yes',
      '--wait': 'schedule_wait',
      '--log-file <file>': 'schedule_log',
      '--json': 'json_each',
    },
    work: schedule('schedule'),
    subcommands: {
      'list [paths...]': {
        examples: ['license-sync schedule list', 'license-sync schedule list jobs/nightly-locks.yaml --json'],
        options: { '--connection <name>': 'connection_jobs', ...JSON_EACH },
        work: schedule('listSchedules'),
      },
      'export [paths...]': {
        examples: [
          'license-sync schedule export --format systemd --output units',
          'license-sync schedule export --format cron > license-sync.crontab',
          'license-sync schedule export --format kubernetes --image registry.example.com/license-sync:1 | kubectl apply -f -',
        ],
        required: { '--format <format>': ['format', ['systemd', 'cron', 'kubernetes']] },
        options: {
          '--output <folder>': 'units',
          '--program <path>': 'program',
          '--image <name>': 'image',
        },
        work: schedule('exportSchedule'),
      },
    },
  },
  'retry <run>': {
    examples: [
      `license-sync retry ${RUN_ID}`,
      `license-sync retry ${RUN_ID} --include rejected`,
      `license-sync retry ${RUN_ID} --include unknown --yes`,
    ],
    options: {
      ...RUN,
      ...METRICS,
      '--include <statuses>': ['include', gather, []],
      ...SET_CONFLICTS,
      ...REPORT,
    },
    use: 'retry',
  },
  'revert <run>': {
    examples: [
      `license-sync revert ${RUN_ID}`,
      `license-sync revert ${RUN_ID} --row 7 --row 8 --output undo.xlsx`,
    ],
    options: { ...RUN, ...ALL, ...SET_CONFLICTS, '--row <n>': ['revert_row', gatherWhole, []], ...REPORT },
    use: 'revert',
    input: ({ row }) => ({ rows: row }),
    printsChanges: true,
  },
  'resolve <run>': {
    examples: [
      `license-sync resolve ${RUN_ID} --verify`,
      `license-sync resolve ${RUN_ID} --row 7 --as succeeded --license-order-id LO-123`,
      `license-sync resolve ${RUN_ID} --row 8 --row 12-59 --as failed --note "not in the portal"`,
      `license-sync resolve ${RUN_ID} --from checked.xlsx`,
    ],
    options: {
      '--row <rows>': ['resolve_row', gatherRows, []],
      '--from <file>': 'resolve_from',
      '--as <what>': ['as', ['succeeded', 'failed']],
      '--license-order-id <id>': 'order_id',
      '--note <text>': 'note',
      '--verify': 'verify',
      '--output <file>': 'output_again',
      ...JSON_ONE,
      ...LEDGER,
    },
    input: ({ row }) => ({ row: undefined, rows: row }),
    work: async () => (await import('../commands/resolve.js')).resolve,
  },
  explain: {
    examples: [`license-sync explain ${RUN_ID} 7`, `license-sync explain ${RUN_ID} 7 --json`],
    arguments: { '<run>': ['run_id'], '<row>': ['row', whole] },
    options: { ...JSON_ONE, ...LEDGER },
    work: async () => (await import('../commands/explain.js')).explain,
  },
  runs: {
    examples: [
      'license-sync runs',
      `license-sync runs show ${RUN_ID}`,
      `license-sync runs export ${RUN_ID} --output again.xlsx`,
      `license-sync runs report ${RUN_ID} --output run.html`,
      'license-sync runs prune --older-than 90d',
    ],
    allowsExcess: true,
    options: { ...JSON_EACH, ...LEDGER, '--limit <n>': ['limit', whole, 20] },
    work: runs('listRuns'),
    subcommands: {
      'show <run>': { examples: [`license-sync runs show ${RUN_ID}`], work: runs('showRun') },
      'export <run>': {
        examples: [
          `license-sync runs export ${RUN_ID} --output again.csv`,
          `license-sync runs export ${RUN_ID} --corrected orders-corrected.xlsx`,
        ],
        options: { '--output <file>': 'output_any', '--corrected <file>': 'corrected' },
        work: runs('exportRun'),
      },
      'report <run>': {
        examples: [`license-sync runs report ${RUN_ID} --output run.html`],
        required: { '--output <file>': 'output_html' },
        work: runs('reportRun'),
      },
      prune: {
        examples: ['license-sync runs prune --older-than 90d'],
        required: { '--older-than <age>': 'older_than' },
        work: runs('pruneRuns'),
      },
    },
  },
};
