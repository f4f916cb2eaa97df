import { type AppContext, callerFrom } from '../app/context.js';
import { type Message, render } from '../errors/message.js';
import { languageOf } from './language.js';
import { shownText } from './shown-path.js';

/** Where a command looks for things: the process's own environment and folder. */
export function contextOf({ ledger }: { readonly ledger?: string } = {}): AppContext {
  const language = languageOf(process.env);
  const found = (it: Message): unknown => process.stderr.write(`${shownText(render(it, language))}\n`);
  return { env: process.env, cwd: process.cwd(), language, ledger, as: callerFrom(process.env), found };
}
