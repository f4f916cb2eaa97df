import type { Message } from '../../errors/message.js';
import type { Ledger } from '../../ledger/contract/ledger.js';
import type { LookupLine } from '../../ledger/contract/plan.js';
import type { Run } from '../../ledger/contract/runs.js';
import type { LookupAnswer, LookupAnswers, LookupRequest, LookupUse } from '../../mapping/lookup/records.js';
import type { Job } from '../../model/job.js';
import type { JsonObject } from '../../model/json.js';
import { type Operation, shownPath } from '../../model/operation.js';
import type { Row } from '../../model/row.js';
import { operationNamed } from '../../platform/operations/catalogue.js';
import type { SourceOptions } from '../../source/source.js';
import { exactParse } from '../../util/exact-json.js';
import { InputReading } from '../input/input-reading.js';
import { Joins } from '../input/joins.js';
import { bindMapping, openKeptInput } from '../input/opened-input.js';
import { answerOf, lookupKey } from '../plan/lookups/lookup-cache.js';
import { type RunSettings, unpackSettings } from '../settings.js';

/** A looked-up field of a row, with the request and the reply. */
export interface ExplainedLookup {
  /** Name of the field in the job file. */
  readonly field: string;
  readonly operation: string;
  readonly request: JsonObject;
  readonly askedAt: number;
  /** Number of records in the reply; absent without a valid reply. */
  readonly records?: number;
  /** The record that the field was taken from; absent if there was none, or several. */
  readonly record?: JsonObject;
  readonly detail?: Message | string;
}

type LookedUpBy = Pick<RunSettings, 'job' | 'connection' | 'corrections'> & Pick<SourceOptions, 'env'>;

/** The lookups of a row, from the stored copy of the input and the ledger. Sends no requests. */
export async function explainedLookups(
  ledger: Ledger,
  run: Run,
  settings: LookedUpBy,
  rowNumber: number,
): Promise<readonly ExplainedLookup[]> {
  if ((await ledger.lookups.counts(run.id)).asked === 0) return [];
  for await (const { lookups } of lookupsOf(ledger, run, settings, new Set([rowNumber]))) return lookups;
  return [];
}

/** The lookups of some rows, in one pass over the input. */
async function* lookupsOf(
  ledger: Ledger,
  run: Run,
  settings: LookedUpBy,
  rowNumbers: ReadonlySet<number>,
): AsyncGenerator<{ readonly row: number; readonly lookups: readonly ExplainedLookup[] }> {
  const { job, connection, env } = settings;
  const operation = operationNamed(job.operation);
  const input = await openKeptInput(ledger.inputs, run, settings, env);
  try {
    const mapping = await bindMapping(job, operation, connection, input);
    const reading = await InputReading.bind(job, input, mapping);
    const joins = await Joins.index(mapping, reading, job);
    try {
      for await (const row of rowsOf(reading, rowNumbers)) {
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
 * The records found by the lookups of the changed subjects, by row. Only if the field that names the subject was looked
 * up, so that the record is about the same subject.
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
    const record = lookups.find((lookup) => lookup.field === subject)?.record;
    if (record) found.set(row, record);
  }
  return found;
}

async function* rowsOf(reading: InputReading, rowNumbers: ReadonlySet<number>): AsyncGenerator<Row> {
  let left = rowNumbers.size;
  for await (const rows of reading.main.plain()) {
    for (const row of rows) {
      if (!rowNumbers.has(row.number)) continue;
      yield row;
      left -= 1;
      if (left === 0) return;
    }
  }
}

/** Replies from the ledger, read when a row first needs them. */
class KnownAnswers implements LookupAnswers {
  readonly #ledger: Ledger;
  readonly #run: Run;
  readonly #members: Parameters<typeof answerOf>[1];
  readonly #lines = new Map<string, LookupLine>();
  readonly #answers = new Map<string, LookupAnswer>();
  #missing = new Set<string>();
  #uses: LookupUse[] = [];

  constructor(ledger: Ledger, run: Run, members: Parameters<typeof answerOf>[1]) {
    this.#ledger = ledger;
    this.#run = run;
    this.#members = members;
  }

  /** Each field once, although mapping may read it again. */
  get uses(): readonly LookupUse[] {
    const byField = new Map(
      this.#uses.map((use) => [`${use.field} ${use.sheet} ${use.row} ${use.request.key}`, use]),
    );
    return [...byField.values()];
  }

  line(request: LookupRequest): LookupLine | undefined {
    return this.#lines.get(lookupKey(request));
  }

  find(request: LookupRequest): LookupAnswer | undefined {
    const key = lookupKey(request);
    if (!this.#lines.has(key)) this.#missing.add(key);
    return this.#answers.get(key);
  }

  onUse(use: LookupUse): void {
    this.#uses.push(use);
  }

  /** Reads the missing replies; false if the ledger has no more. */
  async load(): Promise<boolean> {
    const lines = await this.#ledger.lookups.find(this.#run.id, [...this.#missing]);
    this.#missing = new Set();
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
  const lookup = {
    field: shownPath(use.field, operationNamed(job.operation)),
    operation,
    request: fields,
    askedAt: line?.askedAt ?? 0,
  };
  if (line?.answer.kind !== 'records') return { ...lookup, detail: line?.answer.detail ?? '' };
  const records = exactParse(line.answer.json) as readonly JsonObject[];
  const record = use.record === undefined ? undefined : records[use.record];
  return { ...lookup, records: line.answer.count, record };
}
