import path from 'node:path';
import { type GuessInput, guessedData, guessJob } from '../../app/guess.js';
import { type Language, type Message, message, render } from '../../errors/message.js';
import type { Guess } from '../../guess/compose-job.js';
import type { Fit } from '../../guess/propose.js';
import { EXIT } from '../../model/exit-code.js';
import { plainText } from '../../util/plain-text.js';
import { guarded } from '../exit.js';
import { table } from '../table.js';

/** `guess FILE`: a job file from a spreadsheet. */
export async function guess(file: string, flags: GuessInput & { readonly json?: boolean }): Promise<void> {
  await guarded({ json: flags.json }, async (context) => {
    const { language, cwd } = context;
    const made = await guessJob(context, file, flags);
    const { guess: found, missingSchema } = made;
    const shown = path.relative(cwd, made.file) || made.file;
    if (flags.json) process.stdout.write(`${JSON.stringify(guessedData(made))}\n`);
    else process.stdout.write(`${shown}\n${columnTable(found)}`);
    const notes = [
      ...proposalNotes(found, language),
      ...found.notes,
      ...questionNotes(found, shown),
      ...lackingNotes(found, shown),
      ...(missingSchema === undefined
        ? []
        : [message('guess.schema_missing', { schema: path.relative(cwd, missingSchema) || missingSchema })]),
      ...(flags.json ? [] : [message('guess.next', { file: shown })]),
    ];
    for (const it of notes) process.stderr.write(`${render(it, language)}\n`);
    return EXIT.ok;
  });
}

/** Column, field and how sure; columns of other sheets bear their sheet's name. */
function columnTable({ columns, lacking, unused }: Guess): string {
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
  return open.length === 0
    ? []
    : [message('guess.questions', { columns: [...new Set(open)].join(', '), file })];
}

function lackingNotes({ lacking }: Guess, file: string): readonly Message[] {
  return lacking.length === 0 ? [] : [message('guess.lacks', { fields: lacking.join(', '), file })];
}
