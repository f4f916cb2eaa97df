import { Command, type CommanderError, InvalidArgumentError, Option } from 'commander';
import { VERSION } from '../util/version.js';
import { LANGUAGE_VARIABLE } from './language.js';

/**
 * The command line. Only shapes and help stand here: a command's module, and all that it needs, is loaded when
 * the command is run, so that `--help` answers at once.
 */
export function program(): Command {
  const root = new Command('license-sync')
    .description(
      'Brings customers, licence orders and lock numbers from spreadsheets to the licensing platform.',
    )
    .version(VERSION)
    .addOption(
      new Option('--lang <language>', 'of messages; default from LC_ALL, LC_MESSAGES or LANG').choices([
        'en',
        'zh',
      ]),
    )
    .hook('preAction', (it) => {
      const { lang } = it.opts<{ lang?: string }>();
      if (lang !== undefined) process.env[LANGUAGE_VARIABLE] = lang;
    })
    .showHelpAfterError('(add --help for the options)')
    .configureOutput({ writeErr: (text) => process.stderr.write(text) })
    .exitOverride(leave);
  addRun(root);
  addValidate(root);
  addPlan(root);
  addResume(root);
  addReconcile(root);
  addSchedule(root);
  addSettling(root);
  addRuns(root);
  addCatalogue(root);
  addStarting(root);
  addSandbox(root);
  addDoctor(root);
  return root;
}

/** Usage errors leave with 2 (contract section 7); help and version with 0. */
function leave(error: CommanderError): never {
  if (error.exitCode !== 0 && process.argv.includes('--json')) {
    const said = { status: 'stopped', rows: 0, counts: {}, requests: 0, retries: 0 };
    const told = { code: error.code, message: error.message, others: [] };
    process.stdout.write(`${JSON.stringify({ ...said, error: told })}\n`);
  }
  process.exit(error.exitCode === 0 ? 0 : 2);
}

function command(parent: Command, usage: string, description: string, examples: readonly string[]): Command {
  return parent
    .command(usage)
    .description(description)
    .exitOverride(leave)
    .addHelpText('after', `\nExamples:\n${examples.map((it) => `  ${it}`).join('\n')}`);
}

function withOutput(it: Command): Command {
  return it
    .option('--json', 'print one JSON object on stdout and nothing else there')
    .option('--quiet', 'no progress, only faults and the result');
}

function withRun(it: Command): Command {
  return withOutput(it)
    .option('--output <file>', 'where the result goes (.xlsx, .csv or .ndjson)')
    .option('--connection <name>', 'the connection to use, in place of the job’s')
    .addOption(new Option('--concurrency <n>', 'requests in flight at most').argParser(positive))
    .addOption(new Option('--max-items <n>', 'lets one run send more items').argParser(whole))
    .addOption(
      new Option('--max-deletes <n>', 'lets one run revoke more assets or products').argParser(whole),
    )
    .option('--log-file <file>', 'write what happens to this file, one JSON object a line')
    .option('--yes', 'answer yes to what would be asked');
}

/** For commands that carry a run, or check for one. */
const REPORT = [
  '--report <file>',
  'write a web page (.html) of the run too; {job}, {run} and {input} in its name are put in',
] as const;

/** For commands that send or compare: nobody watches checks. */
function withMetrics(it: Command): Command {
  return it.option('--metrics-file <file>', 'write Prometheus metrics to this file (.prom) at the end');
}

function withJob(it: Command): Command {
  return withRun(it)
    .option(...REPORT)
    .option('--input <file>', 'the spreadsheet, in place of the job’s')
    .addOption(
      new Option('--on-invalid <what>', 'invalid rows: send nothing, or skip them').choices([
        'abort',
        'skip',
      ]),
    )
    .option('--set <key=value>', 'override a setting of the job, as run.retries=2', gather, []);
}

function addRun(root: Command): void {
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
    .action(async (job: string, options) => (await import('./commands/run.js')).run(job, options));
}

function addValidate(root: Command): void {
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
    (await import('./commands/run.js')).run(job, { ...options, dryRun: true }),
  );
}

