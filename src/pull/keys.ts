import { type Message, message } from '../errors/message.js';
import { rowFaults } from '../mapping/bound-entry.js';
import { compileKeys } from '../mapping/compile.js';
import type { Mapping } from '../mapping/mapping.js';
import type { JsonObject } from '../model/json.js';
import type { MapBranch, MapNode } from '../model/map.js';
import type { Operation } from '../model/operation.js';
import type { Fault } from '../model/row.js';
import type { Inquiry } from '../platform/client/inquiry.js';
import { operationNamed, RESULT_NAMES } from '../platform/operations/catalogue.js';
import { withHeaderHint } from '../source/header-row.js';
import { hiddenRowsWarning, nonDataVerdict } from '../source/non-data-rows.js';
import { openSource } from '../source/open-source.js';
import { openTable, type Table } from '../source/table.js';
import { TableReader } from '../source/table-reader.js';
import { exactParse, exactStringify } from '../util/exact-json.js';
import { TemporaryDatabase } from '../util/temporary-database.js';
import { RowNumbers } from '../util/text.js';
import type { PullOptions, PullServices } from './services.js';

/** A row whose key cannot be read. */
export interface UnreadKey {
  readonly row: number;
  readonly faults: readonly Fault[];
}

const NO_JOINS = { rows: () => [] };
/** Position in a map that no job file contains. */
const NOWHERE = { line: 0, column: 0 } as const;

/**
 * Reads the distinct keys of the sheet into the store.
 * @param unread receives each row whose key cannot be read
 * @throws ProductError usage or input if the file, its sheet or its headers do not match
 */
export async function readKeys(
  options: PullOptions,
  services: PullServices,
  store: KeyStore,
  unread: (row: UnreadKey) => void,
): Promise<void> {
  const { file, sheet, headerRow, password, env } = options.keys;
  const source = await openSource(file, { headerRow, password, env });
  try {
    const table = await openTable(source, {
      sheet,
      headerRow,
      resultColumns: RESULT_NAMES,
      asAnyOther: true,
    });
    const mapping = await withHeaderHint(source, [table], () => bindKeys(options, services, table));
    const reader = new TableReader(table, { ...mapping.use, key: mapping.columns }, RULES);
    const hidden = new RowNumbers();
    let rows = 0;
    for await (const page of reader.rows()) {
      if (services.stop.cause) return;
      for (const { row, nonData } of page) {
        rows += 1;
        if (row.hidden) hidden.add(row.number);
        if (nonData) {
          const { kind, message: reason, column } = nonDataVerdict(nonData, row.number);
          const fault = { sheet: row.sheet, row: row.number, column, message: reason };
          if (kind !== 'skipped') unread({ row: row.number, faults: [fault] });
          continue;
        }
        if (row.faults) {
          unread({ row: row.number, faults: rowFaults(row) });
          continue;
        }
        const mapped = mapping.map([row], NO_JOINS);
        if (mapped.kind === 'invalid') unread({ row: row.number, faults: mapped.faults });
        else store.add(options.comparison.request((mapped.items[0]?.body ?? {}) as JsonObject), row.number);
      }
      services.progress({ stage: 'plan', done: rows });
    }
    for (const warning of [...source.warnings, ...reader.warnings()]) services.warn(warning);
    const hiddenWarning = hiddenRowsWarning({ file, hiddenRows: 'include' }, table.sheet.name, hidden);
    if (hiddenWarning) services.warn(hiddenWarning);
    if (rows === 0) {
      services.warn(message('run.no_rows', { file, sheet: table.sheet.name, header: table.headerRow }));
    }
  } finally {
    await source.close();
  }
}

/** As in a job without settings, except for merged cells: a name that spans several rows applies to all of them. */
const RULES = { merged: 'fill', fillDown: [], until: undefined, unmapped: [] } as const;

