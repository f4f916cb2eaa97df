import { message } from '../../errors/message.js';
import type { Ledger } from '../../ledger/contract/ledger.js';
import type { Run } from '../../ledger/contract/runs.js';
import { scopeOf } from '../../ledger/rules/scopes.js';
import { contentDigest } from '../../mapping/digest.js';
import type { MappedGroup, UnansweredGroup } from '../../mapping/mapping.js';
import type { Json, JsonObject } from '../../model/json.js';
import type { Operation } from '../../model/operation.js';
import type { Row } from '../../model/row.js';
import type { Status } from '../../model/status.js';
import type { LeftOut } from '../../source/non-data-rows.js';
import type { Table } from '../../source/table.js';
import { exactStringify } from '../../util/exact-json.js';
import { rowsAlreadySent } from '../retry-chain.js';
import type { RunSettings } from '../settings.js';

const SENT: ReadonlySet<Status> = new Set(['succeeded', 'accepted']);
const UNKNOWN: ReadonlySet<Status> = new Set(['unknown']);

/** Rows of earlier runs, each with its run. */
interface EarlierRows {
  readonly sent: ReadonlyMap<number, string>;
  /** May have been executed, and a second request would be executed too. */
  readonly unknown: ReadonlyMap<number, string>;
}

/** Limit of earlier runs of the same file that are compared. */
const RUNS_COMPARED = 1000;

/**
 * Rows of an operation without keys that an earlier run sent successfully or, if the operation is not repeatable, left unknown:
 * rows of a result that name their run and row, and rows of the same file (contract section 4, "Keys and duplicates").
 */
export class SentBefore {
  readonly #ledger: Ledger;
  readonly #isComparable: (run: Run) => boolean;
  /** Rows of earlier runs of the same file. */
  readonly #ofFile: EarlierRows;
  /** The columns of a result that name a row's run and number. */
  readonly #columns: { readonly run: number; readonly row: number } | undefined;
  readonly #ofRuns = new Map<string, EarlierRows>();
  readonly #operation: Operation;
  /** By run and row, digests of what was sent. */
  readonly #contents = new Map<string, ReadonlyMap<number, ReadonlySet<string>>>();

  private constructor(
    ledger: Ledger,
    isComparable: (run: Run) => boolean,
    ofFile: EarlierRows,
    { resultColumns }: Table,
    operation: Operation,
  ) {
    this.#ledger = ledger;
    this.#operation = operation;
    this.#isComparable = isComparable;
    this.#ofFile = ofFile;
    const [run, row] = ['run', 'row'].map((name) => resultColumns.find(({ text }) => text === name)?.column);
    this.#columns = run === undefined || row === undefined ? undefined : { run, row };
  }

  /** @returns undefined if such rows are recognised in other ways, or are sent again on purpose */
  static async of(
    ledger: Ledger,
    { id, inputSha256, job: name }: Run,
    { job, connection, retry, step }: RunSettings,
    operation: Operation,
    table: Table,
  ): Promise<SentBefore | undefined> {
    const isRead = operation.repeatable && operation.recordColumns !== undefined;
    if (
      operation.key !== undefined ||
      isRead ||
      step ||
      retry ||
      job.undoes ||
      job.safety.duplicates === 'send'
    )
      return undefined;
    const scope = scopeOf(connection);
    const isComparable = (run: Run): boolean =>
      run.kind === 'run' && run.operation === operation.name && run.scope === scope && run.id !== id;
    const earlier = (
      await ledger.runs.find({ job: name, kinds: ['run'], inputSha256 }, RUNS_COMPARED)
    ).filter((earlierRun) => earlierRun.job === name && isComparable(earlierRun));
    return new SentBefore(
      ledger,
      isComparable,
      await earlierRows(ledger, earlier, operation),
      table,
      operation,
    );
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
    if (rows.sent.has(number) && (await this.#isChanged(runId, number, mapped())))
      return changed(runId, number);
    return leftOutOf(rows, number);
  }

  /** True if the row's content differs from what that run sent: it was edited, or copied from that row. */
  async #isChanged(run: string, row: number, mapped: MappedGroup | UnansweredGroup): Promise<boolean> {
    if (mapped.kind !== 'items' || mapped.given) return false;
    const sent = (this.#contents.get(run) ?? (await this.#contentsOf(run))).get(row);
    return mapped.items.some(
      ({ body, formerContent }) =>
        !sent?.has(this.#digest(body)) && !(formerContent !== undefined && sent?.has(formerContent)),
    );
  }

  async #contentsOf(run: string): Promise<ReadonlyMap<number, ReadonlySet<string>>> {
    const contents = new Map<number, Set<string>>();
    for await (const page of this.#ledger.things.contents(run)) {
      const rows = await this.#ledger.things.rows(
        run,
        page.map(({ item }) => item),
      );
      for (const { item, envelope, body } of page) {
        for (const row of rows.get(item) ?? []) {
          const digests = contents.get(row) ?? new Set();
          contents.set(row, digests.add(this.#digest(body)).add(this.#digest(body, envelope)));
        }
      }
    }
    this.#contents.set(run, contents);
    return contents;
  }

  #digest(body: Json, envelope: JsonObject = {}): string {
    return contentDigest(this.#operation, envelope, exactStringify(body));
  }

  async #rowsOf(id: string): Promise<EarlierRows> {
    const run = id === '' ? undefined : await this.#ledger.runs.get(id);
    const isKnown = run !== undefined && run.prunedAt === undefined && this.#isComparable(run);
    const rows = await earlierRows(this.#ledger, isKnown ? [run] : [], this.#operation);
    this.#ofRuns.set(id, rows);
    return rows;
  }
}

function changed(run: string, row: number): LeftOut {
  return { kind: 'invalid', message: message('run.sent_before_changed', { run, row }) };
}

async function earlierRows(
  ledger: Ledger,
  runs: readonly Run[],
  { repeatable }: Operation,
): Promise<EarlierRows> {
  const sent = await rowsAlreadySent(ledger, runs, SENT);
  return { sent, unknown: repeatable ? new Map() : await rowsAlreadySent(ledger, runs, UNKNOWN) };
}

function leftOutOf({ sent, unknown }: EarlierRows, row: number): LeftOut | undefined {
  const run = sent.get(row);
  if (run !== undefined) return { kind: 'skipped', message: message('run.sent_before', { run, row }) };
  const unknownRun = unknown.get(row);
  if (unknownRun === undefined) return undefined;
  return { kind: 'skipped', message: message('run.held_unknown', { run: unknownRun, row }) };
}