function addPlan(root: Command): void {
  withJob(
    command(root, 'plan <job>', 'A dry run whose plan is kept, to be looked at and then applied.', [
      'license-sync plan jobs/new-buy.yaml --connection production',
    ]),
  ).action(async (job: string, options) =>
    (await import('./commands/run.js')).run(job, { ...options, plan: true }),
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
    .action(async (plan: string, options) => (await import('./commands/apply.js')).apply(plan, options));
}

function addResume(root: Command): void {
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
      (await import('./commands/resume.js')).resume(run, options),
    );
}

function addReconcile(root: Command): void {
  withMetrics(
    withRun(
      command(
        root,
        'reconcile <job>',
        'Compare a spreadsheet with what the platform holds; nothing is changed without --apply.',
        [
          'license-sync reconcile jobs/nightly-locks.yaml',
          'license-sync reconcile jobs/nightly-locks.yaml --apply --max-items 500',
        ],
      ),
    ),
  )
    .option('--apply', 'carry out the job’s actions, then read again what they touched')
    .option('--input <file>', 'the spreadsheet, in place of the job’s')
    .option('--set <key=value>', 'override a setting of the job, as run.concurrency=2', gather, [])
    .action(async (job: string, options) =>
      (await import('./commands/reconcile.js')).reconcile(job, options),
    );
}

function addSchedule(root: Command): void {
  const schedule = withMetrics(
    command(
      root,
      'schedule [paths...]',
      'Run the jobs that have a schedule at their times, until stopped. Paths are job files, or folders of them; ' +
        'default jobs/ where it is there, else the current folder. Schedules are read at the start.',
      [
        'license-sync schedule',
        'license-sync schedule jobs/nightly-locks.yaml --apply',
        'license-sync schedule list',
        'license-sync schedule export --format systemd --output units',
      ],
    ),
  )
    .option('--connection <name>', 'the connection to use, in place of the jobs’')
    .addOption(new Option('--concurrency <n>', 'runs at a time, at most').argParser(positive).default(4))
    .option('--apply', 'reconcile jobs carry out their actions; without it they only compare')
    .option('--yes', 'answer yes to what a run would ask (without it such a run is refused: exit 4)')
    .option('--wait', 'while another scheduler works: stand by and take over from it')
    .option('--log-file <file>', 'every run writes what happens to this file')
    .option('--json', 'print one JSON object for each run, one a line')
    .action(async (paths: string[], options) =>
      (await import('./commands/schedule.js')).schedule(paths, options),
    );
  command(schedule, 'list [paths...]', 'Show the next times, the last outcomes, and what was missed.', [
    'license-sync schedule list',
    'license-sync schedule list jobs/nightly-locks.yaml --json',
  ])
    .option('--connection <name>', 'the connection to use, in place of the jobs’')
    .option('--json', 'print JSON')
    .action(async (paths: string[]) =>
      (await import('./commands/schedule-list.js')).listSchedules(paths, schedule.opts()),
    );
  const exported =
    'Write the schedules for systemd, cron or Kubernetes; --connection, --apply, --yes, --log-file and ' +
    '--metrics-file are written into the commands.';
  command(schedule, 'export [paths...]', exported, [
    'license-sync schedule export --format systemd --output units',
    'license-sync schedule export --format cron > license-sync.crontab',
    'license-sync schedule export --format kubernetes --image registry.example.com/license-sync:1 | kubectl apply -f -',
  ])
    .addOption(
      new Option('--format <format>', 'what it is for')
        .choices(['systemd', 'cron', 'kubernetes'])
        .makeOptionMandatory(),
    )
    .option('--output <folder>', 'where the files go; without it everything is printed')
    .option('--program <path>', 'the program to start there, in place of this one')
    .option('--image <name>', 'the container image, for kubernetes')
    .action(async (paths: string[], options) =>
      (await import('./commands/schedule-export.js')).exportSchedule(paths, {
        ...schedule.opts(),
        ...options,
      }),
    );
}

