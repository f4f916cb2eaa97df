import { message } from '../../errors/message.js';
import type { NamingItem, SentAlike } from '../../ledger/contract/asset-index.js';
import type { Ledger } from '../../ledger/contract/ledger.js';
import type { RowVerdict } from '../../ledger/contract/plan.js';
import type { Job } from '../../model/job.js';
import { operationNamed } from '../../platform/operations/catalogue.js';
import { wholeRunOf } from '../../util/run-id.js';
import { rowsText } from '../../util/text.js';
import { type ChangedRows, changedMessage } from '../execute/confirm-sending.js';
import { indexOlderRuns } from '../named-things.js';
import { requireRun } from '../run-checks.js';
import { groupNaming, shownItem } from './find-conflicts.js';

/** An item that the job sent successfully before, and whose lock or customer a later run changed. */
interface ChangedItem {
  readonly item: number;
  readonly before: SentAlike['last'];
  readonly later: NamingItem;
}

type JobParts = Pick<Job, 'name' | 'operation' | 'undoes'>;

/** True for locks and updates: sent again, they would revert later changes. */
function mayRevertChanges({ operation, undoes }: JobParts): boolean {
  const { key, subject } = operationNamed(operation);
  return key === undefined && subject !== undefined && undoes === undefined;
}

/**
 * The unsent items that repeat a successful item of this job although a later run changed the same lock or customer
 * (contract section 4, "Keys and duplicates"). By item, each once.
 */
async function* changedItems(ledger: Ledger, run: string, job: JobParts): AsyncGenerator<ChangedItem> {
  if (!mayRevertChanges(job)) return;
  await indexOlderRuns(ledger);
  let done = 0;
  for await (const page of ledger.assetIndex.sentAlike(run, job.name)) {
    const things = [...new Set(page.map((line) => line.thing))];
    const named = groupNaming(await ledger.assetIndex.naming(run, things, { operations: 'all' }));
    for (const { item, content, thing, last } of page) {
      if (item === done) continue;
      const others = (named.get(thing) ?? []).filter((named) => named.status !== 'pending');
      const isAlike = (named: NamingItem): boolean => named.content === content;
      // A plan may have been sent after runs that were planned later.
      const before =
        others.find((sent) => isAlike(sent) && sent.job === job.name && sent.at > last.at) ?? last;
      const later = others.find(
        (sent) =>
          !isAlike(sent) &&
          (sent.at > before.at || (sent.at === before.at && sent.id > before.id)) &&
          wholeRunOf(sent.run) !== wholeRunOf(before.run) &&
          // It reverted a later change: both together changed nothing.
          !(sent.undoes !== undefined && sent.undoes > before.id),
      );
      if (!later) continue;
      done = item;
      yield { item, before: { ...last, ...before }, later };
    }
  }
}

const ROWS_AT_ONCE = 500;

/** Reports such rows at planning: each in its message, and all of them in a warning. */
export async function warnOfChanges(ledger: Ledger, run: string, job: JobParts): Promise<void> {
  let verdicts: RowVerdict[] = [];
  for await (const { item, before, later } of changedItems(ledger, run, job)) {
    const params = { before: shownItem(before), later: shownItem(later), operation: later.operation };
    const text = message('run.changed_since_sent', params);
    for (const row of await rowsOf(ledger, run, item)) verdicts.push({ row, status: 'valid', message: text });
    if (verdicts.length < ROWS_AT_ONCE) continue;
    await ledger.plan.addVerdicts(run, verdicts);
    verdicts = [];
  }
  if (verdicts.length > 0) await ledger.plan.addVerdicts(run, verdicts);
  const changed = await changedRows(ledger, [{ run, job }]);
  if (changed) await ledger.plan.addWarnings(run, [changedMessage('run.changed_rows', changed)]);
}

/**
 * All such rows of a run, or of its steps; undefined if there are none.
 * @param after only changes that were sent after this time; milliseconds since 1970
 */
export async function changedRows(
  ledger: Ledger,
  parts: readonly { readonly run: string; readonly job: JobParts }[],
  after = Number.NEGATIVE_INFINITY,
): Promise<ChangedRows | undefined> {
  const rows = new Set<number>();
  const runs = new Set<string>();
  let latest = after;
  for (const { run, job } of parts) {
    for await (const { item, later } of changedItems(ledger, run, job)) {
      if (later.at <= after) continue;
      for (const row of await rowsOf(ledger, run, item)) rows.add(row);
      runs.add(wholeRunOf(later.run));
      latest = Math.max(latest, later.at);
    }
  }
  if (rows.size === 0) return undefined;
  const ascending = [...rows].sort((a, b) => a - b);
  return { count: rows.size, rows: rowsText(ascending), runs: [...runs].join(', '), latest };
}

/** Audited actions that ask for confirmations and then send or queue the run. */
const CONFIRMING: ReadonlySet<string> = new Set(['run', 'submit', 'apply', 'resume', 'retry', 'reconcile']);
const ENTRIES_SEARCHED = 100;

/** The time at which the sending of the run, with all its steps, was last confirmed; milliseconds since 1970. */
export async function confirmationRequestedAt(ledger: Ledger, run: string): Promise<number> {
  const entries = await ledger.audit.page({ run, limit: ENTRIES_SEARCHED });
  return entries.find(({ act }) => CONFIRMING.has(act))?.at ?? (await requireRun(ledger, run)).startedAt;
}

async function rowsOf(ledger: Ledger, run: string, item: number): Promise<readonly number[]> {
  return (await ledger.assetIndex.rows(run, [item])).get(item) ?? [];
}
