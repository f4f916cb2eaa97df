import { type Command, Option } from 'commander';
import type { Reconciled } from '../../model/comparison.js';
import {
  command,
  gather,
  positive,
  reportOption,
  withMetrics,
  withOutput,
  withRun,
} from './command-options.js';
import { words } from './words.js';

export function addReconcile(root: Command): void {
  withMetrics(
    withRun(
      command(root, 'reconcile <job>', words('help.reconcile'), [
        'license-sync reconcile jobs/nightly-locks.yaml',
        'license-sync reconcile jobs/nightly-locks.yaml --apply --max-items 500',
      ]),
    ),
  )
    .option(...reportOption())
    .option('--all', words('help.all_differences'))
    .option('--apply', words('help.apply_actions'))
    .option('--input <file>', words('help.input'))
    .option('--set <key=value>', words('help.set_concurrency'), gather, [])
    .action(async (job: string, options) => (await import('../commands/run.js')).reconcile(job, options));
}

export function addPull(root: Command): void {
  const pull = command(root, 'pull', words('help.pull'), [
    'license-sync pull asset --enterprises enterprises.xlsx --output assets.xlsx',
    'license-sync pull enterprise --customers customers.csv --output enterprises.csv',
  ]);
  const pulling = (what: Reconciled, about: string, flag: string, keys: string, example: string): Command =>
    withOutput(command(pull, what, about, [example]))
      .addOption(new Option(flag, keys).makeOptionMandatory())
      .addOption(new Option('--output <file>', words('help.pull_output')).makeOptionMandatory())
      .option('--sheet <name>', words('help.pull_sheet'))
      .addOption(new Option('--header-row <n>', words('help.pull_header_row')).argParser(positive))
      .option('--password-env <name>', words('help.password_env'))
      .option('--connection <name>', words('help.connection'))
      .addOption(new Option('--concurrency <n>', words('help.concurrency')).argParser(positive))
      .option('--ledger <location>', words('help.ledger'))
      .action(async (options) => (await import('../commands/pull.js')).pull(what, options));
  pulling(
    'asset',
    words('help.pull_asset'),
    '--enterprises <file>',
    words('help.pull_enterprises'),
    'license-sync pull asset --enterprises enterprises.xlsx --output assets.xlsx',
  );
  pulling(
    'enterprise',
    words('help.pull_enterprise'),
    '--customers <file>',
    words('help.pull_customers'),
    'license-sync pull enterprise --customers customers.csv --output enterprises.csv',
  );
}

export function addSchedule(root: Command): void {
  const schedule = withMetrics(
    command(root, 'schedule [paths...]', words('help.schedule'), [
      'license-sync schedule',
      'license-sync schedule jobs/nightly-locks.yaml --apply',
      'license-sync schedule list',
      'license-sync schedule export --format systemd --output units',
    ]),
  )
    .option('--connection <name>', words('help.connection_jobs'))
    .addOption(new Option('--concurrency <n>', words('help.runs_at_once')).argParser(positive).default(4))
    .option('--apply', words('help.schedule_apply'))
    .option('--yes', words('help.schedule_yes'))
    .option('--wait', words('help.schedule_wait'))
    .option('--log-file <file>', words('help.schedule_log'))
    .option('--json', words('help.json_each'))
    .action(async (paths: string[], options) =>
      (await import('../commands/schedule.js')).schedule(paths, options),
    );
  command(schedule, 'list [paths...]', words('help.schedule_list'), [
    'license-sync schedule list',
    'license-sync schedule list jobs/nightly-locks.yaml --json',
  ])
    .option('--connection <name>', words('help.connection_jobs'))
    .option('--json', words('help.json'))
    .action(async (paths: string[]) =>
      (await import('../commands/schedule.js')).listSchedules(paths, schedule.opts()),
    );
  const exported = words('help.schedule_export');
  command(schedule, 'export [paths...]', exported, [
    'license-sync schedule export --format systemd --output units',
    'license-sync schedule export --format cron > license-sync.crontab',
    'license-sync schedule export --format kubernetes --image registry.example.com/license-sync:1 | kubectl apply -f -',
  ])
    .addOption(
      new Option('--format <format>', words('help.format'))
        .choices(['systemd', 'cron', 'kubernetes'])
        .makeOptionMandatory(),
    )
    .option('--output <folder>', words('help.units'))
    .option('--program <path>', words('help.program'))
    .option('--image <name>', words('help.image'))
    .action(async (paths: string[], options) =>
      (await import('../commands/schedule.js')).exportSchedule(paths, {
        ...schedule.opts(),
        ...options,
      }),
    );
}
