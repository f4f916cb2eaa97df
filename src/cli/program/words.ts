import { HELP } from '../../errors/catalogue/help.js';
import { HELP_RUNS } from '../../errors/catalogue/help-runs.js';
import { HELP_TEAM } from '../../errors/catalogue/help-team.js';
import { languageOf } from '../language.js';

/** Straight from their parts of the catalogue: `--help` should not wait for the rest. */
const WORDS = { ...HELP, ...HELP_RUNS, ...HELP_TEAM };

export function words(code: keyof typeof WORDS, params: Readonly<Record<string, string>> = {}): string {
  const text: string = WORDS[code][languageOf(process.env)];
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => params[name] ?? whole);
}
