import { type Message, message } from '../../errors/message.js';
import type { Ledger } from '../../ledger/contract/ledger.js';
import type { RowVerdict } from '../../ledger/contract/plan.js';
import type { Run } from '../../ledger/contract/runs.js';
import type { Mapping } from '../../mapping/mapping.js';
import type { Job } from '../../model/job.js';
import { wholeRunOf } from '../../util/run-id.js';
import { rowsText } from '../../util/text.js';
import { changedMessage } from '../execute/confirm-sending.js';
import { indexOlderRuns } from '../named-things.js';
import { withdrawalBuffer } from '../plan/plan-checks.js';
import { requireRun } from '../run-checks.js';
import type { RunContext } from '../run-context.js';
import type { StageEnd } from '../run-end.js';
import { changedRows, confirmationRequestedAt } from './changed-since-sent.js';
import { type Conflict, conflictsElsewhere, conflictsInFile, type FileConflict } from './find-conflicts.js';

const ROWS_AT_ONCE = 500;

/** Fields that name the lock, as paths from the request's top. */
const ASSETS = ['orderList.assets.assetNos', 'assetNums'];

interface ConflictPlace {
  readonly sheet: string;
  readonly mapping: Pick<Mapping, 'columnsOf'>;
}

/** Whether items of the job are compared with other changes of their locks. */
function mayConflict({ operation, undoes }: Pick<Job, 'operation' | 'undoes'>): boolean {
  return operation === 'order.new_buy' || undoes !== undefined;
}

/**
 * Makes rows invalid that would change a lock of another customer, or revert what a later run has changed (contract
 * section 4, "Conflicts about one thing"). With `safety.conflicts: warn` the rows are sent, with the conflict in their
 * message.
 */
export async function checkConflicts(
  ledger: Ledger,
  run: string,
  job: Pick<Job, 'operation' | 'undoes' | 'safety'>,
  place: ConflictPlace,
): Promise<void> {
  if (!mayConflict(job)) return;
  await indexOlderRuns(ledger);
  const writer = conflictWriter(ledger, run, job, place);
  if (job.operation === 'order.new_buy') {
    // Collects all of them first, because a withdrawn item would be missing for its other locks.
    const found: FileConflict[] = [];
    for await (const conflict of conflictsInFile(ledger, run)) found.push(conflict);
    const rows = await ledger.assetIndex.rows(run, [
      ...new Set(found.flatMap((it) => [it.item, ...it.others])),
    ]);
    for (const { item, asset, others } of found) {
      const otherRows = rowsText(others.flatMap((other) => rows.get(other)?.slice(0, 1) ?? []));
      await writer.add(
        item,
        rows.get(item) ?? [],
        message('run.conflict_in_file', { asset, rows: otherRows }),
      );
    }
    await writer.flush();
  }
  for await (const { item, reason } of conflictsElsewhere(ledger, run, job, 'planning'))
    await writer.add(item, (await ledger.assetIndex.rows(run, [item])).get(item) ?? [], reason);
  await writer.flush();
}

function conflictWriter(
  ledger: Ledger,
  run: string,
  { safety, undoes }: Pick<Job, 'safety' | 'undoes'>,
  { sheet, mapping }: ConflictPlace,
) {
  const withdraw = withdrawalBuffer(ledger, run);
  let warnings: RowVerdict[] = [];
  const column = ASSETS.flatMap((field) => mapping.columnsOf(field))[0];
  const warn = async (): Promise<void> => {
    if (warnings.length > 0) await ledger.plan.addVerdicts(run, warnings);
    warnings = [];
  };
  return {
    async add(item: number, rows: readonly number[], reason: Message): Promise<void> {
      if (safety.conflicts === 'warn') {
        warnings.push(...rows.map((row) => ({ row, status: 'valid' as const, message: reason })));
        if (warnings.length >= ROWS_AT_ONCE) await warn();
        return;
      }
      const refusal = refused(reason, undoes !== undefined);
      const faults = (row: number) => [{ sheet, row, column, message: refusal }];
      await withdraw.add({
        item,
        verdicts: rows.map((row) => ({ row, status: 'invalid', faults: faults(row) })),
      });
    },
    async flush(): Promise<void> {
      await withdraw.flush();
      await warn();
    },
  };
}

/** The conflict, with the required action. */
function refused(why: Message, reverts: boolean): Message {
  return reverts ? message('revert.changed_refused', { why }) : message('run.conflict_refused', { why });
}

const ITEMS_AT_ONCE = 500;

/**
 * Finds conflicts that arose after the run was planned, or with runs that are about to be sent. Call it when the run's
 * state shows that it is about to send: of two such runs the second then finds the first.
 * @returns why nothing may be sent; undefined if all, or the remaining items, may
 */
export async function conflictsBeforeSending({
  services: { ledger, observer },
  id,
  settings: { job },
}: RunContext): Promise<StageEnd | undefined> {
  if (!mayConflict(job)) return undefined;
  await indexOlderRuns(ledger);
  const found: Conflict[] = [];
  for await (const conflict of conflictsElsewhere(ledger, id, job, 'sending')) found.push(conflict);
  if (found.length === 0) return undefined;
  if (job.safety.conflicts === 'warn') {
    const { startedAt } = await requireRun(ledger, id);
    // Earlier conflicts are in the messages of the rows.
    const since = found.filter((conflict) => conflict.since > startedAt);
    const rows = await rowsOf(ledger, id, since);
    for (const { item, reason } of since)
      observer.warn(message('run.conflict_row', { row: rows.get(item)?.[0] ?? 0, why: reason }));
    return undefined;
  }
  if (job.run.onInvalid === 'abort')
    return { status: 'stopped', reason: await conflictSince(ledger, id, job, found) };
  for (let start = 0; start < found.length; start += ITEMS_AT_ONCE) {
    const some = found.slice(start, start + ITEMS_AT_ONCE);
    await ledger.plan.refuse(
      id,
      some.map(({ item, reason }) => ({ item, reason: refused(reason, job.undoes !== undefined) })),
    );
  }
  return undefined;
}

/**
 * Why a worker must not send a queued run: other runs have changed its locks or customers since. A worker cannot ask
 * for a confirmation, so the run stops and is resumed with a confirmation or without these rows.
 */
export async function changedInQueue(ledger: Ledger, run: Run, job: Job): Promise<Message | undefined> {
  const confirmedAt = await confirmationRequestedAt(ledger, wholeRunOf(run.id));
  const changed = await changedRows(ledger, [{ run: run.id, job }], confirmedAt);
  if (changed) return changedMessage('run.changed_needs_yes', changed);
  if (!mayConflict(job) || job.safety.conflicts === 'warn') return undefined;
  const found: Conflict[] = [];
  // Earlier conflicts were refused or accepted when the run was queued.
  for await (const conflict of conflictsElsewhere(ledger, run.id, job, 'planning'))
    if (conflict.since > confirmedAt) found.push(conflict);
  return found.length === 0 ? undefined : conflictSince(ledger, run.id, job, found);
}

async function conflictSince(
  ledger: Ledger,
  run: string,
  job: Pick<Job, 'undoes'>,
  found: readonly Conflict[],
): Promise<Message> {
  const { item, reason } = found[0]!;
  const row = (await rowsOf(ledger, run, found.slice(0, 1))).get(item)?.[0] ?? 0;
  const why = refused(reason, job.undoes !== undefined);
  return message('run.conflict_since', { count: found.length, row, why });
}

function rowsOf(ledger: Ledger, run: string, found: readonly Conflict[]) {
  return ledger.assetIndex.rows(
    run,
    found.map((conflict) => conflict.item),
  );
}
