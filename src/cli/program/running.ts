import { type Command, Option } from 'commander';
import {
  command,
  correctionsOption,
  gather,
  positive,
  reportOption,
  withJob,
  withMetrics,
  withRun,
} from './command-options.js';
import { words } from './words.js';

export function addRun(root: Command): void {
  withMetrics(
    withJob(
      command(root, 'run <job>', words('help.run'), [
        'license-sync run jobs/new-buy.yaml',
        'license-sync run jobs/new-buy.yaml --input orders-november.xlsx --connection production',
        'license-sync run jobs/asset-lock.yaml --set run.concurrency=2 --json',
        'license-sync run jobs/new-buy.yaml --canary 5',
      ]),
    ),
  )
    .option('--dry-run', words('help.dry_run'))
    .option('--offline', words('help.offline'))
    .option(...correctionsOption())
    .addOption(new Option('--canary <n>', words('help.canary')).argParser(positive))
    .action(async (job: string, { dryRun, ...options }) =>
      (await import('../commands/run.js')).run(job, { ...options, kind: dryRun ? 'dry_run' : 'run' }),
    );
}

export function addValidate(root: Command): void {
  withJob(
    command(root, 'validate <job>', words('help.validate'), [
      'license-sync validate jobs/new-buy.yaml',
      'license-sync validate jobs/new-buy.yaml --input draft.xlsx --output checked.xlsx',
      'license-sync validate jobs/new-buy.yaml --corrections corrections.csv',
    ]),
  )
    .option('--all', words('help.all_differences'))
    .option('--offline', words('help.offline'))
    .option(...correctionsOption())
    .action(async (job: string, options) =>
      (await import('../commands/run.js')).run(job, { ...options, kind: 'dry_run' }),
    );
}

export function addRehearse(root: Command): void {
  withJob(
    command(root, 'rehearse [job]', words('help.rehearse'), [
      'license-sync rehearse jobs/new-buy.yaml --connection production',
      'license-sync rehearse --compare 20261121-020311-4f9a21',
    ]),
  )
    .option('--compare <run>', words('help.rehearse_compare'))
    .action(async (job: string | undefined, options) =>
      (await import('../commands/rehearse.js')).rehearse(job, options),
    );
}

export function addPlan(root: Command): void {
  withJob(
    command(root, 'plan <job>', words('help.plan'), [
      'license-sync plan jobs/new-buy.yaml --connection production',
    ]),
  )
    .option('--all', words('help.all_differences'))
    .option('--offline', words('help.offline'))
    .option(...correctionsOption())
    .action(async (job: string, options) =>
      (await import('../commands/run.js')).run(job, { ...options, kind: 'plan' }),
    );
  withMetrics(
    withRun(
      command(root, 'apply <plan>', words('help.apply'), [
        'license-sync apply 20261121-020311-4f9a21',
        'license-sync apply 20261121-020311-4f9a21 --max-age 2h --yes',
      ]),
    ),
  )
    .option('--max-age <age>', words('help.max_age'), '24h')
    .option('--queue', words('help.apply_queue'))
    .option('--set <key=value>', words('help.set_conflicts'), gather, [])
    .option(...reportOption())
    .action(async (plan: string, options) => (await import('../commands/run.js')).apply(plan, options));
}

export function addResume(root: Command): void {
  withMetrics(
    withRun(
      command(root, 'resume [run]', words('help.resume'), [
        'license-sync resume',
        'license-sync resume 20261121-020311-4f9a21 --max-items 20000',
      ]),
    ),
  )
    .option(...reportOption())
    .option('--queue', words('help.resume_queue'))
    .option('--set <key=value>', words('help.set_conflicts'), gather, [])
    .action(async (run: string | undefined, options) =>
      (await import('../commands/run.js')).resume(run, options),
    );
}
