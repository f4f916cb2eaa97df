import path from 'node:path';
import { type Message, message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import type { Comparison } from '../model/comparison.js';
import { EXIT } from '../model/exit-code.js';
import { type JsonObject, member } from '../model/json.js';
import type { Row } from '../model/row.js';
import { Inquiry } from '../platform/client/inquiry.js';
import { operationNamed } from '../platform/operations/index.js';
import { isResultFile } from '../source/result-file.js';
import { sameFile } from '../util/file-identity.js';
import { refuseOutput, writeTable } from '../workbook/write.js';
import { answersInOrder, type KeyAnswer } from './ask.js';
import type { PullEnd, PullServices, PullWish } from './contract.js';
import { KeyStore } from './key-store.js';
import { readKeys, type UnreadKey } from './read-keys.js';
import { RecordRows } from './record-rows.js';

/** Keys without an answer that are told one by one; the rest of a long sheet is counted. */
const TOLD = 18;
/** Of a worksheet, the header included. */
const SHEET_ROWS = 1_048_576;
/** Rows handed over at a time. */
const PAGE = 500;

/**
 * Writes what the platform has for the keys of a sheet (contract section 9, "Pulling"). Only reads. The file is there
 * whole or not at all; a key without an answer is told and lacks in it.
 * @throws ProductError usage or input where nothing could be asked or the result can't be written
 */
export async function pull(wish: PullWish, services: PullServices): Promise<PullEnd> {
  const { output, keys } = wish;
  if (await sameFile(output, keys.file)) {
    throw new ProductError('usage', message('run.output_is_input', { file: keys.file }));
  }
  await refuseOutput(output);
  const store = new KeyStore();
  const tally = new Tally(services.warn);
  try {
    await readKeys(wish, services, store, (row) => tally.unread(row));
    const count = store.count;
    if (services.stop.cause) return tally.end('interrupted', count, NOTHING_MADE);
    const platform = await services.openClient();
    try {
      return await pullAll(wish, services, { store, count, tally }, platform.client);
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

/** What a person calls a key: the cells that it was made of. */
function nameOf({ key }: Comparison, request: JsonObject): string {
  const named = key.filter((it) => it.default === undefined).map((it) => member(request, it.name));
  return named.filter((it) => it !== undefined).join(' ');
}

/** Ends the writing: the file is not kept. */
class PullStopped extends Error {}

async function pullAll(
  wish: PullWish,
  services: PullServices,
  { store, count, tally }: Pulling,
  client: ConstructorParameters<typeof Inquiry>[0]['client'],
): Promise<PullEnd> {
  const { connection, run, comparison, output } = wish;
  const { stop, clock, progress, warn } = services;
  const inquiry = new Inquiry({
    client,
    connection,
    job: { run },
    clock,
    signal: stop.signal,
    tell: services.paused,
  });
  let failing = 0;
  const tooMany = (): boolean => failing >= run.stopAfterFailures;
  const over = (): boolean => stop.cause !== undefined || inquiry.stopped !== undefined || tooMany();
  const rows = new RecordRows(comparison, connection);
  const operation = operationNamed(comparison.inquiry);
  const asking = { inquiry, operation, concurrency: run.concurrency, over };
  const limit = path.extname(output).toLowerCase() === '.xlsx' ? SHEET_ROWS - 1 : undefined;
  async function* pages(): AsyncGenerator<readonly Row[]> {
    let done = 0;
    for await (const answer of answersInOrder(store, asking)) {
      failing = answer.kind === 'none' ? failing + 1 : 0;
      if (over()) {
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
      for (let at = 0; at < answer.records.length; at += PAGE) {
        yield answer.records.slice(at, at + PAGE).map((it) => rows.row(it, answer.key.request));
      }
    }
    // Interrupted while the last ones were waited for.
    if (over()) throw new PullStopped();
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

/** What became of the keys. */
class Tally {
  readonly #warn: PullServices['warn'];
  #unanswered = 0;
  #empty = 0;
  #records = 0;
  /** Why the last key has no answer. */
  lastWhy: Message | string = '';

  constructor(warn: PullServices['warn']) {
    this.#warn = warn;
  }

  /** A row whose key can't be read. */
  unread({ row, faults }: UnreadKey): void {
    const [first] = faults;
    this.#lacks(first ? message('pull.unread', { row, why: first.message }) : undefined);
  }

  none({ key, detail }: Extract<KeyAnswer, { kind: 'none' }>, name: string): void {
    this.lastWhy = detail;
    this.#lacks(message('pull.unanswered', { row: key.row, name, why: detail }));
  }

  get total(): number {
    return this.#records;
  }

  records(count: number): void {
    this.#records += count;
    if (count === 0) this.#empty += 1;
  }

  #lacks(told: Message | undefined): void {
    this.#unanswered += 1;
    if (told && this.#unanswered <= TOLD) this.#warn(told);
  }

  end(
    status: PullEnd['status'],
    keys: number,
    made: Pick<PullEnd, 'requests' | 'retries'>,
    more: Pick<PullEnd, 'output' | 'reason'> = {},
  ): PullEnd {
    const left = this.#unanswered - TOLD;
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
