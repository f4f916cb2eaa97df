import type { Argument, Command, Option } from 'commander';
import { EN_HELP } from '../../errors/locales/en-help.js';
import { ZH_HELP } from '../../errors/locales/zh-help.js';
import { languageOf } from '../language.js';

/** Only the help texts, so that `--help` starts fast. */
const TEXTS = { en: EN_HELP, zh: ZH_HELP };

/** The code of a help text without its prefix. */
export type HelpWord = keyof typeof EN_HELP extends infer Code
  ? Code extends `help.${infer Word}`
    ? Word
    : never
  : never;

export function words(code: keyof typeof EN_HELP, params: Readonly<Record<string, string>> = {}): string {
  const text: string = TEXTS[languageOf(process.env)][code];
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => params[name] ?? whole);
}

/** Commander's titles, by their English texts. */
const TITLES: Readonly<Record<string, keyof typeof EN_HELP>> = {
  'Usage:': 'help.usage',
  'Arguments:': 'help.arguments',
  'Options:': 'help.options',
  'Global Options:': 'help.global_options',
  'Commands:': 'help.commands',
};

/** Localises commander's help; subcommands created afterwards inherit it. */
export function localizeHelp(command: Command): Command {
  return command
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
  const hasDefault =
    defaultValue !== undefined && !(Array.isArray(defaultValue) && defaultValue.length === 0);
  if (hasDefault) extras.push(words('help.default', { value: String(defaultValue) }));
  return extras.length > 0 ? `${description} (${extras.join('; ')})` : description;
}

/** Commander's errors: the English pattern and the localised text. */
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

/** Localises an error of the command line (`error: …`). */
export function faultText(english: string): string {
  const text = english.trim().replace(/^error: /, '');
  for (const [form, textOf] of FAULTS) {
    const found = form.exec(text);
    if (!found) continue;
    const near = /\(Did you mean (?:one of )?([^?]+)\?\)/.exec(text)?.[1];
    const hint = near === undefined ? '' : `\n${words('help.did_you_mean', { names: near })}`;
    return words('help.error', { what: textOf(found).trim() }) + hint;
  }
  return english.trim();
}

/** Reasons from this program are already localised. */
function reason(why: string): string {
  const values = /^Allowed choices are ([\s\S]*?)\.\s*$/.exec(why)?.[1];
  return values === undefined ? why.trim() : words('help.allowed', { values });
}
