import { type Code, type Language, message, render } from '../../errors/message.js';
import { EXIT } from '../../model/exit-code.js';
import { OPERATION_NAMES, type Operation } from '../../model/operation.js';
import { operationNamed } from '../../platform/operations/index.js';
import { describeOperation, type FieldLine } from '../../platform/operations/listing.js';
import { chineseMeaning, chinesePurpose, chineseValue } from '../../platform/operations/words.js';
import { guarded } from '../exit.js';
import { languageOf } from '../language.js';
import { table } from '../table.js';
import { operationOf } from '../unknown-word.js';

/** `operations [OPERATION]` */
export async function operations(
  name: string | undefined,
  flags: { readonly json?: boolean },
): Promise<void> {
  const language = languageOf(process.env);
  await guarded(language, async () => {
    if (name === undefined) listAll(flags.json === true, language);
    else describeOne(name, flags.json === true, language);
    return EXIT.ok;
  });
}

function listAll(json: boolean, language: Language): void {
  const say = sayer(language);
  const all = OPERATION_NAMES.map((it) => operationNamed(it));
  if (json) {
    print(
      all.map((it) => ({
        name: it.name,
        purpose: it.purpose,
        endpoint: it.endpoint.number,
        method: it.endpoint.method,
        path: it.endpoint.path,
        repeatable: it.repeatable,
        batchSize: it.batch.size,
      })),
    );
    return;
  }
  const lines = all.map((it) => [
    it.name,
    String(it.endpoint.number),
    say(it.repeatable ? 'listing.yes' : 'listing.no'),
    String(it.batch.size),
    purposeOf(it, language),
  ]);
  const header = (['operation', 'endpoint', 'repeatable', 'batch', 'purpose'] as const).map((it) =>
    say(`listing.${it}`),
  );
  process.stdout.write(table([header, ...lines]));
}

function describeOne(name: string, json: boolean, language: Language): void {
  const say = sayer(language);
  const operation = operationNamed(operationOf(name));
  const fields = describeOperation(operation);
  if (json) {
    const told = fields.map(({ field: _, ...it }) => it);
    print({ name, purpose: operation.purpose, fields: told });
    return;
  }
  const { endpoint } = operation;
  const place = message('listing.at_endpoint', { number: endpoint.number, section: endpoint.section });
  process.stdout.write(
    `${name}: ${purposeOf(operation, language)}\n${endpoint.method} ${endpoint.path} ${render(place, language)}\n\n`,
  );
  const lines = fields.map((it) => [
    it.path,
    it.type,
    it.required ? say('listing.required') : '',
    meaningOf(it, language),
  ]);
  const header = [say('listing.field'), say('listing.type'), '', say('listing.meaning')];
  process.stdout.write(table([header, ...lines]));
  for (const field of fields) {
    if (!field.values || field.values.length === 0) continue;
    process.stdout.write(`\n${render(message('listing.one_of', { field: field.path }), language)}\n`);
    const values = field.values.map(({ value, meaning }) => [
      `  ${value}`,
      (language === 'zh' && chineseValue(field.field, value)) || meaning,
    ]);
    process.stdout.write(table(values));
  }
}

type Word = Extract<Code, `listing.${string}`>;

function sayer(language: Language): (word: Word) => string {
  return (word) => render({ code: word, params: {} }, language);
}

function purposeOf({ name, purpose }: Operation, language: Language): string {
  return (language === 'zh' && chinesePurpose(name)) || purpose;
}

/** With what happens when the field is left out, where that isn't nothing. */
function meaningOf({ field }: FieldLine, language: Language): string {
  const meaning = (language === 'zh' && chineseMeaning(field)) || field.meaning;
  if (field.generated) return `${meaning} ${sayer(language)('listing.made_by_program')}`;
  if (field.default === undefined) return meaning;
  const isEmptyList = Array.isArray(field.default) && field.default.length === 0;
  const value = isEmptyList ? message('listing.empty_list') : String(field.default);
  return `${meaning} ${render(message('listing.default_value', { value }), language)}`;
}

function print(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value, undefined, 2)}\n`);
}
