import path from 'node:path';
import type { AppContext } from '../../app/context.js';
import { type GuessInput, guessedData, guessJob } from '../../app/guess.js';
import { type Language, type Message, message, render } from '../../errors/message.js';
import type { Guess } from '../../guess/compose-job.js';
import type { Fit } from '../../guess/decide.js';
import { plainText } from '../../util/text.js';
import { printJson, printNote, table } from '../shown-text.js';

/** `guess FILE`: a job file from a spreadsheet. */
export async function guess(
  context: AppContext,
  file: string,
  flags: GuessInput & { readonly json?: boolean },
): Promise<void> {
  const { language, cwd } = context;
  const written = await guessJob(context, file, flags);
  const { guess: found, missingSchema } = written;
  const shown = path.relative(cwd, written.file) || written.file;
  if (flags.json) printJson(guessedData(written));
  else process.stdout.write(`${shown}\n${columnTable(found)}`);
  const notes = [
    ...proposalNotes(found, language),
    ...found.notes,
    ...questionNotes(found, shown),
    ...(found.lacking.length === 0
      ? []
      : [message('guess.lacks', { fields: found.lacking.join(', '), file: shown })]),
    ...(missingSchema === undefined
      ? []
      : [message('guess.schema_missing', { schema: path.relative(cwd, missingSchema) || missingSchema })]),
    ...(flags.json ? [] : [message('guess.next', { file: shown })]),
  ];
  for (const it of notes) printNote(it, language);
}

/** Column, field and certainty; columns of other sheets are prefixed with the sheet's name. */
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
  const proposal = message('guess.proposed', { ...counts(first), hint });
  return second && second.score > 0 ? [proposal, message('guess.runner_up', counts(second))] : [proposal];
}

function counts({ operation, matched, required, used, columns }: Fit) {
  return { operation, matched, required, used, columns };
}

/** Columns that the user should check before the first run. */
function questionNotes({ columns }: Guess, file: string): readonly Message[] {
  const open = columns.filter((it) => it.sure !== 'sure').map((it) => plainText(it.header, 40));
  return open.length === 0
    ? []
    : [message('guess.questions', { columns: [...new Set(open)].join(', '), file })];
}
