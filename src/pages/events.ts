import { CATALOGUE } from '../errors/catalogue/index.js';
import type { Code } from '../errors/message.js';
import type { AttemptKind, RunPage } from './contract.js';
import { count, share } from './format.js';
import type { Markup } from './markup.js';
import { figuresTable } from './table.js';
import type { Words } from './words.js';

/** How attempts ended, by kind. */
export function eventsOf({ figures: { kinds } }: RunPage, words: Words): Markup {
  const all = kinds.reduce((sum, it) => sum + it.attempts, 0);
  const columns = [
    { title: words('html.event'), look: 'wide', heads: true },
    { title: 'HTTP', look: 'n', labelled: true },
    { title: words('html.attempts'), look: 'n', labelled: true },
    { title: words('html.share'), look: 'n' },
    { title: words('html.settled'), look: 'n', labelled: true },
  ];
  const lines = kinds.map((it) => [
    kindText(it, words),
    it.httpStatus === undefined ? undefined : String(it.httpStatus),
    count(it.attempts),
    share(it.attempts, all),
    count(it.settled),
  ]);
  return figuresTable(columns, lines);
}

/** A kind in words; one from a newer ledger is shown as it is. */
function kindText({ event, sent }: AttemptKind, words: Words): string {
  const codes = [...(sent === false ? [`html.event_${event}_unsent`] : []), `html.event_${event}`];
  const known = codes.find((it) => Object.hasOwn(CATALOGUE, it));
  return known === undefined ? event : (words as (code: Code) => string)(known as Code);
}
