import type { AppContext } from '../../app/context.js';
import { listOperations, showOperation } from '../../app/operations.js';
import { type Code, type Language, message, render } from '../../errors/message.js';
import { printJson, table } from '../shown-text.js';

/** `operations [OPERATION]` */
export async function operations(
  { language }: AppContext,
  name: string | undefined,
  flags: { readonly json?: boolean },
): Promise<void> {
  if (name === undefined) listAll(flags.json === true, language);
  else describeOne(name, flags.json === true, language);
}

function listAll(json: boolean, language: Language): void {
  if (json) {
    printJson(listOperations('en'), 2);
    return;
  }
  const text = renderer(language);
  const lines = listOperations(language).map((it) => [
    it.name,
    String(it.endpoint),
    text(it.repeatable ? 'listing.yes' : 'listing.no'),
    String(it.batchSize),
    it.purpose,
  ]);
  const header = (['operation', 'endpoint', 'repeatable', 'batch', 'purpose'] as const).map((it) =>
    text(`listing.${it}`),
  );
  process.stdout.write(table([header, ...lines]));
}

function describeOne(name: string, json: boolean, language: Language): void {
  const { endpoint, ...data } = showOperation(name, json ? 'en' : language);
  if (json) {
    printJson(data, 2);
    return;
  }
  const { purpose, fields, returns, lookup } = data;
  const text = renderer(language);
  const place = message('listing.at_endpoint', { number: endpoint.number, section: endpoint.section });
  process.stdout.write(
    `${name}: ${purpose}\n${endpoint.method} ${endpoint.path} ${render(place, language)}\n\n`,
  );
  const lines = fields.map((it) => [
    it.path,
    it.type,
    it.required ? text('listing.required') : '',
    it.meaning,
  ]);
  const header = [text('listing.field'), text('listing.type'), '', text('listing.meaning')];
  process.stdout.write(table([header, ...lines]));
  for (const { path, values = [] } of fields) {
    if (values.length === 0) continue;
    process.stdout.write(`\n${render(message('listing.one_of', { field: path }), language)}\n`);
    process.stdout.write(table(values.map(({ value, meaning }) => [`  ${value}`, meaning])));
  }
  const single = returns.filter(({ many }) => !many).map((it) => it.name);
  const arrays = returns.filter(({ many }) => many).map((it) => it.name);
  const notes = [
    ...(single.length > 0 ? [message('listing.returns', { names: single.join(', ') })] : []),
    ...(arrays.length > 0 ? [message('listing.returns_many', { names: arrays.join(', ') })] : []),
    ...(lookup ? [message('listing.lookup', { operation: name })] : []),
  ];
  if (notes.length > 0) process.stdout.write('\n');
  for (const it of notes) process.stdout.write(`${render(it, language)}\n`);
}

type Word = Extract<Code, `listing.${string}`>;

function renderer(language: Language): (word: Word) => string {
  return (word) => render({ code: word, params: {} }, language);
}
