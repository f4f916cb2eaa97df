import { type Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { faultText } from './commander-texts.js';
import { orLost } from './stdout-lost.js';
import { words } from './words.js';

/** As `leave`, but throws an unknown command, which `wrong-arguments.ts` explains. */
export function leaveOrThrow(error: CommanderError): never {
  if (error.code === 'commander.unknownCommand') throw error;
  return leave(error);
}

/** Exits with 2 for usage errors (contract section 7), with 0 for help and version. */
export function leave(error: CommanderError): never {
  if (error.exitCode !== 0 && process.argv.includes('--json')) {
    const summary = { status: 'stopped', rows: 0, counts: {}, requests: 0, retries: 0 };
    const detail = { code: error.code, message: faultText(error.message), others: [] };
    process.stdout.write(`${JSON.stringify({ ...summary, error: detail })}\n`);
  }
  process.exit(orLost(error.exitCode === 0 ? 0 : 2));
}

/** Exits with 2 if the current folder was deleted: Node cannot name it, and every path would be relative to nothing. */
export function refuseMissingFolder(): void {
  try {
    process.cwd();
  } catch {
    const text = words('help.no_folder');
    process.stderr.write(`license-sync: ${text}\n`);
    leave(new CommanderError(2, 'help.no_folder', text));
  }
}

/** Exits with 2 if an option with a value is given twice, unless its values are collected: only one would be used. */
export function refuseRepeatedOptions(command: Command): void {
  for (const option of command.options) {
    if (option.isBoolean() || Array.isArray(option.defaultValue)) continue;
    let isGiven = false;
    command.on(`option:${option.name()}`, () => {
      if (isGiven)
        command.error(words('help.error', { what: words('help.option_twice', { flags: option.flags }) }));
      isGiven = true;
    });
  }
  for (const subcommand of command.commands) refuseRepeatedOptions(subcommand);
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
    .exitOverride(leaveOrThrow)
    .addHelpText('after', `\n${words('help.examples')}\n${examples.map((it) => `  ${it}`).join('\n')}`);
}

export function withOutput(it: Command): Command {
  return it.option('--json', words('help.json_only')).option('--quiet', words('help.quiet'));
}

export function withRun(it: Command): Command {
  return withOutput(it)
    .option('--output <file>', words('help.output'))
    .option('--connection <name>', words('help.connection'))
    .addOption(new Option('--concurrency <n>', words('help.concurrency')).argParser(positive))
    .addOption(new Option('--max-items <n>', words('help.max_items')).argParser(whole))
    .addOption(new Option('--max-deletes <n>', words('help.max_deletes')).argParser(whole))
    .option('--log-file <file>', words('help.log_file'))
    .option('--yes', words('help.yes'))
    .option('--accept-restored', words('help.accept_restored'))
    .option('--ledger <location>', words('help.ledger'));
}

/** For commands that execute or check a run. */
export function reportOption(): readonly [string, string] {
  return ['--report <file>', words('help.report')];
}

/** For commands that read a spreadsheet for the first time. */
export function correctionsOption(): readonly [string, string] {
  return ['--corrections <file>', words('help.corrections')];
}

/** For commands that send or compare. */
export function withMetrics(it: Command): Command {
  return it.option('--metrics-file <file>', words('help.metrics'));
}

export function withJob(it: Command): Command {
  return withRun(it)
    .option(...reportOption())
    .option('--input <file>', words('help.input'))
    .addOption(new Option('--on-invalid <what>', words('help.on_invalid')).choices(['abort', 'skip']))
    .option('--set <key=value>', words('help.set_retries'), gather, []);
}

export function whole(text: string): number {
  if (!/^\d{1,12}$/.test(text)) throw new InvalidArgumentError(words('help.whole_number'));
  return Number(text);
}

export function port(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535)
    throw new InvalidArgumentError(words('help.port_number'));
  return Number(text);
}

export function gatherWhole(text: string, before: number[]): number[] {
  return [...before, whole(text)];
}

/** `7`, `3-59` or `3,5-9`, repeated. */
export function gatherRows(text: string, before: [number, number][]): [number, number][] {
  const added = text.split(/[,、，]/).map((part): [number, number] => {
    const [, first = '', last = first] = /^\s*(\d{1,9})(?:\s*-\s*(\d{1,9}))?\s*$/.exec(part) ?? [];
    if (first === '' || Number(first) < 1 || Number(last) < Number(first))
      throw new InvalidArgumentError(words('help.rows_form'));
    return [Number(first), Number(last)];
  });
  return [...before, ...added];
}

export function positive(text: string): number {
  const value = whole(text);
  if (value < 1) throw new InvalidArgumentError(words('help.whole_from_one'));
  return value;
}

export function gather(value: string, before: string[]): string[] {
  return [...before, value];
}