function addSettling(root: Command): void {
  const ledger = ['--ledger <location>', 'the ledger, in place of the one that is found'] as const;
  withMetrics(
    withRun(
      command(root, 'retry <run>', 'Send the rows of a run that failed again, as a new run.', [
        'license-sync retry 20261121-020311-4f9a21',
        'license-sync retry 20261121-020311-4f9a21 --include rejected',
        'license-sync retry 20261121-020311-4f9a21 --include unknown --yes',
      ]),
    ),
  )
    .option('--include <statuses>', 'send these too: unknown (needs a yes), rejected, not_sent', gather, [])
    .option(...REPORT)
    .option(...ledger)
    .action(async (run: string, options) => (await import('./commands/retry.js')).retry(run, options));
  command(root, 'resolve <run>', 'Settle rows that are unknown, by what you or the platform know.', [
    'license-sync resolve 20261121-020311-4f9a21 --verify',
    'license-sync resolve 20261121-020311-4f9a21 --row 7 --as succeeded --license-order-id LO-123',
    'license-sync resolve 20261121-020311-4f9a21 --row 8 --as failed --note "not in the portal"',
  ])
    .addOption(new Option('--row <n>', 'the row, by its number in the sheet').argParser(whole))
    .addOption(new Option('--as <what>', 'what it came to').choices(['succeeded', 'failed']))
    .option('--license-order-id <id>', 'the order’s id on the platform, with --as succeeded')
    .option('--note <text>', 'how you know; kept in the audit')
    .option('--verify', 'ask the platform where it can tell (it changes nothing there)')
    .option('--output <file>', 'write the result of the run again (.xlsx, .csv or .ndjson)')
    .option('--json', 'print one JSON object')
    .option(...ledger)
    .action(async (run: string, options) => (await import('./commands/resolve.js')).resolve(run, options));
  command(root, 'explain <run>', 'Tell one row’s story, and what is safe to do next.', [
    'license-sync explain 20261121-020311-4f9a21 7',
    'license-sync explain 20261121-020311-4f9a21 7 --json',
  ])
    .argument('<row>', 'the row, by its number in the sheet', whole)
    .option('--json', 'print one JSON object')
    .option(...ledger)
    .action(async (run: string, row: number, options) =>
      (await import('./commands/explain.js')).explain(run, row, options),
    );
}

function addRuns(root: Command): void {
  const runs = command(root, 'runs', 'List the runs of the ledger; show one; prune old ones.', [
    'license-sync runs',
    'license-sync runs show 20261121-020311-4f9a21',
    'license-sync runs export 20261121-020311-4f9a21 --output again.xlsx',
    'license-sync runs report 20261121-020311-4f9a21 --output run.html',
    'license-sync runs prune --older-than 90d',
  ])
    .option('--json', 'print JSON')
    .option('--ledger <location>', 'the ledger, in place of the one that is found')
    .addOption(new Option('--limit <n>', 'how many at most, newest first').argParser(whole).default(20))
    .action(async (options) => (await import('./commands/runs.js')).listRuns(options));
  command(runs, 'show <run>', 'Show one run.', ['license-sync runs show 20261121-020311-4f9a21']).action(
    async (run: string) => (await import('./commands/runs.js')).showRun(run, runs.opts()),
  );
  command(runs, 'export <run>', 'Write the result of a run again.', [
    'license-sync runs export 20261121-020311-4f9a21 --output again.csv',
  ])
    .requiredOption('--output <file>', 'where it goes (.xlsx, .csv or .ndjson)')
    .action(async (run: string, options) =>
      (await import('./commands/runs.js')).exportRun(run, { ...runs.opts(), ...options }),
    );
  command(runs, 'report <run>', 'Write a web page of a run: figures, problems and what to do next.', [
    'license-sync runs report 20261121-020311-4f9a21 --output run.html',
  ])
    .requiredOption('--output <file>', 'where it goes (.html)')
    .action(async (run: string, options) =>
      (await import('./commands/runs.js')).reportRun(run, { ...runs.opts(), ...options }),
    );
  command(runs, 'prune', 'Remove the personal data of old runs; repeats are still found.', [
    'license-sync runs prune --older-than 90d',
  ])
    .requiredOption('--older-than <age>', 'such as 90d or 12h')
    .action(async (options) =>
      (await import('./commands/runs.js')).pruneRuns({ ...runs.opts(), ...options }),
    );
}

