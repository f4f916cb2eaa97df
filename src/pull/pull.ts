import path from 'node:path';
import { type Message, message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import type { Comparison } from '../model/comparison.js';
import { type JsonObject, member } from '../model/json.js';
import type { Row } from '../model/row.js';
import { EXIT } from '../model/run-outcome.js';
import { Inquiry } from '../platform/client/inquiry.js';
import { operationNamed } from '../platform/operations/catalogue.js';
import { isResultFile } from '../source/result-file.js';
import { sameFile } from '../util/files.js';
import { refuseOutput, writeTable } from '../workbook/write.js';
import { answersInOrder, type KeyAnswer, KeyStore, readKeys, type UnreadKey } from './keys.js';
import { RecordRows } from './record-rows.js';
import type { PullEnd, PullOptions, PullServices } from './services.js';

/** Number of keys without a reply that are reported individually; the others are counted. */
const REPORTED = 18;
/** Rows of a worksheet, including the header. */
const SHEET_ROWS = 1_048_576;
/** Rows per page. */
const PAGE = 500;

/**
 * Writes the platform's data for the keys of a sheet (contract section 9, "Pulling"). Only reads. The file is complete
 * or not written at all; a key without a reply is reported and omitted.
 * @throws ProductError usage or input if no request could be sent or the result cannot be written
 */
export async function pull(options: PullOptions, services: PullServices): Promise<PullEnd> {
  const { output, keys } = options;
  if (await sameFile(output, keys.file)) {
    throw new ProductError('usage', message('run.output_is_input', { file: keys.file }));
  }
  await refuseOutput(output);
  const store = new KeyStore();
  const tally = new Tally(services.warn);
  try {
    await readKeys(options, services, store, (row) => tally.unread(row));
    const count = store.count;
    if (services.stop.cause) return tally.end('interrupted', count, NOTHING_MADE);
    const platform = await services.openClient();
    try {
      return await pullAll(options, services, { store, count, tally }, platform.client);
    } finally {
      await platform.close();
    }
  } finally {
    store.close();
  }
}

const NOTHING_MADE = { requests: 0, retries: 0 };

interface Pulling {
  readonly store: KeyStore;
  readonly count: number;
  readonly tally: Tally;
}

/** The name of a key for users: the cells that it was created from. */
function nameOf({ key }: Comparison, request: JsonObject): string {
  const values = key.filter((it) => it.default === undefined).map(({ name }) => member(request, name));
  return values.filter((value) => value !== undefined).join(' ');
}

/** Aborts the writing; the file is discarded. */
class PullStopped extends Error {}

async function pullAll(
  options: PullOptions,
  services: PullServices,
  { store, count, tally }: Pulling,
  client: ConstructorParameters<typeof Inquiry>[0]['client'],
): Promise<PullEnd> {
  const { connection, run, comparison, output } = options;
  const { stop, clock, progress, warn } = services;
  const inquiry = new Inquiry({
    client,
    connection,
    job: { run },
    clock,
    signal: stop.signal,
    onPause: services.paused,
  });
  let failing = 0;
  const tooMany = (): boolean => failing >= run.stopAfterFailures;
  const isStopped = (): boolean => stop.cause !== undefined || inquiry.stopped !== undefined || tooMany();
  const rows = new RecordRows(comparison, connection);
  const operation = operationNamed(comparison.inquiry);
  const settings = { inquiry, operation, concurrency: run.concurrency, isStopped };
  const limit = path.extname(output).toLowerCase() === '.xlsx' ? SHEET_ROWS - 1 : undefined;
  async function* pages(): AsyncGenerator<readonly Row[]> {
    let done = 0;
    for await (const answer of answersInOrder(store, settings)) {
      failing = answer.kind === 'none' ? failing + 1 : 0;
      if (isStopped()) {
        if (answer.kind === 'none') tally.lastWhy = answer.detail;
        throw new PullStopped();
      }
      done += 1;
      progress({ stage: 'execute', done, total: count });
      if (answer.kind === 'none') {
        tally.none(answer, nameOf(comparison, answer.key.request));
        continue;
      }
      tally.records(answer.records.length);
      if (limit !== undefined && tally.total > limit)
        throw new ProductError('usage', message('pull.too_many_rows', { file: output, limit }));
      for (let start = 0; start < answer.records.length; start += PAGE) {
        yield answer.records.slice(start, start + PAGE).map((record) => rows.row(record, answer.key.request));
      }
    }
    // Interrupted while waiting for the last replies.
    if (isStopped()) throw new PullStopped();
  }
  try {
    const { headers } = rows;
    const table = { name: comparison.name, headers, rows: pages(), sandbox: connection.sandbox };
    const { stateFolder } = services;
    const written = await writeTable(output, table, { stateFolder, by: 'run', isResult: isResultFile, warn });
    return tally.end('completed', count, inquiry.made, { output: written });
  } catch (error) {
    if (!(error instanceof PullStopped)) throw error;
    if (stop.cause) return tally.end('interrupted', count, inquiry.made);
    const why =
      inquiry.stopped?.why ?? message('pull.too_many_failures', { count: failing, why: tally.lastWhy });
    return tally.end('stopped', count, inquiry.made, { reason: message('pull.stopped', { why }) });
  }
}

/** Counts the outcomes of the keys. */
class Tally {
  readonly #warn: PullServices['warn'];
  #unanswered = 0;
  #empty = 0;
  #records = 0;
  /** Why the last key has no reply. */
  lastWhy: Message | string = '';

  constructor(warn: PullServices['warn']) {
    this.#warn = warn;
  }

  /** Reports a row whose key cannot be read. */
  unread({ row, faults }: UnreadKey): void {
    const [first] = faults;
    this.#omit(first ? message('pull.unread', { row, why: first.message }) : undefined);
  }

  none({ key, detail }: Extract<KeyAnswer, { kind: 'none' }>, name: string): void {
    this.lastWhy = detail;
    this.#omit(message('pull.unanswered', { row: key.row, name, why: detail }));
  }

  get total(): number {
    return this.#records;
  }

  records(count: number): void {
    this.#records += count;
    if (count === 0) this.#empty += 1;
  }

  #omit(warning: Message | undefined): void {
    this.#unanswered += 1;
    if (warning && this.#unanswered <= REPORTED) this.#warn(warning);
  }

  end(
    status: PullEnd['status'],
    keys: number,
    made: Pick<PullEnd, 'requests' | 'retries'>,
    more: Pick<PullEnd, 'output' | 'reason'> = {},
  ): PullEnd {
    const left = this.#unanswered - REPORTED;
    if (left > 0) this.#warn(message('pull.unanswered_more', { count: left }));
    const exitCode = { completed: EXIT.ok, stopped: EXIT.safety, interrupted: EXIT.interrupted }[status];
    return {
      status,
      keys,
      empty: this.#empty,
      unanswered: this.#unanswered,
      records: this.#records,
      ...made,
      ...more,
      exitCode: status === 'completed' && this.#unanswered > 0 ? EXIT.someRowsWrong : exitCode,
    };
  }
}
