import { type Command, Option } from 'commander';
import {
  command,
  correctionsOption,
  positive,
  reportOption,
  withJob,
  withMetrics,
} from './command-options.js';
import { words } from './words.js';

const RUN = '20261121-020311-4f9a21';

/** Commands for several machines with one ledger. */
export function addTeam(root: Command): void {
  const ledger = ['--ledger <location>', words('help.ledger')] as const;
  withMetrics(
    withJob(
      command(root, 'submit <job>', words('help.submit'), [
        'license-sync submit jobs/new-buy.yaml --connection production',
        'license-sync submit jobs/new-buy.yaml --canary 5 --json',
        'license-sync submit jobs/new-buy.yaml --wait --output result.xlsx',
      ]),
    ),
  )
    .addOption(new Option('--canary <n>', words('help.canary')).argParser(positive))
    .option('--wait', words('help.submit_wait'))
    .option(...correctionsOption())
    .action(async (job: string, options) => (await import('../commands/run.js')).submit(job, options));
  withMetrics(
    command(root, 'worker', words('help.worker'), [
      'license-sync worker',
      'license-sync worker --slots 16 --connections production',
      'license-sync worker --once --log-file worker.log',
      'license-sync worker --export systemd --output units',
    ]),
  )
    .addOption(new Option('--slots <n>', words('help.slots')).argParser(positive).default(8))
    .option('--connections <names>', words('help.worker_connections'))
    .option('--once', words('help.once'))
    .option('--log-file <file>', words('help.log_file'))
    .option('--json', words('help.json_only'))
    .option('--quiet', words('help.quiet'))
    .option(...ledger)
    .addOption(
      new Option('--export <format>', words('help.worker_export')).choices(['systemd', 'kubernetes']),
    )
    .option('--output <folder>', words('help.units'))
    .option('--program <path>', words('help.program'))
    .option('--image <name>', words('help.image'))
    .action(async ({ export: format, ...options }) => {
      const commands = await import('../commands/workers.js');
      await (format === undefined ? commands.worker(options) : commands.exportWorker({ ...options, format }));
    });
  command(root, 'wait <run>', words('help.wait'), [
    `license-sync wait ${RUN}`,
    `license-sync wait ${RUN} --output result.xlsx`,
  ])
    .option('--output <file>', words('help.output'))
    .option(...reportOption())
    .option('--json', words('help.json_only'))
    .option('--quiet', words('help.quiet'))
    .option('--log-file <file>', words('help.log_file'))
    .option(...ledger)
    .action(async (run: string, options) => (await import('../commands/run.js')).wait(run, options));
  command(root, 'stop <run>', words('help.stop'), [`license-sync stop ${RUN}`])
    .option('--json', words('help.json_one'))
    .option(...ledger)
    .action(async (run: string, options) => (await import('../commands/workers.js')).stop(run, options));
  command(root, 'workers', words('help.workers'), ['license-sync workers', 'license-sync workers --json'])
    .option('--json', words('help.json'))
    .option(...ledger)
    .action(async (options) => (await import('../commands/workers.js')).workers(options));
}

/** Commands for the approval of stored plans. */
export function addApprovals(root: Command): void {
  const withLedger = (it: Command): Command =>
    it.option('--json', words('help.json_one')).option('--ledger <location>', words('help.ledger'));
  withLedger(
    command(root, 'request <plan>', words('help.request'), [
      `license-sync request ${RUN}`,
      `license-sync request ${RUN} --comment "orders of November"`,
    ]),
  )
    .option('--comment <text>', words('help.comment'))
    .action(async (plan: string, options) =>
      (await import('../commands/approvals.js')).request(plan, options),
    );
  withLedger(
    command(root, 'approve <plan>', words('help.approve'), [
      `license-sync approve ${RUN}`,
      `license-sync approve ${RUN} --max-age 2h`,
    ]),
  )
    .option('--comment <text>', words('help.comment'))
    .option('--max-age <age>', words('help.approval_age'), '24h')
    .action(async (plan: string, options) =>
      (await import('../commands/approvals.js')).approve(plan, options),
    );
  withLedger(
    command(root, 'reject <plan>', words('help.reject'), [
      `license-sync reject ${RUN} --comment "row 7 is for another customer"`,
    ]),
  )
    .option('--comment <text>', words('help.comment_wanted'))
    .action(async (plan: string, options) =>
      (await import('../commands/approvals.js')).reject(plan, options),
    );
}

export function addLedger(root: Command): void {
  const ledger = command(root, 'ledger', words('help.ledger_command'), [
    'license-sync ledger show',
    'license-sync ledger copy --to postgres://sync@db.example.com:5432/licences',
    'license-sync ledger check',
  ])
    .option('--json', words('help.json'))
    .option('--ledger <location>', words('help.ledger'));
  command(ledger, 'show', words('help.ledger_show'), ['license-sync ledger show --json']).action(async () =>
    (await import('../commands/ledger.js')).showLedger(ledger.opts()),
  );
  command(ledger, 'copy', words('help.ledger_copy'), [
    'license-sync ledger copy --to postgres://sync@db.example.com:5432/licences',
  ])
    .requiredOption('--to <location>', words('help.ledger_to'))
    .action(async (options) =>
      (await import('../commands/ledger.js')).copyLedger({ ...ledger.opts(), ...options }),
    );
  command(ledger, 'backup <target>', words('help.ledger_backup'), [
    'license-sync ledger backup /mnt/backup/2026-11-26/ledger.db',
  ]).action(async (file: string) =>
    (await import('../commands/ledger.js')).backupLedger(file, ledger.opts()),
  );
  command(ledger, 'reopen', words('help.ledger_reopen'), ['license-sync ledger reopen']).action(async () =>
    (await import('../commands/ledger.js')).reopenLedger(ledger.opts()),
  );
  command(ledger, 'accept-restored', words('help.ledger_accept'), [
    'license-sync ledger accept-restored',
  ]).action(async () => (await import('../commands/ledger.js')).acceptRestored(ledger.opts()));
  command(ledger, 'migrate', words('help.ledger_migrate'), ['license-sync ledger migrate']).action(async () =>
    (await import('../commands/ledger.js')).migrateLedger(ledger.opts()),
  );
  command(ledger, 'check', words('help.ledger_check'), ['license-sync ledger check']).action(async () =>
    (await import('../commands/ledger.js')).checkLedger(ledger.opts()),
  );
}
