import { EN_HELP } from '../../errors/locales/en-help.js';
import { ZH_HELP } from '../../errors/locales/zh-help.js';
import { languageOf } from '../language.js';

/** Only the help texts, so that `--help` starts fast. */
const TEXTS = { en: EN_HELP, zh: ZH_HELP };

export function words(code: keyof typeof EN_HELP, params: Readonly<Record<string, string>> = {}): string {
  const text: string = TEXTS[languageOf(process.env)][code];
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => params[name] ?? whole);
}
