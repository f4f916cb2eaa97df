import type { Language } from '../errors/message.js';

/** Simplified Chinese where the environment asks for it, else English. */
export function languageOf(env: NodeJS.ProcessEnv): Language {
  const said = env.LC_ALL || env.LC_MESSAGES || env.LANG || '';
  return /^zh/i.test(said) ? 'zh' : 'en';
}