function addCatalogue(root: Command): void {
  command(root, 'operations [operation]', 'List the operations, or the fields of one.', [
    'license-sync operations',
    'license-sync operations order.new_buy',
  ])
    .option('--json', 'print JSON')
    .action(async (name: string | undefined, options) =>
      (await import('./commands/operations.js')).operations(name, options),
    );
  command(
    root,
    'template [operation-or-job]',
    'Write a workbook to fill in, for an operation or for a job’s own columns.',
    [
      'license-sync template order.new_buy',
      'license-sync template order.new_buy --nested --output orders.xlsx',
      'license-sync template jobs/new-buy.yaml --output november.xlsx',
      'license-sync template asset.lock --filled',
      'license-sync template --all templates --check',
    ],
  )
    .option('--output <file>', 'where it goes (.xlsx); default OPERATION.xlsx in the current folder')
    .option('--nested', 'orders, products, features and packages in sheets of their own, with the job file')
    .option('--filled', 'with the example’s rows filled in, to try it out')
    .option('--force', 'replace what is there, filled in or not')
    .option('--all <folder>', 'write one for every operation into a folder, in English and in Chinese')
    .option('--check', 'with --all: write nothing, exit 1 when a file there is out of date')
    .action(async (name: string | undefined, options) =>
      (await import('./commands/template.js')).template(name, options),
    );
  command(root, 'schema', 'Print the JSON Schema of the job file.', [
    'license-sync schema > job.schema.json',
    'license-sync schema --config',
    'license-sync schema --check job.schema.json',
  ])
    .option('--config', 'the schema of license-sync.yaml instead')
    .option('--check <file>', 'compare a file with the schema; exit 1 when it is out of date')
    .action(async (options) => (await import('./commands/schema.js')).schema(options));
}

function addStarting(root: Command): void {
  command(root, 'init [folder]', 'Set up a folder with a job that runs on the sandbox at once.', [
    'license-sync init crm-orders',
    'license-sync init locks --operation asset.lock',
  ])
    .option('--operation <name>', 'what the first job does', 'order.new_buy')
    .option('--json', 'print one JSON object')
    .action(async (folder: string | undefined, options) =>
      (await import('./commands/init.js')).init(folder, options),
    );
  command(root, 'guess <file>', 'Write a job file for a spreadsheet, by its headers and cells.', [
    'license-sync guess orders.xlsx --output jobs/orders.yaml',
    'license-sync guess locks.csv --operation asset.unlock',
  ])
    .option('--operation <name>', 'what the job does, in place of the likeliest operation')
    .option('--output <file>', 'where the job goes; default the spreadsheet’s name, in the current folder')
    .option('--force', 'replace a job file that is there already')
    .option('--json', 'print one JSON object')
    .action(async (file: string, options) => (await import('./commands/guess.js')).guess(file, options));
}

function addDoctor(root: Command): void {
  command(
    root,
    'doctor [job]',
    'Check connection, token, certificate and clock, without changing anything anywhere.',
    [
      'license-sync doctor',
      'license-sync doctor --connection production',
      'license-sync doctor jobs/new-buy.yaml --json',
    ],
  )
    .option('--connection <name>', 'the connection to check, in place of the job’s')
    .option('--json', 'print one JSON object')
    .action(async (job: string | undefined, options) =>
      (await import('./commands/doctor.js')).doctor(job, options),
    );
}

function addSandbox(root: Command): void {
  command(root, 'sandbox', 'Serve the simulated platform until stopped.', [
    'license-sync sandbox --port 8080',
    'license-sync sandbox --state sandbox.ndjson --latency 20',
    'license-sync sandbox --faults reset-after=0.01,code-500=0.05,seed=7',
  ])
    .addOption(new Option('--port <n>', '0 takes a free one').argParser(whole).default(8080))
    .option('--host <address>', 'the address to listen on', '127.0.0.1')
    .option('--state <file>', 'keep what was carried out in this file')
    .addOption(new Option('--latency <ms>', 'wait before each answer').argParser(whole))
    .option('--faults <spec>', 'make faults happen: kind=rate,…,seed=N')
    .option('--token <token>', 'accept only this bearer token (a made-up one: the sandbox guards nothing)')
    .option('--json', 'print one JSON object when ready')
    .action(async (options) => (await import('./commands/sandbox.js')).sandbox(options));
}

function whole(text: string): number {
  if (!/^\d{1,12}$/.test(text)) throw new InvalidArgumentError('a whole number is wanted.');
  return Number(text);
}

function positive(text: string): number {
  const value = whole(text);
  if (value < 1) throw new InvalidArgumentError('a whole number from 1 is wanted.');
  return value;
}

function gather(value: string, before: string[]): string[] {
  return [...before, value];
}
