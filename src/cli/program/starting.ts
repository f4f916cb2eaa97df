import type { Command } from 'commander';
import { command, gather } from './command-options.js';
import { words } from './words.js';

export function addCatalogue(root: Command): void {
  command(root, 'operations [operation]', words('help.operations'), [
    'license-sync operations',
    'license-sync operations order.new_buy',
  ])
    .option('--json', words('help.json'))
    .action(async (name: string | undefined, options) =>
      (await import('../commands/operations.js')).operations(name, options),
    );
  command(root, 'template [operation-or-job]', words('help.template'), [
    'license-sync template order.new_buy',
    'license-sync template order.new_buy --nested --output orders.xlsx',
    'license-sync template jobs/new-buy.yaml --output november.xlsx',
    'license-sync template asset.lock --filled',
    'license-sync template --all templates --check',
  ])
    .option('--output <file>', words('help.template_output'))
    .option('--nested', words('help.nested'))
    .option('--filled', words('help.filled'))
    .option('--force', words('help.force'))
    .option('--all <folder>', words('help.template_all'))
    .option('--check', words('help.template_check'))
    .action(async (name: string | undefined, options) =>
      (await import('../commands/template.js')).template(name, options),
    );
  command(root, 'show <job>', words('help.show'), [
    'license-sync show jobs/new-buy.yaml',
    'license-sync show jobs/new-buy.yaml --set run.retries=2 --json',
  ])
    .option('--set <key=value>', words('help.set_retries'), gather, [])
    .option('--json', words('help.json_one'))
    .action(async (job: string, options) => (await import('../commands/show.js')).show(job, options));
  command(root, 'schema', words('help.schema'), [
    'license-sync schema > job.schema.json',
    'license-sync schema --config',
    'license-sync schema --check job.schema.json',
  ])
    .option('--config', words('help.schema_config'))
    .option('--check <file>', words('help.schema_check'))
    .action(async (options) => (await import('../commands/schema.js')).schema(options));
}

export function addStarting(root: Command): void {
  command(root, 'init [folder]', words('help.init'), [
    'license-sync init crm-orders',
    'license-sync init locks --operation asset.lock',
  ])
    .option('--operation <name>', words('help.init_operation'), 'order.new_buy')
    .option('--json', words('help.json_one'))
    .action(async (folder: string | undefined, options) =>
      (await import('../commands/init.js')).init(folder, options),
    );
  command(root, 'guess <file>', words('help.guess'), [
    'license-sync guess orders.xlsx --output jobs/orders.yaml',
    'license-sync guess locks.csv --operation asset.unlock',
  ])
    .option('--operation <name>', words('help.guess_operation'))
    .option('--output <file>', words('help.guess_output'))
    .option('--encoding <name>', words('help.encoding'))
    .option('--password-env <name>', words('help.password_env'))
    .option('--force', words('help.guess_force'))
    .option('--json', words('help.json_one'))
    .action(async (file: string, options) => (await import('../commands/guess.js')).guess(file, options));
}
