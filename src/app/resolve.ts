import path from 'node:path';
import { type Message, message, render, renderText } from '../errors/message.js';
import type { MessageSurface } from '../errors/message-surface.js';
import { ProductError } from '../errors/product-error.js';
import type { Run } from '../ledger/contract/runs.js';
import type { JsonObject } from '../model/json.js';
import type { RunCounts } from '../model/run-outcome.js';
import type { RowRanges } from '../run/input/row-ranges.js';
import { type RunObserver, SILENT, warningTo } from '../run/observer.js';
import { exportResult } from '../run/report/export-result.js';
import { readResolutions } from '../run/resolve/resolutions-file.js';
import type { Resolved, RowResolution } from '../run/resolve/resolve.js';
import { type RangeResolution, resolveRows, verifyRun } from '../run/resolve/resolve-run.js';
import { connectionOfRun } from '../run/run-connection.js';
import { systemClock } from '../util/clock.js';
import { currentUser } from '../util/process.js';
import type { AppContext } from './context.js';
import { type OpenedLedger, runNamed, withLedger } from './with-ledger.js';

/** Outcomes of rows that a person knows, or a file with them, or `verify`: the platform is queried for unknown rows. */
export interface ResolveInput {
  readonly row?: number;
  /** Rows, and ranges of which the unknown rows are resolved. */
  readonly rows?: RowRanges;
  /** A table with the columns `row`, `status` (`succeeded` or `failed`), and `licenseOrderId` and `note` if there are any. */
  readonly from?: string;
  readonly as?: 'succeeded' | 'failed';
  readonly licenseOrderId?: string;
  readonly note?: string;
  readonly verify?: boolean;
  /** Path for an updated result. */
  readonly output?: string;
  /** The resolving person; default the user of the operating system. */
  readonly who?: string;
}

interface RunResolved extends Resolved {
  readonly run: Run;
  /** Counts after the resolution. */
  readonly counts: RunCounts;
  readonly output?: string;
}

/** `resolve`: resolves unknown rows of a run. `paused` receives wait times that the platform requests. */
export function resolveRun(
  context: AppContext,
  id: string,
  input: ResolveInput,
  paused: RunObserver['paused'] = SILENT.paused,
): Promise<RunResolved> {
  const rows = input.row === undefined ? (input.rows ?? []) : [[input.row, input.row] as const];
  const known = knowledgeOf(input, rows);
  const note = input.note?.trim() || undefined;
  const { language, cwd } = context;
  const resolveIn = async ({ ledger, actor }: OpenedLedger) => {
    const run = await runNamed(ledger, id);
    const { env } = context;
    const parts = {
      ledger,
      stateFolder: ledger.stateFolder,
      clock: systemClock,
      env,
      who: actor.person?.name ?? input.who ?? currentUser(),
      note,
      paused,
      record: once(() =>
        ledger.audit.append({
          who: actor.who,
          act: 'resolve',
          run: id,
          detail: resolveDetail(input, rows, note),
        }),
      ),
    };
    const only = rows.length > 0 ? rows : undefined;
    const resolved =
      known === 'verify'
        ? await verifyRun(parts, run, await connectionOfRun(run, context), only)
        : await resolveRows(
            parts,
            run,
            known === 'file'
              ? await readResolutions(ledger, run, path.resolve(cwd, input.from!), env)
              : known,
          );
    const output =
      input.output === undefined
        ? undefined
        : await exportResult(
            { ledger, language, observer: warningTo(context.found), env },
            run,
            path.resolve(cwd, input.output),
          );
    return { run, ...resolved, counts: await ledger.runs.counts(run.id), output };
  };
  return withLedger(context, resolveIn, { act: 'resolve', run: id });
}

function resolveDetail(
  { as, licenseOrderId, verify, from }: ResolveInput,
  rows: RowRanges,
  note: string | undefined,
): JsonObject {
  const [first] = rows;
  const isSingleRow = rows.length === 1 && first![0] === first![1];
  const named = rows.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(', ');
  return {
    ...(first ? (isSingleRow ? { row: first[0] } : { rows: named }) : {}),
    ...(from === undefined ? {} : { file: from }),
    ...(as === undefined ? {} : { as }),
    ...(licenseOrderId === undefined ? {} : { licenseOrderId }),
    ...(verify ? { verify } : {}),
    ...(note === undefined ? {} : { note }),
  };
}

function once(work: () => Promise<unknown>): () => Promise<void> {
  let isDone = false;
  return async () => {
    if (isDone) return;
    isDone = true;
    await work();
  };
}

function knowledgeOf(
  { as, verify, from, ...input }: ResolveInput,
  rows: RowRanges,
): readonly (RowResolution | RangeResolution)[] | 'verify' | 'file' {
  const licenseOrderId = input.licenseOrderId?.trim() || undefined;
  const refusal = (
    code: 'resolve.what' | 'resolve.not_both' | 'resolve.order_id_unfit' | 'resolve.from_alone',
  ) => new ProductError('usage', message(code));
  if (verify && as !== undefined) throw refusal('resolve.not_both');
  if (licenseOrderId !== undefined && as !== 'succeeded') throw refusal('resolve.order_id_unfit');
  if (from !== undefined && (verify || as !== undefined || rows.length > 0))
    throw refusal('resolve.from_alone');
  if (verify) return 'verify';
  if (from !== undefined) return 'file';
  if (rows.length === 0 || (as !== 'succeeded' && as !== 'failed')) throw refusal('resolve.what');
  return rows.map(([first, last]) =>
    first === last ? { row: first, as, licenseOrderId } : { rows: [first, last], as, licenseOrderId },
  );
}

/** The result as plain data, texts in the language. */
export function resolvedData({ run, settled, left, counts, output }: RunResolved, language: MessageSurface) {
  return {
    run: run.id,
    settled: settled.map(({ evidence, warning, ...it }) => ({
      ...it,
      evidence: renderText(evidence ?? '', language),
      ...(warning ? { warning: render(warning, language) } : {}),
    })),
    left: left.map(({ rows, reason, detail }) => ({
      rows,
      reason: because(reason, detail, language),
      command: resolvedByPerson(run, rows[0] ?? 0),
    })),
    counts,
    output,
  };
}

function resolvedByPerson(run: Run, row: number): string {
  const order =
    run.operation.startsWith('order.') || run.operation === 'steps' ? ' [--license-order-id ID]' : '';
  return `license-sync resolve ${run.id} --row ${row} --as succeeded${order} | --as failed`;
}

function because(reason: Message, detail: Message | string | undefined, language: MessageSurface): string {
  const more = renderText(detail ?? '', language);
  return more === '' ? render(reason, language) : `${render(reason, language)}: ${more}`;
}
