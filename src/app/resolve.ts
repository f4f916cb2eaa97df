import path from 'node:path';
import type { Wording } from '../errors/at-page.js';
import { type Message, message, render, renderText } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import type { Run } from '../ledger/contract/run.js';
import type { JsonObject } from '../model/json.js';
import type { RunCounts } from '../model/run-outcome.js';
import { type RunObserver, SILENT, warningTo } from '../run/observer.js';
import { exportResult } from '../run/report/export-result.js';
import { connectionOfRun } from '../run/run-connection.js';
import type { Resolved, RowResolution } from '../run/settle/resolve.js';
import { resolveRow, verifyRun } from '../run/settle/resolve-run.js';
import { systemClock } from '../util/clock.js';
import { currentUser } from '../util/current-user.js';
import type { AppContext } from './context.js';
import { type OpenedLedger, runNamed, withLedger } from './open.js';

/** Either what a person knows of a row, or `verify`: the platform is asked, of all unknown rows or of one. */
export interface ResolveInput {
  readonly row?: number;
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
  const known = knowledgeOf(input);
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
    };
    await ledger.audit.append({
      who: actor.who,
      act: 'resolve',
      run: id,
      detail: resolveDetail(input, note),
    });
    const resolved =
      known === 'verify'
        ? await verifyRun(parts, run, await connectionOfRun(run, context), input.row)
        : await resolveRow(parts, run, known);
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
  { row, as, licenseOrderId, verify }: ResolveInput,
  note: string | undefined,
): JsonObject {
  return {
    ...(row === undefined ? {} : { row }),
    ...(as === undefined ? {} : { as }),
    ...(licenseOrderId === undefined ? {} : { licenseOrderId }),
    ...(verify ? { verify } : {}),
    ...(note === undefined ? {} : { note }),
  };
}

function knowledgeOf({ row, as, verify, ...input }: ResolveInput): RowResolution | 'verify' {
  const licenseOrderId = input.licenseOrderId?.trim() || undefined;
  const refusal = (code: 'resolve.what' | 'resolve.not_both' | 'resolve.order_id_unfit') =>
    new ProductError('usage', message(code));
  if (verify && as !== undefined) throw refusal('resolve.not_both');
  if (licenseOrderId !== undefined && as !== 'succeeded') throw refusal('resolve.order_id_unfit');
  if (verify) return 'verify';
  if (row === undefined || (as !== 'succeeded' && as !== 'failed')) throw refusal('resolve.what');
  return { row, as, licenseOrderId };
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
