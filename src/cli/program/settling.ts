import { type Command, Option } from 'commander';
import {
  command,
  gather,
  gatherRows,
  gatherWhole,
  reportOption,
  whole,
  withMetrics,
  withRun,
} from './command-options.js';
import { words } from './words.js';

export function addSettling(root: Command): void {
  const ledger = ['--ledger <location>', words('help.ledger')] as const;
  withMetrics(
    withRun(
      command(root, 'retry <run>', words('help.retry'), [
        'license-sync retry 20261121-020311-4f9a21',
        'license-sync retry 20261121-020311-4f9a21 --include rejected',
        'license-sync retry 20261121-020311-4f9a21 --include unknown --yes',
      ]),
    ),
  )
    .option('--include <statuses>', words('help.include'), gather, [])
    .option('--set <key=value>', words('help.set_conflicts'), gather, [])
    .option(...reportOption())
    .action(async (run: string, options) => (await import('../commands/run.js')).retry(run, options));
  withRun(
    command(root, 'revert <run>', words('help.revert'), [
      'license-sync revert 20261121-020311-4f9a21',
      'license-sync revert 20261121-020311-4f9a21 --row 7 --row 8 --output undo.xlsx',
    ]),
  )
    .option('--all', words('help.all_differences'))
    .option('--set <key=value>', words('help.set_conflicts'), gather, [])
    .addOption(new Option('--row <n>', words('help.revert_row')).argParser(gatherWhole).default([]))
    .option(...reportOption())
    .action(async (run: string, { row, ...options }) =>
      (await import('../commands/run.js')).revert(run, { ...options, rows: row }),
    );
  command(root, 'resolve <run>', words('help.resolve'), [
    'license-sync resolve 20261121-020311-4f9a21 --verify',
    'license-sync resolve 20261121-020311-4f9a21 --row 7 --as succeeded --license-order-id LO-123',
    'license-sync resolve 20261121-020311-4f9a21 --row 8 --row 12-59 --as failed --note "not in the portal"',
    'license-sync resolve 20261121-020311-4f9a21 --from checked.xlsx',
  ])
    .addOption(new Option('--row <rows>', words('help.resolve_row')).argParser(gatherRows).default([]))
    .option('--from <file>', words('help.resolve_from'))
    .addOption(new Option('--as <what>', words('help.as')).choices(['succeeded', 'failed']))
    .option('--license-order-id <id>', words('help.order_id'))
    .option('--note <text>', words('help.note'))
    .option('--verify', words('help.verify'))
    .option('--output <file>', words('help.output_again'))
    .option('--json', words('help.json_one'))
    .option(...ledger)
    .action(async (run: string, { row, ...options }) =>
      (await import('../commands/resolve.js')).resolve(run, { ...options, rows: row }),
    );
  command(root, 'explain', words('help.explain'), [
    'license-sync explain 20261121-020311-4f9a21 7',
    'license-sync explain 20261121-020311-4f9a21 7 --json',
  ])
    .argument('<run>', words('help.run_id'))
    .argument('<row>', words('help.row'), whole)
    .option('--json', words('help.json_one'))
    .option(...ledger)
    .action(async (run: string, row: number, options) =>
      (await import('../commands/explain.js')).explain(run, row, options),
    );
}

export function addRuns(root: Command): void {
  const runs = command(root, 'runs', words('help.runs'), [
    'license-sync runs',
    'license-sync runs show 20261121-020311-4f9a21',
    'license-sync runs export 20261121-020311-4f9a21 --output again.xlsx',
    'license-sync runs report 20261121-020311-4f9a21 --output run.html',
    'license-sync runs prune --older-than 90d',
  ])
    .allowExcessArguments()
    .option('--json', words('help.json'))
    .option('--ledger <location>', words('help.ledger'))
    .addOption(new Option('--limit <n>', words('help.limit')).argParser(whole).default(20))
    .action(async (options) => (await import('../commands/runs.js')).listRuns(options));
  command(runs, 'show <run>', words('help.runs_show'), [
    'license-sync runs show 20261121-020311-4f9a21',
  ]).action(async (run: string) => (await import('../commands/runs.js')).showRun(run, runs.opts()));
  command(runs, 'export <run>', words('help.runs_export'), [
    'license-sync runs export 20261121-020311-4f9a21 --output again.csv',
    'license-sync runs export 20261121-020311-4f9a21 --corrected orders-corrected.xlsx',
  ])
    .option('--output <file>', words('help.output_any'))
    .option('--corrected <file>', words('help.corrected'))
    .action(async (run: string, options) =>
      (await import('../commands/runs.js')).exportRun(run, { ...runs.opts(), ...options }),
    );
  command(runs, 'report <run>', words('help.runs_report'), [
    'license-sync runs report 20261121-020311-4f9a21 --output run.html',
  ])
    .requiredOption('--output <file>', words('help.output_html'))
    .action(async (run: string, options) =>
      (await import('../commands/runs.js')).reportRun(run, { ...runs.opts(), ...options }),
    );
  command(runs, 'prune', words('help.runs_prune'), ['license-sync runs prune --older-than 90d'])
    .requiredOption('--older-than <age>', words('help.older_than'))
    .action(async (options) =>
      (await import('../commands/runs.js')).pruneRuns({ ...runs.opts(), ...options }),
    );
}
