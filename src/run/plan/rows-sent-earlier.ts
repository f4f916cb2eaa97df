import { type Message, message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import type { Ledger } from '../../ledger/contract/ledger.js';
import type { RowVerdict } from '../../ledger/contract/plan.js';
import type { RowResult } from '../../ledger/contract/report.js';
import type { Run } from '../../ledger/contract/runs.js';
import { scopeOf } from '../../ledger/rules/scopes.js';
import { contentDigest } from '../../mapping/digest.js';
import type { MappedGroup, Mapping, UnansweredGroup } from '../../mapping/mapping.js';
import type { Json, JsonObject } from '../../model/json.js';
import type { Operation } from '../../model/operation.js';
import type { Row } from '../../model/row.js';
import type { Status } from '../../model/status.js';
import type { LeftOut } from '../../source/non-data-rows.js';
import type { Table } from '../../source/table.js';
import { exactStringify } from '../../util/exact-json.js';
import { reportRows } from '../report/row-results.js';
import type { RunSettings } from '../settings.js';
import { withdrawalBuffer } from './plan-checks.js';

const SENT: ReadonlySet<Status> = new Set(['succeeded', 'accepted']);

/** The row of an earlier run that was sent. */
interface SentRow {
  readonly run: string;
  readonly row: number;
}

/** Rows of earlier runs by number, each with the row that was sent: its own, or the one that it was skipped for. */
interface EarlierRows {
  readonly sent: Map<number, SentRow>;
  /** May have been executed, and a second request would be executed too. */
  readonly unknown: Map<number, SentRow>;
}

/** Limit of earlier runs of the same file that are compared. */
const RUNS_COMPARED = 1000;

/** The columns of a result that name a row's run and number. */
const ORIGIN = ['run', 'row'] as const;
/** The other columns of every result. */
const OTHERS = ['status', 'licenseOrderId', 'code', 'message', 'attempts'];
/** Number of result columns by which a sheet is recognised as a result that lost some of them. */
const ENOUGH = 4;

/**
 * Rows of an operation without keys that an earlier run sent successfully or, if the operation is not repeatable, left unknown:
 * rows of a result that name their run and row, and rows of the same file (contract section 4, "Keys and duplicates").
 * Of an operation with keys, rows of a result whose edit gives them another key.
 */
export class RowsSentEarlier {
  readonly #ledger: Ledger;
  /** Whether a run's rows are of the same operation and platform. */
  readonly #isComparable: (run: Run) => boolean;
  /** Rows of earlier runs of the same file. */
  readonly #ofFile: EarlierRows = { sent: new Map(), unknown: new Map() };
  /** The columns of a result that name a row's run and number. */
  readonly #columns: OriginColumns | undefined;
  readonly #ofRuns = new Map<string, EarlierRows>();
  readonly #operation: Operation;
  /** Rows of a result of an operation with keys, by number: an edit may give them another key. */
  readonly #edited = new Map<number, SentRow & { readonly isUnknown: boolean }>();
  /** By run and row, digests of what was sent, or the keys of its items. */
  readonly #contents = new Map<string, ReadonlyMap<number, ReadonlySet<string>>>();

  private constructor(
    ledger: Ledger,
    isComparable: (run: Run) => boolean,
    columns: OriginColumns | undefined,
    operation: Operation,
  ) {
    this.#ledger = ledger;
    this.#operation = operation;
    this.#isComparable = isComparable;
    this.#columns = columns;
  }

  /**
   * @returns undefined if such rows are recognised in other ways, or are sent again on purpose
   * @throws ProductError input if the sheet is a result without the columns by which its rows are recognised
   */
  static async of(
    ledger: Ledger,
    { id, inputSha256, job: name }: Run,
    { job, connection, retry, step }: RunSettings,
    operation: Operation,
    table: Table,
    mapping: Mapping,
  ): Promise<RowsSentEarlier | undefined> {
    const isRead = operation.repeatable && operation.recordColumns !== undefined;
    if (isRead || step || retry || job.undoes || job.safety.duplicates === 'send') return undefined;
    const { map } = job;
    const scope = scopeOf(connection);
    const isComparable = (run: Run): boolean =>
      run.operation === operation.name && run.scope === scope && run.id !== id;
    // Otherwise the rows are recognised by their keys.
    const isNeeded =
      operation.key === undefined || (operation.key === 'order' && !map?.fields.has('channelOrderId'));
    const columns = originColumns(table, mapping, isNeeded);
    const rows = new RowsSentEarlier(ledger, isComparable, columns, operation);
    if (operation.key !== undefined) return rows;
    const earlier = (
      await ledger.runs.find({ job: name, kinds: ['run'], inputSha256 }, RUNS_COMPARED)
    ).filter((earlierRun) => earlierRun.job === name && isComparable(earlierRun));
    for (const { id: earlierRun } of earlier) {
      const { sent, unknown } = await rows.#rowsOf(earlierRun);
      for (const [row, origin] of sent) rows.#ofFile.sent.set(row, origin);
      for (const [row, origin] of unknown) rows.#ofFile.unknown.set(row, origin);
    }
    return rows;
  }

  /**
   * Why a row is excluded; undefined for a row that is sent.
   * @param mapped returns what the row would send
   */
  async leftOut(row: Row, mapped: () => MappedGroup | UnansweredGroup): Promise<LeftOut | undefined> {
    const found = leftOutOf(this.#ofFile, row.number);
    if (found || !this.#columns) return found;
    const runId = row.cell(this.#columns.run)?.text.trim() ?? '';
    const number = Number(row.cell(this.#columns.row)?.text ?? '');
    const rows = this.#ofRuns.get(runId) ?? (await this.#rowsOf(runId));
    const sent = rows.sent.get(number);
    if (this.#operation.key !== undefined) {
      const origin = sent ?? rows.unknown.get(number);
      if (origin) this.#edited.set(row.number, { ...origin, isUnknown: !sent });
      return undefined;
    }
    if (sent && (await this.#isChanged(sent, mapped())))
      return { kind: 'invalid', message: message('run.sent_before_changed', { ...sent }) };
    return leftOutOf(rows, number);
  }

  /**
   * Withdraws the items of a result's rows whose key was edited: items with an unchanged key were withdrawn as repeats before.
   * What was reverted may be sent again.
   */
  async invalidateEdited(run: string, sheet: string): Promise<void> {
    if (this.#edited.size === 0) return;
    const withdraw = withdrawalBuffer(this.#ledger, run);
    for await (const page of this.#ledger.assetIndex.contents(run)) {
      const items = page.map(({ item }) => item);
      for (const [item, rows] of await this.#ledger.assetIndex.rows(run, items)) {
        const origin = rows.flatMap((row) => this.#edited.get(row) ?? [])[0];
        if (!origin || !(await this.#isInEffect(run, origin))) continue;
        const { isUnknown, ...sent } = origin;
        const verdicts = rows.map((row): RowVerdict => {
          if (isUnknown) return { row, status: 'skipped', message: message('run.held_unknown', sent) };
          const faults = [
            { sheet, row, column: undefined, message: message('run.sent_before_changed', sent) },
          ];
          return { row, status: 'invalid', faults };
        });
        await withdraw.add({ item, verdicts });
      }
    }
    await withdraw.flush();
  }

  /** Whether the item that the row had in that run still holds its key: a reverted one does not. */
  async #isInEffect(run: string, origin: SentRow): Promise<boolean> {
    const contents = this.#contents.get(origin.run) ?? (await this.#contentsOf(origin.run));
    const held = await this.#ledger.plan.whichHeld(run, [...(contents.get(origin.row) ?? [])]);
    return held.size > 0;
  }

  /** True if the row's content differs from what that run sent: it was edited, or copied from that row. */
  async #isChanged({ run, row }: SentRow, mapped: MappedGroup | UnansweredGroup): Promise<boolean> {
    if (mapped.kind !== 'items' || mapped.given) return false;
    const sent = (this.#contents.get(run) ?? (await this.#contentsOf(run))).get(row);
    return mapped.items.some(
      ({ body, earlierContent }) =>
        !sent?.has(this.#digest(body)) && !(earlierContent !== undefined && sent?.has(earlierContent)),
    );
  }

  async #contentsOf(run: string): Promise<ReadonlyMap<number, ReadonlySet<string>>> {
    const contents = new Map<number, Set<string>>();
    for await (const page of this.#ledger.assetIndex.contents(run)) {
      const rows = await this.#ledger.assetIndex.rows(
        run,
        page.map(({ item }) => item),
      );
      for (const { item, key, envelope, body } of page) {
        for (const row of rows.get(item) ?? []) {
          const digests = contents.get(row) ?? new Set();
          contents.set(row, digests);
          if (key !== null) digests.add(key);
          else digests.add(this.#digest(body)).add(this.#digest(body, envelope));
        }
      }
    }
    this.#contents.set(run, contents);
    return contents;
  }

  #digest(body: Json, envelope: JsonObject = {}): string {
    return contentDigest(this.#operation, envelope, exactStringify(body));
  }

  /**
   * The rows of a run. A row that the run did not send because of another run's row has that run's outcome, as it is now: the
   * result of the second run names only the second run.
   */
  async #rowsOf(id: string): Promise<EarlierRows> {
    const rows: EarlierRows = { sent: new Map(), unknown: new Map() };
    // Stored before the rows are read: no loop of runs is followed twice.
    this.#ofRuns.set(id, rows);
    const run = id === '' ? undefined : await this.#ledger.runs.get(id);
    if (run === undefined || run.prunedAt !== undefined || !this.#isComparable(run)) return rows;
    for await (const page of reportRows(this.#ledger, run)) {
      for (const result of page) {
        const { row, status } = result;
        const origin = originOf(result);
        if (origin) {
          const { sent, unknown } = this.#ofRuns.get(origin.run) ?? (await this.#rowsOf(origin.run));
          const [first, second] = [sent.get(origin.row), unknown.get(origin.row)];
          if (first) rows.sent.set(row, first);
          else if (second) rows.unknown.set(row, second);
        } else if (run.kind !== 'run') continue;
        else if (SENT.has(status)) rows.sent.set(row, { run: id, row });
        else if (status === 'unknown' && !this.#operation.repeatable) rows.unknown.set(row, { run: id, row });
      }
    }
    return rows;
  }
}

interface OriginColumns {
  readonly run: number;
  readonly row: number;
}

/**
 * The columns that name a row's run and number: those of a result, also if it is no longer recognised as one because its columns
 * were moved, some were deleted, or its sheet was renamed.
 */
function originColumns(
  { sheet, resultColumns, headers }: Table,
  { columns: read }: Mapping,
  isNeeded: boolean,
): OriginColumns | undefined {
  const unread = headers.filter(({ column }) => !read.includes(column));
  const columnOf = (name: string): number | undefined =>
    [...resultColumns, ...unread].find(({ text }) => text.trim() === name)?.column;
  const [run, row] = ORIGIN.map(columnOf);
  if (run !== undefined && row !== undefined) return { run, row };
  const found = [...ORIGIN, ...OTHERS].filter((name) => columnOf(name) !== undefined);
  if (!isNeeded || found.length < ENOUGH) return undefined;
  const lost = ORIGIN.filter((name) => columnOf(name) === undefined);
  const params = { sheet: sheet.name, found: found.join(', '), lost: lost.join(', ') };
  throw new ProductError('input', message('run.result_columns_lost', params));
}

/** Messages of rows that were not sent because of another run's row. */
const NOT_SENT_FOR: ReadonlySet<string> = new Set<Message['code']>([
  'run.sent_before',
  'run.sent_before_changed',
  'run.held_unknown',
  'run.held_done',
]);

/** The row because of which a row was not sent. */
function originOf({ messages, faults }: RowResult): SentRow | undefined {
  for (const text of [...messages.map((it) => it.text), ...faults.map((it) => it.message)]) {
    if (typeof text === 'string' || !NOT_SENT_FOR.has(text.code)) continue;
    return { run: String(text.params.run), row: Number(text.params.row) };
  }
  return undefined;
}

function leftOutOf({ sent, unknown }: EarlierRows, row: number): LeftOut | undefined {
  const done = sent.get(row);
  if (done) return { kind: 'skipped', message: message('run.sent_before', { ...done }) };
  const held = unknown.get(row);
  return held && { kind: 'skipped', message: message('run.held_unknown', { ...held }) };
}
