import { type Command, Option } from './commander.js';
import { command, gather, positive, withMetrics, withRun } from './shapes.js';

export function addReconcile(root: Command): void {
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
      (await import('../commands/reconcile.js')).reconcile(job, options),
    );
}

export function addSchedule(root: Command): void {
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
      (await import('../commands/schedule.js')).schedule(paths, options),
    );
  command(schedule, 'list [paths...]', 'Show the next times, the last outcomes, and what was missed.', [
    'license-sync schedule list',
    'license-sync schedule list jobs/nightly-locks.yaml --json',
  ])
    .option('--connection <name>', 'the connection to use, in place of the jobs’')
    .option('--json', 'print JSON')
    .action(async (paths: string[]) =>
      (await import('../commands/schedule-list.js')).listSchedules(paths, schedule.opts()),
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
      (await import('../commands/schedule-export.js')).exportSchedule(paths, {
        ...schedule.opts(),
        ...options,
      }),
    );
}