/** A map of the key's columns to the query's fields. Fields such as `defaultCustomer` have their default. */
function bindKeys({ comparison, connection }: PullOptions, services: PullServices, table: Table): Mapping {
  const { name: sheet } = table.sheet;
  const found = services.findColumns(table.headers, sheet);
  const fields = new Map<string, MapNode>();
  for (const [name, { text }] of found) fields.set(name, { kind: 'column', column: text, at: NOWHERE });
  const map: MapBranch = { kind: 'branch', fields, at: NOWHERE };
  const shape = comparison.key.filter((field) => found.has(field.name));
  const { headers } = table;
  return compileKeys({ comparison, shape, map, headers, sheet, connection, operationOf: operationNamed });
}

/** A distinct key of the sheet, with its request and its first row. */
export interface PulledKey {
  readonly id: number;
  readonly row: number;
  readonly request: JsonObject;
}

/** Distinct keys in a temporary file, so that memory does not grow with the rows. */
export class KeyStore {
  readonly #db = new TemporaryDatabase(
    'CREATE TABLE keys (id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, row INTEGER NOT NULL)',
  );

  add(request: JsonObject, row: number): void {
    this.#db.run(
      'INSERT INTO keys (key, row) VALUES (?, ?) ON CONFLICT DO NOTHING',
      exactStringify(request),
      row,
    );
  }

  get count(): number {
    return this.#db.get<{ n: number }>('SELECT count(*) AS n FROM keys')!.n;
  }

  /** The key after an id (0 for the first), in order of first appearance. */
  after(id: number): PulledKey | undefined {
    const sql = 'SELECT id, key, row FROM keys WHERE id > ? ORDER BY id LIMIT 1';
    const found = this.#db.get<{ id: number; key: string; row: number }>(sql, id);
    return found && { id: found.id, row: found.row, request: exactParse(found.key) as JsonObject };
  }

  close(): void {
    this.#db.close();
  }
}

/** The reply for one key. */
export type KeyAnswer = { readonly key: PulledKey } & (
  | { readonly kind: 'records'; readonly records: readonly JsonObject[] }
  | { readonly kind: 'none'; readonly detail: Message | string }
);

interface Asking {
  readonly inquiry: Inquiry;
  readonly operation: Operation;
  /** Maximum number of requests in flight. */
  readonly concurrency: number;
  /** True when no further request is to be sent. */
  readonly isStopped: () => boolean;
}

/** Maximum number of waiting replies per request in flight. One slow request does not block the others. */
const AHEAD = 4;
/** Maximum number of waiting records before sending pauses, because one reply may have a hundred thousand. */
const RECORDS_AHEAD = 20_000;

/**
 * Sends every key's request once and returns the replies in the order of the keys, so that repeated pulls create the
 * same file. The number of waiting replies is limited.
 */
export async function* answersInOrder(store: KeyStore, settings: Asking): AsyncGenerator<KeyAnswer> {
  const { inquiry, operation, concurrency, isStopped } = settings;
  const waiting: Promise<KeyAnswer>[] = [];
  let last = 0;
  let inFlight = 0;
  let records = 0;
  let closed = false;
  const ask = async (key: PulledKey): Promise<KeyAnswer> => {
    inFlight += 1;
    try {
      const answer = await inquiry.ask(operation, key.request);
      if (answer.kind === 'records') records += answer.records.length;
      return { key, ...answer };
    } finally {
      inFlight -= 1;
      fill();
    }
  };
  const fill = (): void => {
    while (!closed && !isStopped() && inFlight < concurrency && waiting.length < concurrency * AHEAD) {
      // The first request is always sent, because the others wait for it.
      if (records >= RECORDS_AHEAD && waiting.length + inFlight > 0) return;
      const next = store.after(last);
      if (!next) return;
      last = next.id;
      const reply = ask(next);
      // Awaited in order; until then a failure must not end the process.
      reply.catch(() => {});
      waiting.push(reply);
    }
  };
  try {
    for (;;) {
      fill();
      const first = waiting.shift();
      if (!first) return;
      const answer = await first;
      yield answer;
      if (answer.kind === 'records') records -= answer.records.length;
    }
  } finally {
    closed = true;
  }
}
