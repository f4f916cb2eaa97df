import { type Message, message } from '../../errors/message.js';
import type { Ledger } from '../../ledger/contract/ledger.js';
import type { RowVerdict } from '../../ledger/contract/plan.js';
import type { Mapping } from '../../mapping/contract.js';
import type { Job } from '../../model/job.js';
import { rowsText } from '../../util/rows-text.js';
import { withdrawalBuffer } from '../plan/plan-checks.js';
import { conflictsElsewhere, conflictsInFile, type FileConflict } from './find-conflicts.js';
import { indexOlderRuns } from './index-older-runs.js';

const ROWS_AT_ONCE = 500;

/** The field that names the lock, as paths from the request's top. */
const ASSETS = ['orderList.assets.assetNos', 'assetNums'];

interface ConflictPlace {
  readonly sheet: string;
  readonly mapping: Pick<Mapping, 'columnsOf'>;
}

/** Whether items of the job are compared with what happened to their locks. */
export function mayConflict({ operation, undoes }: Pick<Job, 'operation' | 'undoes'>): boolean {
  return operation === 'order.new_buy' || undoes !== undefined;
}

/**
 * Makes rows invalid that would change a lock of another customer, or revert what a later run has changed (contract section 4,
 * "Conflicts about one thing"). With `safety.conflicts: warn` the rows are sent, with the conflict in their message.
 */
export async function refuseConflicts(
  ledger: Ledger,
  run: string,
  job: Pick<Job, 'operation' | 'undoes' | 'safety'>,
  place: ConflictPlace,
): Promise<void> {
  if (!mayConflict(job)) return;
  await indexOlderRuns(ledger);
  const tell = conflictWriter(ledger, run, job, place);
  if (job.operation === 'order.new_buy') {
    // All of them first: an item that is withdrawn would be missing for its other locks.
    const found: FileConflict[] = [];
    for await (const it of conflictsInFile(ledger, run)) found.push(it);
    const rows = await ledger.things.rows(run, [...new Set(found.flatMap((it) => [it.item, ...it.others]))]);
    for (const { item, asset, others } of found) {
      const named = rowsText(others.flatMap((it) => rows.get(it)?.slice(0, 1) ?? []));
      await tell.add(item, rows.get(item) ?? [], message('run.conflict_in_file', { asset, rows: named }));
    }
    await tell.flush();
  }
  for await (const { item, reason } of conflictsElsewhere(ledger, run, job, 'planning')) {
    await tell.add(item, (await ledger.things.rows(run, [item])).get(item) ?? [], reason);
  }
  await tell.flush();
}

function conflictWriter(
  ledger: Ledger,
  run: string,
  { safety, undoes }: Pick<Job, 'safety' | 'undoes'>,
  { sheet, mapping }: ConflictPlace,
) {
  const withdraw = withdrawalBuffer(ledger, run);
  let warnings: RowVerdict[] = [];
  const column = ASSETS.flatMap((it) => mapping.columnsOf(it))[0];
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
      const say = refused(reason, undoes !== undefined);
      const faults = (row: number) => [{ sheet, row, column, message: say }];
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

/** The conflict with what to do about it. */
export function refused(why: Message, reverts: boolean): Message {
  return reverts ? message('revert.changed_refused', { why }) : message('run.conflict_refused', { why });
}
