import { Command, Option } from 'commander';
import { VERSION } from '../util/own-package.js';
import { setLanguage } from './language.js';
import type { CommandRow, CommandRows } from './program/command-row.js';
import { faultText, type HelpWord, localizeHelp, words } from './program/commander-texts.js';
import { leaveOrThrow, refuseMissingFolder } from './program/leave.js';
import { LEDGER_COMMANDS } from './program/ledger-commands.js';
import type { OptionRows } from './program/options.js';
import { RUN_COMMANDS } from './program/run-commands.js';

/**
 * The command line. Only options and help are defined here: a command's module is loaded when the command is run, so that
 * `--help` is fast.
 */
export function program(): Command {
  setLanguage(process.argv, process.env);
  const root = localizeHelp(new Command('license-sync'))
    .description(words('help.about'))
    .version(VERSION, '-V, --version', words('help.version'))
    .addOption(new Option('--lang <language>', words('help.lang')).choices(['en', 'zh']))
    .hook('preAction', async (_, action) => {
      refuseMissingFolder();
      (await import('./process.js')).installFatalErrorHandlers();
      await (await import('./wrong-arguments.js')).refuseWrongArguments(action);
    })
    .showHelpAfterError(words('help.more'))
    .configureOutput({
      writeErr: (text) => process.stderr.write(text),
      outputError: (text, write) => write(`${faultText(text)}\n`),
    })
    .exitOverride(leaveOrThrow);
  addAll(root, { ...RUN_COMMANDS, ...LEDGER_COMMANDS }, '');
  refuseRepeatedOptions(root);
  return root;
}

/** @param prefix of the help texts of subcommands */
function addAll(parent: Command, rows: CommandRows, prefix: string): void {
  for (const [usage, row] of Object.entries(rows)) {
    const name = `${prefix}${usage.split(' ')[0]}`.replaceAll('-', '_');
    const lines = row.examples.map((it) => `  ${it}`).join('\n');
    const command = parent
      .command(usage)
      .description(words(`help.${row.text ?? (name as HelpWord)}`))
      .exitOverride(leaveOrThrow)
      .addHelpText('after', `\n${words('help.examples')}\n${lines}`)
      .allowExcessArguments(row.allowsExcess === true);
    for (const [name, [text, parse]] of Object.entries(row.arguments ?? {}))
      command.argument(name, words(`help.${text}`), parse);
    for (const it of Object.entries(row.required ?? {}))
      command.addOption(optionOf(it).makeOptionMandatory());
    for (const it of Object.entries(row.options ?? {})) command.addOption(optionOf(it));
    addAll(command, row.subcommands ?? {}, `${name}_`);
    if (row.use || row.work) command.action(() => perform(command, row));
  }
}

function optionOf([flags, details]: [string, OptionRows[string]]): Option {
  const [text, parse, standard] = typeof details === 'string' ? [details] : details;
  const option = new Option(flags, words(`help.${text}`));
  if (typeof parse === 'function') option.argParser(parse);
  else if (parse) option.choices(parse);
  return standard === undefined ? option : option.default(standard);
}

/** Loads and runs a command. Options of the commands above it are included. */
async function perform(command: Command, { use, work, terminal, printsChanges, input }: CommandRow) {
  const { lang: _, ...given } = command.optsWithGlobals();
  const flags = { ...given, ...input?.(given) };
  const args = [...command.processedArgs.slice(0, command.registeredArguments.length), flags];
  if (work) {
    const { guarded } = await import('./process.js');
    await guarded(flags, async (context) => (await work())(context, ...args));
    return;
  }
  const { terminalContext } = await import('./terminal.js');
  const { execute } = await import('../app/use-cases.js');
  const context = terminalContext(flags, { ...terminal, changes: printsChanges && flags });
  await execute(context, use!, ...(args as never));
}

/** Exits with 2 if an option with a value is given twice, unless its values are collected: only one would be used. */
function refuseRepeatedOptions(command: Command): void {
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
