import { type Command, Option } from './commander.js';
import { command, gather, REPORT, whole, withMetrics, withRun } from './shapes.js';

export function addSettling(root: Command): void {
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
    .action(async (run: string, options) => (await import('../commands/retry.js')).retry(run, options));
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
    .action(async (run: string, options) => (await import('../commands/resolve.js')).resolve(run, options));
  command(root, 'explain <run>', 'Tell one row’s story, and what is safe to do next.', [
    'license-sync explain 20261121-020311-4f9a21 7',
    'license-sync explain 20261121-020311-4f9a21 7 --json',
  ])
    .argument('<row>', 'the row, by its number in the sheet', whole)
    .option('--json', 'print one JSON object')
    .option(...ledger)
    .action(async (run: string, row: number, options) =>
      (await import('../commands/explain.js')).explain(run, row, options),
    );
}

export function addRuns(root: Command): void {
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
    .action(async (options) => (await import('../commands/runs.js')).listRuns(options));
  command(runs, 'show <run>', 'Show one run.', ['license-sync runs show 20261121-020311-4f9a21']).action(
    async (run: string) => (await import('../commands/runs.js')).showRun(run, runs.opts()),
  );
  command(runs, 'export <run>', 'Write the result of a run again.', [
    'license-sync runs export 20261121-020311-4f9a21 --output again.csv',
  ])
    .requiredOption('--output <file>', 'where it goes (.xlsx, .csv or .ndjson)')
    .action(async (run: string, options) =>
      (await import('../commands/runs.js')).exportRun(run, { ...runs.opts(), ...options }),
    );
  command(runs, 'report <run>', 'Write a web page of a run: figures, problems and what to do next.', [
    'license-sync runs report 20261121-020311-4f9a21 --output run.html',
  ])
    .requiredOption('--output <file>', 'where it goes (.html)')
    .action(async (run: string, options) =>
      (await import('../commands/runs.js')).reportRun(run, { ...runs.opts(), ...options }),
    );
  command(runs, 'prune', 'Remove the personal data of old runs; repeats are still found.', [
    'license-sync runs prune --older-than 90d',
  ])
    .requiredOption('--older-than <age>', 'such as 90d or 12h')
    .action(async (options) =>
      (await import('../commands/runs.js')).pruneRuns({ ...runs.opts(), ...options }),
    );
}
