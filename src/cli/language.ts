import type { Language } from '../errors/message.js';

/** What `--lang` sets for the whole process. */
export const LANGUAGE_VARIABLE = 'LICENSE_SYNC_LANG';

/** As told by `--lang`; else Simplified Chinese where the environment asks for it, else English. */
export function languageOf(env: NodeJS.ProcessEnv): Language {
  const said = env[LANGUAGE_VARIABLE] || env.LC_ALL || env.LC_MESSAGES || env.LANG || '';
  return /^zh/i.test(said) ? 'zh' : 'en';
}
