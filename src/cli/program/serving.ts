import { type Command, Option } from './commander.js';
import { command, whole } from './shapes.js';

export function addDoctor(root: Command): void {
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
      (await import('../commands/doctor.js')).doctor(job, options),
    );
}

export function addSandbox(root: Command): void {
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
    .action(async (options) => (await import('../commands/sandbox.js')).sandbox(options));
}
