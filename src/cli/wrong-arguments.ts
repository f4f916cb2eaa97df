import { type Command, CommanderError } from 'commander';
import { argumentFailure } from '../app/failure.js';
import type { ExpectedArgument } from '../job/wrong-argument.js';
import { EXIT } from '../model/run-outcome.js';
import { nearest } from '../util/name-match.js';
import { contextOf, printFailure } from './process.js';
import { words } from './program/commander-texts.js';
import { leave } from './program/leave.js';

/** Expected kinds of arguments, by their names in usages. */
const EXPECTED = {
  job: 'job',
  paths: 'jobs',
  run: 'run',
  plan: 'run',
  operation: 'operation',
  'operation-or-job': 'operation_or_job',
  file: 'spreadsheet',
} as const;

/**
 * Exits with 2 if an argument is of another kind than the command accepts, and names the command that accepts it. Checked
 * before settings, flags and the ledger.
 */
export async function refuseWrongArguments({ args, registeredArguments, commands }: Command): Promise<void> {
  const isGroup = commands.length > 0 && registeredArguments.length === 0;
  const unknown = isGroup ? args[0] : undefined;
  if (unknown !== undefined) {
    await refuseWrongArgument(unknown, 'command');
    const near = nearest(
      unknown,
      commands.map((it) => it.name()),
    );
    const text = words('help.error', { what: words('help.unknown_command', { name: unknown }) });
    const hint = near === undefined ? '' : `\n${words('help.did_you_mean', { names: near })}`;
    process.stderr.write(`${text}${hint}\n`);
    leave(new CommanderError(EXIT.usage, 'commander.unknownCommand', text));
  }
  for (const [index, argument] of registeredArguments.entries()) {
    const expected = EXPECTED[argument.name() as keyof typeof EXPECTED];
    if (expected === undefined) continue;
    for (const given of argument.variadic ? args.slice(index) : args.slice(index, index + 1))
      await refuseWrongArgument(given, expected);
  }
}

/** Explains an unknown command that is a spreadsheet, a job, a folder, a run or an operation. */
export async function explainUnknownCommand(error: CommanderError): Promise<never> {
  const name = /^error: unknown command '(.*?)'/.exec(error.message)?.[1] ?? '';
  await refuseWrongArgument(name, 'command');
  return leave(error);
}

async function refuseWrongArgument(given: string, expected: ExpectedArgument): Promise<void> {
  const failure = await argumentFailure(contextOf(), given, expected);
  if (!failure) return;
  printFailure(failure);
  leave(new CommanderError(failure.exitCode, failure.code, failure.text));
}
