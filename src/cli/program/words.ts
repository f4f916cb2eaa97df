import { HELP } from '../../errors/catalogue/help.js';
import { languageOf } from '../language.js';

/** Straight from its part of the catalogue: `--help` should not wait for the rest. */
export function words(code: keyof typeof HELP, params: Readonly<Record<string, string>> = {}): string {
  const text: string = HELP[code][languageOf(process.env)];
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => params[name] ?? whole);
}
