import type { Language } from '../errors/message.js';

/** Set by `--lang` for the whole process. */
const LANGUAGE_VARIABLE = 'LICENSE_SYNC_LANG';

/** The language of `--lang`, otherwise of the locale variables: Simplified Chinese or English. */
export function languageOf(env: NodeJS.ProcessEnv): Language {
  const locale = env[LANGUAGE_VARIABLE] || env.LC_ALL || env.LC_MESSAGES || env.LANG || '';
  return /^zh/i.test(locale) ? 'zh' : 'en';
}

/** Reads `--lang` before the command line is parsed, because help and parsing errors use it too. */
export function setLanguage(argv: readonly string[], env: NodeJS.ProcessEnv): void {
  const values = argv.map((it, at) => (it === '--lang' ? argv[at + 1] : /^--lang=(.*)$/.exec(it)?.[1]));
  const language = values.find((it) => it === 'zh' || it === 'en');
  if (language !== undefined) env[LANGUAGE_VARIABLE] = language;
}
