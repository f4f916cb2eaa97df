import type { Command } from './commander.js';
import { command } from './shapes.js';

export function addCatalogue(root: Command): void {
  command(root, 'operations [operation]', 'List the operations, or the fields of one.', [
    'license-sync operations',
    'license-sync operations order.new_buy',
  ])
    .option('--json', 'print JSON')
    .action(async (name: string | undefined, options) =>
      (await import('../commands/operations.js')).operations(name, options),
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
      (await import('../commands/template.js')).template(name, options),
    );
  command(root, 'schema', 'Print the JSON Schema of the job file.', [
    'license-sync schema > job.schema.json',
    'license-sync schema --config',
    'license-sync schema --check job.schema.json',
  ])
    .option('--config', 'the schema of license-sync.yaml instead')
    .option('--check <file>', 'compare a file with the schema; exit 1 when it is out of date')
    .action(async (options) => (await import('../commands/schema.js')).schema(options));
}

export function addStarting(root: Command): void {
  command(root, 'init [folder]', 'Set up a folder with a job that runs on the sandbox at once.', [
    'license-sync init crm-orders',
    'license-sync init locks --operation asset.lock',
  ])
    .option('--operation <name>', 'what the first job does', 'order.new_buy')
    .option('--json', 'print one JSON object')
    .action(async (folder: string | undefined, options) =>
      (await import('../commands/init.js')).init(folder, options),
    );
  command(root, 'guess <file>', 'Write a job file for a spreadsheet, by its headers and cells.', [
    'license-sync guess orders.xlsx --output jobs/orders.yaml',
    'license-sync guess locks.csv --operation asset.unlock',
  ])
    .option('--operation <name>', 'what the job does, in place of the likeliest operation')
    .option('--output <file>', 'where the job goes; default the spreadsheet’s name, in the current folder')
    .option('--encoding <name>', 'encoding of a text file, where its bytes do not tell it, such as gb18030')
    .option('--force', 'replace a job file that is there already')
    .option('--json', 'print one JSON object')
    .action(async (file: string, options) => (await import('../commands/guess.js')).guess(file, options));
}
