import { type Command, Option } from 'commander';
import { command, port, whole } from './command-options.js';
import { words } from './words.js';

export function addDoctor(root: Command): void {
  command(root, 'doctor [job]', words('help.doctor'), [
    'license-sync doctor',
    'license-sync doctor --connection production',
    'license-sync doctor jobs/new-buy.yaml --json',
  ])
    .option('--connection <name>', words('help.connection_check'))
    .option('--json', words('help.json_one'))
    .action(async (job: string | undefined, options) =>
      (await import('../commands/doctor.js')).doctor(job, options),
    );
}

export function addSandbox(root: Command): void {
  command(root, 'sandbox', words('help.sandbox'), [
    'license-sync sandbox --port 8080',
    'license-sync sandbox --state sandbox.ndjson --latency 20',
    'license-sync sandbox --faults reset-after=0.01,code-500=0.05,seed=7',
  ])
    .addOption(new Option('--port <n>', words('help.port')).argParser(port).default(8080))
    .option('--host <address>', words('help.host'), '127.0.0.1')
    .option('--state <file>', words('help.state'))
    .addOption(new Option('--latency <ms>', words('help.latency')).argParser(whole))
    .option('--faults <spec>', words('help.faults'))
    .option('--token <token>', words('help.token'))
    .option('--json', words('help.json_ready'))
    .action(async (options) => (await import('../commands/sandbox.js')).sandbox(options));
}

export function addConsole(root: Command): void {
  command(root, 'console', words('help.console'), [
    'license-sync console --open',
    'license-sync console --port 8443 --host 0.0.0.0',
  ])
    .addOption(new Option('--port <n>', words('help.console_port')).argParser(port).default(0))
    .option('--host <address>', words('help.console_host'), '127.0.0.1')
    .option('--open', words('help.console_open'))
    .option('--ledger <location>', words('help.ledger'))
    .action(async (options) => (await import('../commands/console.js')).serve(options));
}
