import path from 'node:path';
import type { Wording } from '../errors/at-page.js';
import { type Message, message, render, renderText } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import type { Run } from '../ledger/contract/run.js';
import type { JsonObject } from '../model/json.js';
import type { RunCounts } from '../model/run-outcome.js';
import type { RowRanges } from '../run/input/row-ranges.js';
import { type RunObserver, SILENT, warningTo } from '../run/observer.js';
import { exportResult } from '../run/report/export-result.js';
import { connectionOfRun } from '../run/run-connection.js';
import { readResolutions } from '../run/settle/resolutions-file.js';
import type { Resolved, RowResolution } from '../run/settle/resolve.js';
import { type RangeResolution, resolveRows, verifyRun } from '../run/settle/resolve-run.js';
import { systemClock } from '../util/clock.js';
import { currentUser } from '../util/current-user.js';
import type { AppContext } from './context.js';
import { type OpenedLedger, runNamed, withLedger } from './open.js';

/** What a person knows of some rows, or a file of that, or `verify`: the platform is asked about all unknown rows or some. */
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
  /** Where the result is to be written again. */
  readonly output?: string;
  /** For the audit; default the user of the operating system at this machine. */
  readonly who?: string;
}

interface RunResolved extends Resolved {
  readonly run: Run;
  /** As they are now. */
  readonly counts: RunCounts;
  readonly output?: string;
}

/** `resolve`: settles rows of a run that are unknown. `paused`: told of pauses that the platform asks for. */
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
  const settle = async ({ ledger, actor }: OpenedLedger) => {
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
  return withLedger(context, settle, { act: 'resolve', run: id });
}

function resolveDetail(
  { as, licenseOrderId, verify, from }: ResolveInput,
  rows: RowRanges,
  note: string | undefined,
): JsonObject {
  const [first] = rows;
  const isOne = rows.length === 1 && first![0] === first![1];
  const named = rows.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(', ');
  return {
    ...(first ? (isOne ? { row: first[0] } : { rows: named }) : {}),
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

/** What came of it as plain data, its texts in the language. */
export function resolvedData({ run, settled, left, counts, output }: RunResolved, language: Wording) {
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
      command: byHand(run, rows[0] ?? 0),
    })),
    counts,
    output,
  };
}

/** The command that settles a row once a person knows. */
function byHand(run: Run, row: number): string {
  const order =
    run.operation.startsWith('order.') || run.operation === 'steps' ? ' [--license-order-id ID]' : '';
  return `license-sync resolve ${run.id} --row ${row} --as succeeded${order} | --as failed`;
}

function because(reason: Message, detail: Message | string | undefined, language: Wording): string {
  const more = renderText(detail ?? '', language);
  return more === '' ? render(reason, language) : `${render(reason, language)}: ${more}`;
}
