import type { Language } from '../errors/message.js';

/** What `--lang` sets for the whole process. */
const LANGUAGE_VARIABLE = 'LICENSE_SYNC_LANG';

/** As told by `--lang`; else Simplified Chinese where the environment asks for it, else English. */
export function languageOf(env: NodeJS.ProcessEnv): Language {
  const said = env[LANGUAGE_VARIABLE] || env.LC_ALL || env.LC_MESSAGES || env.LANG || '';
  return /^zh/i.test(said) ? 'zh' : 'en';
}

/** Takes `--lang` from the command line before it is read as a whole: help and faults speak by it too. */
export function adoptLanguage(argv: readonly string[], env: NodeJS.ProcessEnv): void {
  const said = argv.map((it, at) => (it === '--lang' ? argv[at + 1] : /^--lang=(.*)$/.exec(it)?.[1]));
  const language = said.find((it) => it === 'zh' || it === 'en');
  if (language !== undefined) env[LANGUAGE_VARIABLE] = language;
}
