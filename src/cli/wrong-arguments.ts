import { type Command, CommanderError } from 'commander';
import { argumentFailure } from '../app/argument-failure.js';
import type { ExpectedArgument } from '../job/wrong-argument.js';
import { EXIT } from '../model/exit-code.js';
import { nearest } from '../util/nearest.js';
import { contextOf } from './context.js';
import { printFailure } from './exit.js';
import { leave } from './program/shapes.js';
import { words } from './program/words.js';

/** Arguments by their names in the usage of commands. */
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
 * Exits with 2 if an argument is of another kind than the command takes, and names the command that takes it. Checked
 * before settings, flags or a ledger are looked at.
 */
export function refuseWrongArguments({ args, registeredArguments, commands }: Command): void {
  const isGroup = commands.length > 0 && registeredArguments.length === 0;
  const unknown = isGroup ? args[0] : undefined;
  if (unknown !== undefined) {
    refuseWrongArgument(unknown, 'command');
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
      refuseWrongArgument(given, expected);
  }
}

/** Explains an unknown command that is a spreadsheet, a job, a folder, a run or an operation. */
export function explainUnknownCommand(error: CommanderError): never {
  const name = /^error: unknown command '(.*?)'/.exec(error.message)?.[1] ?? '';
  refuseWrongArgument(name, 'command');
  return leave(error);
}

function refuseWrongArgument(given: string, expected: ExpectedArgument): void {
  const failure = argumentFailure(contextOf(), given, expected);
  if (!failure) return;
  printFailure(failure);
  leave(new CommanderError(failure.exitCode, failure.code, failure.text));
}
