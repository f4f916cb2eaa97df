// The main file of the process that reads files of other formats.
import { serializeError } from '../../errors/serialized-error.js';
import type { Row } from '../../model/row.js';
import { watchOverProcess } from '../../util/watch-thread.js';
import type { SheetInfo, Source } from '../contract.js';
import { packRow } from '../rows/stored-row.js';
import type { Answered, Answers, Asked, ReadingQuestion } from './protocol.js';
import { openByContent } from './readers.js';

/** Characters of packed rows in one answer: few enough that neither side holds much. */
const ANSWER_CHARACTERS = 256 * 1024;

const bytes = Number(process.argv[2]) * 1024 ** 2;
watchOverProcess({ everyMs: 20, graceMs: 0, bytes });

let source: Source | undefined;
const streams = new Map<number, AsyncGenerator<readonly string[]>>();

process.on('disconnect', () => process.exit());
process.on('message', (asked: Asked) => void answer(asked));

async function answer({ id, question }: Asked): Promise<void> {
  const start = performance.now();
  let answered: Omit<Answered, 'worked'>;
  try {
    answered = { id, value: await found(question) };
  } catch (error) {
    answered = { id, error: serializeError(error) };
  }
  process.send?.({ ...answered, worked: performance.now() - start } satisfies Answered);
}

async function found(question: ReadingQuestion): Promise<Answers[ReadingQuestion['ask']]> {
  switch (question.ask) {
    case 'open':
      source = await openByContent(question);
      return source.sheets;
    case 'next': {
      const rows = streams.get(question.stream) ?? packed(opened(), sheetAt(question.position));
      streams.set(question.stream, rows);
      const { value, done } = await rows.next();
      if (done) streams.delete(question.stream);
      return done ? [] : value;
    }
    case 'stop':
      await streams.get(question.stream)?.return(undefined);
      streams.delete(question.stream);
      return undefined;
    case 'merges': {
      const ranges = await opened().merges?.(sheetAt(question.position));
      return ranges ? ranges.numbers() : [];
    }
  }
}

async function* packed(from: Source, sheet: SheetInfo): AsyncGenerator<readonly string[]> {
  let rows: string[] = [];
  let characters = 0;
  for await (const page of from.rows(sheet)) {
    for (const row of page satisfies readonly Row[]) {
      const text = packRow(row);
      rows.push(text);
      characters += text.length;
      if (characters < ANSWER_CHARACTERS) continue;
      yield rows;
      rows = [];
      characters = 0;
    }
  }
  if (rows.length > 0) yield rows;
}

function opened(): Source {
  if (!source) throw new Error('nothing is open');
  return source;
}

function sheetAt(position: number): SheetInfo {
  const sheet = opened().sheets.find((it) => it.position === position);
  if (!sheet) throw new Error(`no sheet at position ${position}`);
  return sheet;
}
