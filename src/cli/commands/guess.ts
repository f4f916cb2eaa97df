import { access } from 'node:fs/promises';
import path from 'node:path';
import { type Language, type Message, message, render } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import { type Guess, guessJob } from '../../guess/guess.js';
import type { Fit } from '../../guess/propose.js';
import { EXIT } from '../../model/exit-code.js';
import { plainText } from '../../util/plain-text.js';
import { guarded } from '../exit.js';
import { schemaFor } from '../job-schema-file.js';
import { languageOf } from '../language.js';
import { table } from '../table.js';
import { operationOf } from '../unknown-word.js';
import { writeText } from '../write-text.js';

export interface GuessFlags {
  readonly operation?: string;
  readonly output?: string;
  readonly encoding?: string;
  readonly force?: boolean;
  readonly json?: boolean;
}

/** `guess FILE`: a job file from a spreadsheet. */
export async function guess(file: string, flags: GuessFlags): Promise<void> {
  const language = languageOf(process.env);
  await guarded(language, () => write(file, flags, language), flags.json === true);
}

async function write(file: string, flags: GuessFlags, language: Language): Promise<number> {
  const operation = flags.operation === undefined ? undefined : operationOf(flags.operation);
  const output = flags.output ?? `${path.basename(file, path.extname(file))}.yaml`;
  if (!/\.ya?ml$/i.test(output)) throw new ProductError('usage', message('guess.not_yaml', { file: output }));
  const jobFile = path.resolve(output);
  if (!flags.force && (await isThere(jobFile))) {
    throw new ProductError('usage', message('guess.exists', { file: output }));
  }
  const schema = await schemaFor(path.dirname(jobFile));
  const found = await guessJob({
    file,
    jobFile,
    schema: schema.reference,
    language,
    ...(operation === undefined ? {} : { operation }),
    ...(flags.encoding === undefined ? {} : { encoding: flags.encoding }),
  });
  const written = await writeText(jobFile, found.text);
  const shown = path.relative(process.cwd(), written) || written;
  if (flags.json) process.stdout.write(`${JSON.stringify(asJson(found, written))}\n`);
  else process.stdout.write(`${shown}\n${columnTable(found)}`);
  const missing = schema.there ? [] : [message('guess.schema_missing', { schema: schema.shown })];
  for (const it of [
    ...proposalNotes(found, language),
    ...found.notes,
    ...questionNotes(found, shown),
    ...lackingNotes(found, shown),
    ...missing,
  ])
    process.stderr.write(`${render(it, language)}\n`);
  if (!flags.json) process.stderr.write(`${render(message('guess.next', { file: shown }), language)}\n`);
  return EXIT.ok;
}

export async function isThere(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}

/** Column, field and how sure; columns of other sheets bear their sheet's name. */
export function columnTable({ columns, lacking, unused }: Guess): string {
  const main = columns[0]?.sheet;
  const named = columns.map(({ sheet, header, field, sure }) => [
    sheet === main ? header : `${sheet}!${header}`,
    '->',
    field,
    sure,
  ]);
  return table([
    ...named,
    ...lacking.map((field) => ['-', '->', field, 'lacking']),
    ...unused.map((header) => [header, '->', '-', 'unused']),
  ]);
}

function asJson(found: Guess, file: string) {
  const { operation, columns, lacking, unused } = found;
  return {
    file,
    operation,
    proposals: found.proposals.slice(0, 3).map((it) => ({ operation: it.operation, score: round(it.score) })),
    columns,
    lacking,
    unused,
  };
}

function round(score: number): number {
  return Math.round(score * 100) / 100;
}

function proposalNotes({ proposals, word }: Guess, language: Language): readonly Message[] {
  const [first, second] = proposals;
  if (!first) return [];
  const hint =
    word === '' ? '' : render(message('guess.proposed_hint', { hint: plainText(word, 60) }), language);
  const told = message('guess.proposed', { ...counts(first), hint });
  return second && second.score > 0 ? [told, message('guess.runner_up', counts(second))] : [told];
}

function counts({ operation, matched, required, used, columns }: Fit) {
  return { operation, matched, required, used, columns };
}

/** What the person should answer before the first run. */
function questionNotes({ columns }: Guess, file: string): readonly Message[] {
  const open = columns.filter((it) => it.sure !== 'sure').map((it) => plainText(it.header, 40));
  return open.length === 0 ? [] : [message('guess.questions', { columns: open.join(', '), file })];
}

function lackingNotes({ lacking }: Guess, file: string): readonly Message[] {
  return lacking.length === 0 ? [] : [message('guess.lacks', { fields: lacking.join(', '), file })];
}
