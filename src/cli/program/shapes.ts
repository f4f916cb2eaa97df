import type { CommanderError } from 'commander';
import { type Command, InvalidArgumentError, Option } from './commander.js';
import { orLost } from './stdout-lost.js';

/** Usage errors leave with 2 (contract section 7); help and version with 0. */
export function leave(error: CommanderError): never {
  if (error.exitCode !== 0 && process.argv.includes('--json')) {
    const said = { status: 'stopped', rows: 0, counts: {}, requests: 0, retries: 0 };
    const told = { code: error.code, message: error.message, others: [] };
    process.stdout.write(`${JSON.stringify({ ...said, error: told })}\n`);
  }
  process.exit(orLost(error.exitCode === 0 ? 0 : 2));
}

export function command(
  parent: Command,
  usage: string,
  description: string,
  examples: readonly string[],
): Command {
  return parent
    .command(usage)
    .description(description)
    .exitOverride(leave)
    .addHelpText('after', `\nExamples:\n${examples.map((it) => `  ${it}`).join('\n')}`);
}

export function withOutput(it: Command): Command {
  return it
    .option('--json', 'print one JSON object on stdout and nothing else there')
    .option('--quiet', 'no progress, only faults and the result');
}

export function withRun(it: Command): Command {
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
export const REPORT = [
  '--report <file>',
  'write a web page (.html) of the run too; {job}, {run} and {input} in its name are put in',
] as const;

/** For commands that send or compare: nobody watches checks. */
export function withMetrics(it: Command): Command {
  return it.option('--metrics-file <file>', 'write Prometheus metrics to this file (.prom) at the end');
}

export function withJob(it: Command): Command {
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

export function whole(text: string): number {
  if (!/^\d{1,12}$/.test(text)) throw new InvalidArgumentError('a whole number is wanted.');
  return Number(text);
}

export function positive(text: string): number {
  const value = whole(text);
  if (value < 1) throw new InvalidArgumentError('a whole number from 1 is wanted.');
  return value;
}

export function gather(value: string, before: string[]): string[] {
  return [...before, value];
}
