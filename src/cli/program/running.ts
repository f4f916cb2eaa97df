import { type Command, Option } from './commander.js';
import { command, positive, REPORT, withJob, withMetrics, withRun } from './shapes.js';

export function addRun(root: Command): void {
  withMetrics(
    withJob(
      command(
        root,
        'run <job>',
        'Bring a spreadsheet’s rows to the platform and write the result workbook.',
        [
          'license-sync run jobs/new-buy.yaml',
          'license-sync run jobs/new-buy.yaml --input orders-november.xlsx --connection production',
          'license-sync run jobs/asset-lock.yaml --set run.concurrency=2 --json',
          'license-sync run jobs/new-buy.yaml --canary 5',
        ],
      ),
    ),
  )
    .option('--dry-run', 'check everything, send nothing (the same as validate)')
    .addOption(
      new Option('--canary <n>', 'send the first n items, then ask before the rest').argParser(positive),
    )
    .action(async (job: string, options) => (await import('../commands/run.js')).run(job, options));
}

export function addValidate(root: Command): void {
  withJob(
    command(
      root,
      'validate <job>',
      'Check every row and write the result workbook, without sending anything.',
      [
        'license-sync validate jobs/new-buy.yaml',
        'license-sync validate jobs/new-buy.yaml --input draft.xlsx --output checked.xlsx',
      ],
    ),
  ).action(async (job: string, options) =>
    (await import('../commands/run.js')).run(job, { ...options, dryRun: true }),
  );
}

export function addPlan(root: Command): void {
  withJob(
    command(root, 'plan <job>', 'A dry run whose plan is kept, to be looked at and then applied.', [
      'license-sync plan jobs/new-buy.yaml --connection production',
    ]),
  ).action(async (job: string, options) =>
    (await import('../commands/run.js')).run(job, { ...options, plan: true }),
  );
  withMetrics(
    withRun(
      command(root, 'apply <plan>', 'Carry out a plan exactly as it was made, once.', [
        'license-sync apply 20261121-020311-4f9a21',
        'license-sync apply 20261121-020311-4f9a21 --max-age 2h --yes',
      ]),
    ),
  )
    .option('--max-age <age>', 'refuse an older plan', '24h')
    .option(...REPORT)
    .option('--ledger <location>', 'the ledger, in place of the one that is found')
    .action(async (plan: string, options) => (await import('../commands/apply.js')).apply(plan, options));
}

export function addResume(root: Command): void {
  withMetrics(
    withRun(
      command(root, 'resume [run]', 'Go on with a run that was stopped, interrupted or killed.', [
        'license-sync resume',
        'license-sync resume 20261121-020311-4f9a21 --max-items 20000',
      ]),
    ),
  )
    .option(...REPORT)
    .option('--ledger <location>', 'the ledger, in place of the one that is found')
    .action(async (run: string | undefined, options) =>
      (await import('../commands/resume.js')).resume(run, options),
    );
}
