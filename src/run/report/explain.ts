import { type Message, message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import type { Ledger } from '../../ledger/contract/ledger.js';
import type { RowResult, RowStory } from '../../ledger/contract/report.js';
import type { Resolution } from '../../ledger/contract/resolutions.js';
import type { Run } from '../../ledger/contract/run.js';
import { checkedInputOf } from '../../ledger/inputs.js';
import type { Connection } from '../../model/connection.js';
import type { JsonObject } from '../../model/json.js';
import type { Operation, WireRequest } from '../../model/operation.js';
import type { Status } from '../../model/status.js';
import { cellAddress } from '../../util/address.js';
import { groupedBy } from '../../util/grouped-by.js';
import { batchRequest } from '../execute/batch-request.js';
import { rowsAsRead } from '../input/input-reading.js';
import { openInput } from '../input/opened-input.js';
import { type LiveState, liveStateOf } from '../live-state.js';
import { operationOf, requireRow } from '../run-checks.js';
import { type RunSettings, unpackSettings } from '../settings.js';
import { isAnyVerifiable } from '../settle/lookup.js';
import { outcomesInOtherRuns } from '../settle/other-runs.js';
import { heldByUnknown } from './held-rows.js';
import { nextStep } from './next-step.js';

/** What happened to one row, from the ledger and the kept copy of the input. */
export interface RowExplanation {
  readonly run: Run;
  /** The run's state, as it is now. */
  readonly liveState: LiveState;
  readonly result: RowResult;
  readonly source: SourceRow;
  /** The batches that hold the row's items; empty when none of them was to be sent. */
  readonly requests: readonly ExplainedRequest[];
  readonly audit: readonly Resolution[];
  readonly next: Message;
}

type SourceRow =
  | { readonly kind: 'cells'; readonly sheet: string; readonly cells: readonly SourceCell[] }
  /** The copy is missing or was altered. */
  | { readonly kind: 'gone'; readonly reason: Message };

export interface SourceCell {
  readonly header: string;
  readonly address: string;
  /** As the sheet shows it; '' when empty. */
  readonly text: string;
}

export interface ExplainedRequest {
  readonly batch: number;
  /** How many items the request has, and the places (from 1) of this row's items in it. */
  readonly items: number;
  readonly places: readonly number[];
  readonly request: ShownRequest;
  readonly attempts: RowStory['items'][number]['attempts'];
}

/** A request without secrets. */
export interface ShownRequest {
  readonly method: WireRequest['method'];
  /** Absolute if the platform's address is known, otherwise the path. */
  readonly url: string;
  /** Without `g_nonce`, which differs for every attempt. */
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: JsonObject;
}

const REDACTED = '[redacted]';

/** @throws ProductError usage when the run has no such row, or was pruned. */
export async function explainRow(ledger: Ledger, run: Run, row: number): Promise<RowExplanation> {
  const operation = operationOf(run);
  const story = await requireRow(ledger, run, row);
  const settings = unpackSettings(run.settings);
  const liveState = await liveStateOf(ledger, run);
  const holding = await statusThere(ledger, heldByUnknown(story.result));
  const verifiable = await isAnyVerifiable(operation, story.items);
  return {
    run,
    liveState: liveState,
    result: story.result,
    source: await sourceRow(ledger, run, settings, row),
    requests: await requests(ledger, run, story, operation, settings.connection),
    audit: await ledger.resolutions.list(run.id, row),
    next: nextStep({
      run,
      result: story.result,
      operation,
      verifiable,
      duplicates: settings.job.safety.duplicates,
      liveState: liveState,
      otherRuns: await outcomesInOtherRuns(ledger, run, row),
      holding,
    }),
  };
}

/** The present status of the row that a skipped one waits for; undefined when it can't be told any more. */
async function statusThere(
  ledger: Ledger,
  there: ReturnType<typeof heldByUnknown>,
): Promise<Status | undefined> {
  const run = there && (await ledger.runs.get(there.run));
  if (!there || !run || run.prunedAt !== undefined) return undefined;
  return (await ledger.report.row(run.id, there.row))?.result.status;
}

async function sourceRow(
  { inputs }: Ledger,
  run: Run,
  { job, connection }: RunSettings,
  wanted: number,
): Promise<SourceRow> {
  let copy: string;
  try {
    copy = await checkedInputOf(inputs, run);
  } catch (error) {
    if (!(error instanceof ProductError)) throw error;
    return { kind: 'gone', reason: error.detail };
  }
  const input = await openInput(job, copy);
  const { source, table } = input;
  try {
    const { main } = await rowsAsRead(job, connection, input);
    for await (const rows of main()) {
      for (const row of rows) {
        if (row.number !== wanted) continue;
        const cells = table.headers.map(({ column, text }) => {
          const cell = row.cell(column);
          return { header: text, address: cell ? cellAddress(column, wanted) : '', text: cell?.text ?? '' };
        });
        return { kind: 'cells', sheet: table.sheet.name, cells };
      }
    }
  } finally {
    await source.close();
  }
  const params = { row: wanted, file: run.inputFile };
  return { kind: 'gone', reason: message('run.row_unaccounted', params) };
}

async function requests(
  ledger: Ledger,
  run: Run,
  story: RowStory,
  operation: Operation,
  connection: Connection,
): Promise<ExplainedRequest[]> {
  const batches = groupedBy(story.items, (it) => it.batch);
  const shown: ExplainedRequest[] = [];
  for (const [batch, own] of batches) {
    const content = await ledger.report.batch(run.id, batch);
    if (!content) continue;
    const places = own.map(({ item }) => content.items.findIndex((it) => it.item === item) + 1);
    const bodies = content.items.map((it) => it.body);
    const at = { run: run.id, batch, envelope: content.envelope };
    shown.push({
      batch,
      items: bodies.length,
      places: places.filter((it) => it > 0),
      request: redacted(batchRequest(operation, connection, at, bodies), connection),
      attempts: own[0]?.attempts ?? [],
    });
  }
  return shown.filter((it) => it.places.length > 0);
}

function redacted(request: WireRequest, { baseUrl }: Connection): ShownRequest {
  const { appKey, ...query } = request.query;
  return {
    method: request.method,
    url: `${baseUrl ?? ''}${request.path}`,
    query: appKey === undefined ? query : { appKey: REDACTED, ...query },
    headers: { Authorization: `Bearer ${REDACTED}`, 'Content-Type': 'application/json' },
    body: request.body,
  };
}
