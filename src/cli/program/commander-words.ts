import type { Argument, Command, Option } from 'commander';
import type { HELP } from '../../errors/catalogue/help.js';
import { words } from './words.js';

/** Commander's own titles, by their English words. */
const TITLES: Readonly<Record<string, keyof typeof HELP>> = {
  'Usage:': 'help.usage',
  'Arguments:': 'help.arguments',
  'Options:': 'help.options',
  'Global Options:': 'help.global_options',
  'Commands:': 'help.commands',
};

/** Commander's help in the language of the process; subcommands made afterwards inherit it. */
export function speakHelp(it: Command): Command {
  return it
    .configureHelp({
      styleTitle: (title) => words(TITLES[title] ?? 'help.options'),
      optionDescription: (option) => described(option),
      argumentDescription: (argument) => described(argument),
    })
    .helpOption('-h, --help', words('help.help'))
    .helpCommand('help [command]', words('help.help'));
}

function described({ description, argChoices, defaultValue }: Option | Argument): string {
  const extras: string[] = [];
  if (argChoices) extras.push(words('help.choices', { values: argChoices.join(', ') }));
  const isSaid = defaultValue !== undefined && !(Array.isArray(defaultValue) && defaultValue.length === 0);
  if (isSaid) extras.push(words('help.default', { value: String(defaultValue) }));
  return extras.length > 0 ? `${description} (${extras.join('; ')})` : description;
}

/** What commander says of a wrong command line: its English form, and what becomes of it. */
const FAULTS: readonly [RegExp, (found: RegExpExecArray) => string][] = [
  [/^unknown option '(.*?)'/, ([, flag = '']) => words('help.unknown_option', { flag })],
  [/^unknown command '(.*?)'/, ([, name = '']) => words('help.unknown_command', { name })],
  [/^missing required argument '(.*?)'/, ([, name = '']) => words('help.missing_argument', { name })],
  [/^option '(.*?)' argument missing/, ([, flags = '']) => words('help.option_argument_missing', { flags })],
  [/^required option '(.*?)' not specified/, ([, flags = '']) => words('help.required_option', { flags })],
  [
    /^too many arguments.*?Expected (\d+) arguments? but got (\d+)/,
    ([, expected = '', received = '']) => words('help.too_many_arguments', { expected, received }),
  ],
  [
    /^option '(.*?)' argument '([\s\S]*?)' is invalid\. ?([\s\S]*)/,
    ([, flags = '', value = '', why = '']) =>
      words('help.invalid_option', { flags, value, why: reason(why) }),
  ],
  [
    /^command-argument value '([\s\S]*?)' is invalid for argument '(.*?)'\. ?([\s\S]*)/,
    ([, value = '', name = '', why = '']) =>
      words('help.invalid_argument', { name, value, why: reason(why) }),
  ],
];

/** A fault of the command line as commander words it (`error: …`), in the language of the process. */
export function faultText(english: string): string {
  const said = english.trim().replace(/^error: /, '');
  for (const [form, say] of FAULTS) {
    const found = form.exec(said);
    if (!found) continue;
    const near = /\(Did you mean (?:one of )?([^?]+)\?\)/.exec(said)?.[1];
    const hint = near === undefined ? '' : `\n${words('help.did_you_mean', { names: near })}`;
    return words('help.error', { what: say(found).trim() }) + hint;
  }
  return english.trim();
}

/** Our own reasons are in the right language already. */
function reason(why: string): string {
  const values = /^Allowed choices are ([\s\S]*?)\.\s*$/.exec(why)?.[1];
  return values === undefined ? why.trim() : words('help.allowed', { values });
}
