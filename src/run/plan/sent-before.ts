import { message } from '../../errors/message.js';
import type { Ledger } from '../../ledger/contract/ledger.js';
import type { Run } from '../../ledger/contract/run.js';
import { scopeOf } from '../../ledger/rules/scopes.js';
import type { Operation } from '../../model/operation.js';
import type { Row } from '../../model/row.js';
import type { Status } from '../../model/status.js';
import type { LeftOut } from '../../source/non-data-row.js';
import type { Table } from '../../source/table.js';
import { rowsAlreadySent } from '../retry-chain.js';
import type { RunSettings } from '../settings.js';

const SENT: ReadonlySet<Status> = new Set(['succeeded', 'accepted']);

/** So many earlier runs of the same file count. */
const RUNS_COMPARED = 1000;

/**
 * Rows of an operation without keys that an earlier run sent successfully: rows of a result that name their run and row, and
 * rows of the same file (contract section 4, "Keys and duplicates").
 */
export class SentBefore {
  readonly #ledger: Ledger;
  readonly #isAlike: (run: Run) => boolean;
  /** Rows of earlier runs of the same file, each with its run. */
  readonly #ofFile: ReadonlyMap<number, string>;
  /** The columns of a result that name a row's run and its number there. */
  readonly #columns: { readonly run: number; readonly row: number } | undefined;
  readonly #ofRuns = new Map<string, ReadonlyMap<number, string>>();

  private constructor(
    ledger: Ledger,
    isAlike: (run: Run) => boolean,
    ofFile: ReadonlyMap<number, string>,
    { resultColumns }: Table,
  ) {
    this.#ledger = ledger;
    this.#isAlike = isAlike;
    this.#ofFile = ofFile;
    const [run, row] = ['run', 'row'].map((name) => resultColumns.find(({ text }) => text === name)?.column);
    this.#columns = run === undefined || row === undefined ? undefined : { run, row };
  }

  /** @returns undefined where such rows are recognised in other ways, or are to be sent again */
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
    const isAlike = (run: Run): boolean =>
      run.kind === 'run' && run.operation === operation.name && run.scope === scope && run.id !== id;
    const earlier = (
      await ledger.runs.find({ job: name, kinds: ['run'], inputSha256 }, RUNS_COMPARED)
    ).filter((it) => it.job === name && isAlike(it));
    return new SentBefore(ledger, isAlike, await rowsAlreadySent(ledger, earlier, SENT), table);
  }

  /** Undefined for a row that is sent. */
  async leftOut(row: Row): Promise<LeftOut | undefined> {
    const run = this.#ofFile.get(row.number);
    if (run !== undefined) return skipped(run, row.number);
    if (!this.#columns) return undefined;
    const named = row.cell(this.#columns.run)?.text.trim() ?? '';
    const number = Number(row.cell(this.#columns.row)?.text ?? '');
    const rows = this.#ofRuns.get(named) ?? (await this.#rowsOf(named));
    return rows.has(number) ? skipped(named, number) : undefined;
  }

  async #rowsOf(id: string): Promise<ReadonlyMap<number, string>> {
    const run = id === '' ? undefined : await this.#ledger.runs.get(id);
    const isKnown = run !== undefined && run.prunedAt === undefined && this.#isAlike(run);
    const rows = await rowsAlreadySent(this.#ledger, isKnown ? [run] : [], SENT);
    this.#ofRuns.set(id, rows);
    return rows;
  }
}

function skipped(run: string, row: number): LeftOut {
  return { kind: 'skipped', message: message('run.sent_before', { run, row }) };
}
