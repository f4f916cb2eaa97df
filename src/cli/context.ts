import type { AppContext } from '../app/context.js';
import { languageOf } from './language.js';

/** Where a command looks for things: the process's own environment and folder. */
export function contextOf({ ledger }: { readonly ledger?: string } = {}): AppContext {
  return { env: process.env, cwd: process.cwd(), language: languageOf(process.env), ledger };
}
