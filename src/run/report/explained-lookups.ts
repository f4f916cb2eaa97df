import type { Message } from '../../errors/message.js';
import type { Ledger } from '../../ledger/contract/ledger.js';
import type { LookupLine } from '../../ledger/contract/lookups.js';
import type { Run } from '../../ledger/contract/run.js';
import type { LookupAnswer, LookupAnswers, LookupRequest, LookupUse } from '../../mapping/lookup/contract.js';
import type { Job } from '../../model/job.js';
import type { JsonObject } from '../../model/json.js';
import { type Operation, shownPath } from '../../model/operation.js';
import type { Row } from '../../model/row.js';
import { operationNamed } from '../../platform/operations/index.js';
import type { SourceOptions } from '../../source/contract.js';
import { exactParse } from '../../util/exact-json.js';
import { InputReading } from '../input/input-reading.js';
import { Joins } from '../input/joins.js';
import { bindMapping, openKeptInput } from '../input/opened-input.js';
import { answerOf, lookupKey } from '../plan/lookups/answer-of.js';
import { type RunSettings, unpackSettings } from '../settings.js';

/** A field of a row that was looked up: what was asked, and what came. */
export interface ExplainedLookup {
  /** As the job file names it. */
  readonly field: string;
  readonly operation: string;
  readonly request: JsonObject;
  readonly askedAt: number;
  /** Records of the answer; absent where no good one came. */
  readonly records?: number;
  /** The record that the field was taken from; absent where none was, or several. */
  readonly record?: JsonObject;
  readonly detail?: Message | string;
}

type LookedUpBy = Pick<RunSettings, 'job' | 'connection' | 'corrections'> & Pick<SourceOptions, 'env'>;

/** The look-ups of a row, from the kept copy of the input and the ledger; nothing is asked. */
export async function explainedLookups(
  ledger: Ledger,
  run: Run,
  settings: LookedUpBy,
  wanted: number,
): Promise<readonly ExplainedLookup[]> {
  if ((await ledger.lookups.counts(run.id)).asked === 0) return [];
  for await (const { lookups } of lookupsOf(ledger, run, settings, new Set([wanted]))) return lookups;
  return [];
}

/** The look-ups of some rows, in one reading of the input. */
async function* lookupsOf(
  ledger: Ledger,
  run: Run,
  settings: LookedUpBy,
  wanted: ReadonlySet<number>,
): AsyncGenerator<{ readonly row: number; readonly lookups: readonly ExplainedLookup[] }> {
  const { job, connection, env } = settings;
  const operation = operationNamed(job.operation);
  const input = await openKeptInput(ledger.inputs, run, settings, env);
  try {
    const mapping = await bindMapping(job, operation, connection, input);
    const reading = await InputReading.bind(job, input, mapping);
    const joins = await Joins.index(mapping, reading, job);
    try {
      for await (const row of rowsOf(reading, wanted)) {
        const known = new KnownAnswers(ledger, run, mapping.lookups);
        do mapping.map([row], joins, known);
        while (await known.load());
        const lookups = known.uses.map((use) => explained(use, known.line(use.request), job));
        yield { row: row.number, lookups };
      }
    } finally {
      joins.close();
    }
  } finally {
    await input.source.close();
  }
}

/**
 * The records by which look-ups found what rows change, by row: only where the field that names it was looked up, so that
 * the record is about the same thing.
 */
export async function subjectRecords(
  ledger: Ledger,
  run: Run,
  { subject }: Operation,
  rows: ReadonlySet<number>,
): Promise<ReadonlyMap<number, JsonObject>> {
  const found = new Map<number, JsonObject>();
  if (rows.size === 0 || (await ledger.lookups.counts(run.id)).asked === 0) return found;
  for await (const { row, lookups } of lookupsOf(ledger, run, unpackSettings(run.settings), rows)) {
    const record = lookups.find((it) => it.field === subject)?.record;
    if (record) found.set(row, record);
  }
  return found;
}

async function* rowsOf(reading: InputReading, wanted: ReadonlySet<number>): AsyncGenerator<Row> {
  let left = wanted.size;
  for await (const rows of reading.main.plain()) {
    for (const row of rows) {
      if (!wanted.has(row.number)) continue;
      yield row;
      left -= 1;
      if (left === 0) return;
    }
  }
}

/** Answers of the ledger, read when a row first needs them. */
class KnownAnswers implements LookupAnswers {
  readonly #ledger: Ledger;
  readonly #run: Run;
  readonly #members: Parameters<typeof answerOf>[1];
  readonly #lines = new Map<string, LookupLine>();
  readonly #answers = new Map<string, LookupAnswer>();
  #wanted = new Set<string>();
  #uses: LookupUse[] = [];

  constructor(ledger: Ledger, run: Run, members: Parameters<typeof answerOf>[1]) {
    this.#ledger = ledger;
    this.#run = run;
    this.#members = members;
  }

  /** Each field once, although mapping may read it again. */
  get uses(): readonly LookupUse[] {
    const told = new Map(this.#uses.map((it) => [`${it.field} ${it.sheet} ${it.row} ${it.request.key}`, it]));
    return [...told.values()];
  }

  line(request: LookupRequest): LookupLine | undefined {
    return this.#lines.get(lookupKey(request));
  }

  find(request: LookupRequest): LookupAnswer | undefined {
    const key = lookupKey(request);
    if (!this.#lines.has(key)) this.#wanted.add(key);
    return this.#answers.get(key);
  }

  told(use: LookupUse): void {
    this.#uses.push(use);
  }

  /** Reads what was lacking; false where the ledger has nothing more. */
  async load(): Promise<boolean> {
    const lines = await this.#ledger.lookups.find(this.#run.id, [...this.#wanted]);
    this.#wanted = new Set();
    for (const line of lines) {
      this.#lines.set(line.key, line);
      this.#answers.set(line.key, answerOf(line, this.#members));
    }
    if (lines.length > 0) this.#uses = [];
    return lines.length > 0;
  }
}

function explained(use: LookupUse, line: LookupLine | undefined, job: Job): ExplainedLookup {
  const { operation, fields } = use.request;
  const about = {
    field: shownPath(use.field, operationNamed(job.operation)),
    operation,
    request: fields,
    askedAt: line?.askedAt ?? 0,
  };
  if (line?.answer.kind !== 'records') return { ...about, detail: line?.answer.detail ?? '' };
  const records = exactParse(line.answer.json) as readonly JsonObject[];
  const record = use.record === undefined ? undefined : records[use.record];
  return { ...about, records: line.answer.count, ...(record ? { record } : {}) };
}
