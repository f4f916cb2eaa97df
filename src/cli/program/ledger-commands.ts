import { type CommandRows, from, RUN_ID } from './command-row.js';
import {
  CANARY,
  CORRECTIONS,
  JOB,
  JSON_EACH,
  JSON_ONE,
  LEDGER,
  METRICS,
  OUTPUT,
  port,
  positive,
  REPORT,
  SET_RETRIES,
  whole,
} from './options.js';

const approvals = from(() => import('../commands/approvals.js'));
const jobs = from(() => import('../commands/jobs.js'));
const ledger = from(() => import('../commands/ledger.js'));
const people = from(() => import('../commands/people.js'));
const workers = from(() => import('../commands/workers.js'));

export const LEDGER_COMMANDS: CommandRows = {
  'request <plan>': {
    examples: [
      `license-sync request ${RUN_ID}`,
      `license-sync request ${RUN_ID} --comment "orders of November"`,
    ],
    options: { ...JSON_ONE, ...LEDGER, '--comment <text>': 'comment' },
    work: approvals('request'),
  },
  'approve <plan>': {
    examples: [`license-sync approve ${RUN_ID}`, `license-sync approve ${RUN_ID} --max-age 2h`],
    options: {
      ...JSON_ONE,
      ...LEDGER,
      '--comment <text>': 'comment',
      '--max-age <age>': ['approval_age', undefined, '24h'],
    },
    work: approvals('approve'),
  },
  'reject <plan>': {
    examples: [`license-sync reject ${RUN_ID} --comment "row 7 is for another customer"`],
    options: { ...JSON_ONE, ...LEDGER, '--comment <text>': 'comment_required' },
    work: approvals('reject'),
  },
  'submit <job>': {
    examples: [
      'license-sync submit jobs/new-buy.yaml --connection production',
      'license-sync submit jobs/new-buy.yaml --canary 5 --json',
      'license-sync submit jobs/new-buy.yaml --wait --output result.xlsx',
    ],
    options: { ...JOB, ...METRICS, ...CANARY, '--wait': 'submit_wait', ...CORRECTIONS },
    use: 'submit',
  },
  worker: {
    examples: [
      'license-sync worker',
      'license-sync worker --slots 16 --connections production',
      'license-sync worker --once --log-file worker.log',
      'license-sync worker --export systemd --output units',
    ],
    options: {
      ...METRICS,
      '--slots <n>': ['slots', positive, 8],
      '--connections <names>': 'worker_connections',
      '--once': 'once',
      '--log-file <file>': 'log_file',
      ...OUTPUT,
      ...LEDGER,
      '--export <format>': ['worker_export', ['systemd', 'kubernetes']],
      '--output <folder>': 'units',
      '--program <path>': 'program',
      '--image <name>': 'image',
    },
    work: workers('worker'),
  },
  'wait <run>': {
    examples: [`license-sync wait ${RUN_ID}`, `license-sync wait ${RUN_ID} --output result.xlsx`],
    options: {
      '--output <file>': 'output',
      ...REPORT,
      ...OUTPUT,
      '--log-file <file>': 'log_file',
      ...LEDGER,
    },
    use: 'wait',
    terminal: { stopping: 'team.waiting_ends' },
  },
  'stop <run>': {
    examples: [`license-sync stop ${RUN_ID}`],
    options: { ...JSON_ONE, ...LEDGER },
    work: workers('stop'),
  },
  workers: {
    examples: ['license-sync workers', 'license-sync workers --json'],
    options: { ...JSON_EACH, ...LEDGER },
    work: workers('workers'),
  },
  ledger: {
    text: 'ledger_command',
    examples: [
      'license-sync ledger show',
      'license-sync ledger copy --to postgres://sync@db.example.com:5432/licences',
      'license-sync ledger check',
    ],
    options: { ...JSON_EACH, ...LEDGER },
    subcommands: {
      show: { examples: ['license-sync ledger show --json'], work: ledger('showLedger') },
      copy: {
        examples: ['license-sync ledger copy --to postgres://sync@db.example.com:5432/licences'],
        required: { '--to <location>': 'ledger_to' },
        work: ledger('copyLedger'),
      },
      'backup <target>': {
        examples: ['license-sync ledger backup /mnt/backup/2026-11-26/ledger.db'],
        work: ledger('backupLedger'),
      },
      reopen: { examples: ['license-sync ledger reopen'], work: ledger('reopenLedger') },
      'accept-restored': {
        examples: ['license-sync ledger accept-restored'],
        work: ledger('acceptRestored'),
      },
      migrate: { examples: ['license-sync ledger migrate'], work: ledger('migrateLedger') },
      check: { examples: ['license-sync ledger check'], work: ledger('checkLedger') },
    },
  },
  people: {
    examples: [
      'license-sync people add wang --role maker',
      'license-sync people add li --role checker --subject 00u1a2b3',
      'license-sync people list',
      'license-sync people token wang --expires 90d',
      'license-sync people remove wang',
    ],
    options: { ...JSON_EACH, ...LEDGER },
    subcommands: {
      list: { examples: ['license-sync people list --json'], work: people('listPeople') },
      'add <name>': {
        examples: ['license-sync people add wang --role maker,checker'],
        required: { '--role <roles>': 'role' },
        options: { '--subject <sub>': 'subject', '--expires <age>': 'expires' },
        work: people('addPerson'),
      },
      'remove <name>': { examples: ['license-sync people remove wang'], work: people('removePerson') },
      'token <name>': {
        examples: ['license-sync people token wang --expires 90d'],
        options: { '--expires <age>': 'expires' },
        work: people('newToken'),
      },
      'confirm <name>': { examples: ['license-sync people confirm li'], work: people('confirmPerson') },
      policies: {
        examples: ['license-sync people policies', 'license-sync people policies --lift office.example.com'],
        options: { '--lift <host>': 'lift' },
        work: people('policies'),
      },
    },
  },
  audit: {
    examples: [
      'license-sync audit',
      `license-sync audit --run ${RUN_ID}`,
      'license-sync audit --since 7d --json',
      'license-sync audit check',
    ],
    allowsExcess: true,
    options: {
      ...JSON_EACH,
      ...LEDGER,
      '--run <run>': 'audit_run',
      '--who <name>': 'audit_who',
      '--since <time>': 'since',
    },
    work: people('audit'),
    subcommands: {
      check: { examples: ['license-sync audit check'], work: people('checkAudit') },
    },
  },
  'operations [operation]': {
    examples: ['license-sync operations', 'license-sync operations order.new_buy'],
    options: { ...JSON_EACH },
    work: async () => (await import('../commands/operations.js')).operations,
  },
  'template [operation-or-job]': {
    examples: [
      'license-sync template order.new_buy',
      'license-sync template order.new_buy --nested --output orders.xlsx',
      'license-sync template jobs/new-buy.yaml --output november.xlsx',
      'license-sync template asset.lock --filled',
      'license-sync template --all templates --check',
    ],
    options: {
      '--output <file>': 'template_output',
      '--nested': 'nested',
      '--filled': 'filled',
      '--force': 'force',
      '--all <folder>': 'template_all',
      '--check': 'template_check',
    },
    work: async () => (await import('../commands/template.js')).template,
  },
  'show <job>': {
    examples: [
      'license-sync show jobs/new-buy.yaml',
      'license-sync show jobs/new-buy.yaml --set run.retries=2 --json',
    ],
    options: { ...SET_RETRIES, ...JSON_ONE },
    work: jobs('show'),
  },
  schema: {
    examples: [
      'license-sync schema > job.schema.json',
      'license-sync schema --config',
      'license-sync schema --check job.schema.json',
    ],
    options: { '--config': 'schema_config', '--check <file>': 'schema_check' },
    work: jobs('schema'),
  },
  'init [folder]': {
    examples: ['license-sync init crm-orders', 'license-sync init locks --operation asset.lock'],
    options: { '--operation <name>': ['init_operation', undefined, 'order.new_buy'], ...JSON_ONE },
    work: jobs('init'),
  },
  'guess <file>': {
    examples: [
      'license-sync guess orders.xlsx --output jobs/orders.yaml',
      'license-sync guess locks.csv --operation asset.unlock',
    ],
    options: {
      '--operation <name>': 'guess_operation',
      '--output <file>': 'guess_output',
      '--encoding <name>': 'encoding',
      '--password-env <name>': 'password_env',
      '--force': 'guess_force',
      ...JSON_ONE,
    },
    work: async () => (await import('../commands/guess.js')).guess,
  },
  console: {
    examples: ['license-sync console --open', 'license-sync console --port 8443 --host 0.0.0.0'],
    options: {
      '--port <n>': ['console_port', port, 0],
      '--host <address>': ['console_host', undefined, '127.0.0.1'],
      '--open': 'console_open',
      ...LEDGER,
    },
    work: async () => (await import('../commands/console.js')).serve,
  },
  sandbox: {
    examples: [
      'license-sync sandbox --port 8080',
      'license-sync sandbox --state sandbox.ndjson --latency 20',
      'license-sync sandbox --faults reset-after=0.01,code-500=0.05,seed=7',
    ],
    options: {
      '--port <n>': ['port', port, 8080],
      '--host <address>': ['host', undefined, '127.0.0.1'],
      '--state <file>': 'state',
      '--latency <ms>': ['latency', whole],
      '--faults <spec>': 'faults',
      '--token <token>': 'token',
      '--json': 'json_ready',
    },
    work: async () => (await import('../commands/sandbox.js')).sandbox,
  },
  'doctor [job]': {
    examples: [
      'license-sync doctor',
      'license-sync doctor --connection production',
      'license-sync doctor jobs/new-buy.yaml --json',
    ],
    options: { '--connection <name>': 'connection_check', ...JSON_ONE },
    work: async () => (await import('../commands/doctor.js')).doctor,
  },
};
