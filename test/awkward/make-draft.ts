import { Random } from '../support/random.js';
import { CALCULATED } from './awkwardnesses/calculated.js';
import { DATES } from './awkwardnesses/dates.js';
import { FILES } from './awkwardnesses/files.js';
import { FRAME } from './awkwardnesses/frame.js';
import { GROUPS } from './awkwardnesses/groups.js';
import { IDENTIFIERS } from './awkwardnesses/identifiers.js';
import { type Awkwardness, PHASES } from './awkwardnesses/kinds.js';
import { LINES } from './awkwardnesses/lines.js';
import { NUMBERS } from './awkwardnesses/numbers.js';
import { RECORDS } from './awkwardnesses/records.js';
import { TEXTS } from './awkwardnesses/texts.js';
import type { Wish } from './scenarios/make.js';
import { deleteAsset, joinedBuy, newBuy } from './scenarios/orders.js';
import { bindCustomers, customers, lockLocks, numbers, participants } from './scenarios/others.js';
import type { BookStyle, Draft, Page, Scenario, Settings, TextStyle } from './sheet.js';

export const AWKWARDNESSES: readonly Awkwardness[] = [
  ...RECORDS,
  ...IDENTIFIERS,
  ...TEXTS,
  ...CALCULATED,
  ...DATES,
  ...NUMBERS,
  ...GROUPS,
  ...LINES,
  ...FRAME,
  ...FILES,
];

interface Made {
  readonly scenario: Scenario;
  readonly page: Page;
  readonly joined?: Page;
}

const SCENARIOS: readonly ((wish: Wish) => Made)[] = [
  (wish) => newBuy(wish, false),
  (wish) => newBuy(wish, true),
  (wish) => deleteAsset(wish),
  (wish) => lockLocks(wish),
  (wish) => customers(wish, 'create'),
  (wish) => customers(wish, 'update'),
  (wish) => bindCustomers(wish),
  (wish) => numbers(wish),
  (wish) => participants(wish),
  (wish) => newBuy(wish, true, 'delete_product'),
];

/**
 * A sheet that follows from its seed alone. One in five is without errors; the others have one to
 * four awkwardnesses.
 * @param only the awkwardnesses to put in, in place of a random choice
 */
export function makeDraft(seed: number, only?: readonly string[]): Draft {
  const random = new Random(seed);
  const format = random.chance(0.6) ? 'xlsx' : 'csv';
  const wish: Wish = { random, format, language: random.chance(0.5) ? 'zh' : 'en' };
  const joined = format === 'xlsx' && random.chance(0.12);
  // Now and then more rows than are read at a time.
  const large = !joined && random.chance(0.03);
  const small = (): Made => (joined ? joinedBuy(wish) : random.pick(SCENARIOS)(wish));
  const made = large ? newBuy(wish, random.chance(0.5), 'new_buy', true) : small();
  const text = textStyle(random);
  const draft: Draft = {
    seed,
    random,
    ...made,
    format,
    settings: settings(random),
    text,
    extension: extension(random, format, text.delimiter),
    book: bookStyle(random),
    before: [],
    refusal: 'no',
    done: [],
  };
  // What has no errors, and what names sheets where there are none.
  if (draft.joined) draft.settings.namesSheet = true;
  const wanted = only ? only.map(named) : chosen(draft);
  for (const phase of PHASES) {
    for (const it of wanted.filter((one) => one.phase === phase)) {
      if (it.format !== undefined && it.format !== format) continue;
      if (it.apply(draft)) draft.done.push(it.name);
    }
  }
  return draft;
}

function chosen(draft: Draft): readonly Awkwardness[] {
  const { random, format } = draft;
  const count = random.chance(0.2) ? 0 : random.whole(1, draft.seed % 5 === 0 ? 8 : 4);
  const fitting = AWKWARDNESSES.filter((it) => it.format === undefined || it.format === format);
  return random.shuffled(fitting).slice(0, count);
}

function named(name: string): Awkwardness {
  const found = AWKWARDNESSES.find((it) => it.name === name);
  if (!found) throw new Error(`no awkwardness is called ${name}`);
  return found;
}

function settings(random: Random): Settings {
  return {
    unit: random.chance(0.8) ? 'milliseconds' : 'seconds',
    onInvalid: random.chance(0.5) ? 'abort' : 'skip',
    namesSheet: random.chance(0.5),
  };
}

function textStyle(random: Random): TextStyle {
  return {
    encoding: random.pick(['utf-8', 'utf-8-bom', 'utf-16le', 'utf-16be', 'gb18030', 'gb18030']),
    delimiter: random.pick([',', ',', ',', ';', '\t', '|']),
    newline: random.pick(['\n', '\r\n']),
    quoteAll: random.chance(0.2),
  };
}

function extension(random: Random, format: Draft['format'], delimiter: string): string {
  if (format === 'xlsx') return random.pick(['.xlsx', '.xlsx', '.xlsm']);
  return delimiter === '\t' ? random.pick(['.csv', '.tsv', '.txt']) : random.pick(['.csv', '.csv', '.txt']);
}

function bookStyle(random: Random): BookStyle {
  return {
    writer: random.chance(0.5) ? 'exceljs' : 'by hand',
    date1904: false,
    prefix: random.pick(['', '', 'x:', 'main:']),
    strict: random.chance(0.3),
    strings: random.pick(['shared', 'inline', 'mixed']),
    references: random.chance(0.7),
    claims: random.chance(0.3),
  };
}
