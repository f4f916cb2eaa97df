import { type Message, message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import { CellWarnings } from '../mapping/cell-warnings.js';
import type { MappedGroup, Mapping } from '../mapping/contract.js';
import type { Job } from '../model/job.js';
import type { Row } from '../model/row.js';
import { tellingHeaderRow } from '../source/header-elsewhere.js';
import { tellHidden } from '../source/hidden-rows.js';
import { NamedRows } from '../source/named-rows.js';
import { bindWhere } from '../source/where.js';
import { crashPoint } from '../util/crash-point.js';
import type { StopSignal } from '../util/stop-signal.js';
import { Joins } from './joins.js';
import type { RunObserver } from './observer.js';
import type { OpenedInput } from './opened-input.js';
import type { PlanBuffer } from './plan-buffer.js';
import { AdjacentRows, type RowGroups, ScatteredRows } from './row-groups.js';
import { SharedSequences } from './shared-sequences.js';

/** Faults of its group that a row tells beside its own; each stands in full at the row it belongs to. */
const OTHERS_TOLD = 20;

export interface RowsRead {
  readonly rows: number;
}

interface RowPlan {
  readonly job: Job;
  readonly input: OpenedInput;
  readonly mapping: Mapping;
  readonly buffer: PlanBuffer;
  readonly observer: RunObserver;
  readonly stop: StopSignal;
  /** Said before all that the rows give rise to. */
  readonly warnings: readonly Message[];
  /** Items in one request at most. */
  readonly batchSize: number;
  /** Tells the rows that belong to the run; absent: all do. */
  readonly only?: ((row: number) => boolean) | undefined;
}

/**
 * Reads the job's sheet and gives every row an item or a verdict. The rows of a group mostly stand together: read once,
 * they are mapped as they come. Where a group turns up again further down, all that was planned is thrown away and the
 * sheet is read once more with its rows gathered first; what gathering and joining must hold goes to disk past a bound.
 * @throws ProductError input for hidden rows that the job refuses and for joined rows that belong to none.
 */
export async function planRows(plan: RowPlan): Promise<RowsRead> {
  const { job, input, mapping, buffer } = plan;
  const { table } = input;
  const where = await tellingHeaderRow(input.source, [table], () =>
    bindWhere(job, table.sheet.name, table.headers),
  );
  const joins = await Joins.index(mapping, input);
  try {
    const read = await readThrough(plan, where, joins, new AdjacentRows());
    if (read) return read;
    await buffer.discard();
    joins.forgetAsked();
    const again = await readThrough(plan, where, joins, new ScatteredRows(mapping.columns));
    if (!again) throw new Error('rows were gathered and yet scattered');
    return again;
  } finally {
    joins.close();
  }
}

/** One reading of the sheet; undefined when a group turned out to be scattered, and nothing of it counts. */
async function readThrough(
  plan: RowPlan,
  where: ReturnType<typeof bindWhere>,
  joins: Joins,
  groups: RowGroups,
): Promise<RowsRead | undefined> {
  const { job, input, mapping, buffer } = plan;
  const sheet = input.table.sheet.name;
  const sequences = new SharedSequences(plan.batchSize);
  const cells = new CellWarnings();
  const map = (rows: readonly Row[]): void => keep(buffer, sheet, mapping.map(rows, joins), sequences, cells);
  let rows = 0;
  const hidden = new NamedRows();
  for (const warning of plan.warnings) buffer.warn(warning);
  try {
    for await (const chunk of input.table.rows()) {
      if (plan.stop.cause) break;
      for (const row of chunk) {
        crashPoint('plan');
        if (plan.only && !plan.only(row.number)) {
          ownJoined(row, mapping, joins);
          continue;
        }
        rows += 1;
        if (row.hidden) hidden.add(row.number);
        // Whether the job leaves a line out that may have shifted can't be told by its cells.
        if (!row.faults && setAside(row, plan, where, joins)) continue;
        const key = mapping.groupKey?.(row);
        if (key === undefined) {
          map([row]);
          continue;
        }
        const added = groups.add(key, row);
        if (added.kind === 'scattered') return undefined;
        if (added.kind === 'complete') map(added.rows);
      }
      await buffer.settle();
      plan.observer.progress({ stage: 'plan', done: rows });
    }
    for (const group of groups.rest()) {
      crashPoint('plan');
      map(group);
      await buffer.settle();
    }
  } finally {
    groups.close();
  }
  const hiddenWarning = tellHidden(job.source, sheet, hidden);
  if (hiddenWarning) buffer.warn(hiddenWarning);
  if (!plan.stop.cause) refuseOrphans(plan, joins, sheet);
  for (const warning of [...cells.rest(), ...mapping.warnings]) buffer.warn(warning);
  await buffer.flush();
  return { rows };
}

/** Rows that the job leaves out, and rows whose condition can't be told. True when the row is done with. */
function setAside(row: Row, plan: RowPlan, where: ReturnType<typeof bindWhere>, joins: Joins): boolean {
  const { buffer, job, mapping } = plan;
  const verdict = where?.(row) ?? { kind: 'in' };
  if (verdict.kind === 'fault') {
    const fault = { sheet: row.sheet, row: row.number, message: verdict.message };
    buffer.verdict({ row: row.number, status: 'invalid', faults: [fault] });
  } else if (verdict.kind === 'out') {
    buffer.verdict({ row: row.number, status: 'skipped', message: message('run.filtered') });
  } else if (row.hidden && job.source.hiddenRows === 'skip') {
    buffer.verdict({ row: row.number, status: 'skipped', message: message('run.hidden_skipped') });
  } else {
    return false;
  }
  ownJoined(row, mapping, joins);
  return true;
}

/** A row that is left out still owns its rows of other sheets: mapped for its look-ups only. */
function ownJoined(row: Row, mapping: Mapping, joins: Joins): void {
  if (mapping.joins.length > 0) mapping.map([row], joins);
}

function keep(
  buffer: PlanBuffer,
  sheet: string,
  group: MappedGroup,
  sequences: SharedSequences,
  cells: CellWarnings,
): void {
  if (group.kind === 'items') {
    for (const item of group.items) {
      const fault = sequences.fault(sheet, item);
      if (!fault) buffer.item(item);
      else
        for (const row of item.rows) buffer.verdict({ row, status: 'invalid', faults: [{ ...fault, row }] });
    }
    for (const warning of group.warnings) if (cells.names(warning)) buffer.warn(warning);
    return;
  }
  for (const row of group.rows) {
    // Each row keeps the faults of its own cells first: that is where its reader looks.
    const own = group.faults.filter((it) => it.row === row && it.sheet === sheet);
    const others = group.faults.filter((it) => it.row !== row || it.sheet !== sheet).slice(0, OTHERS_TOLD);
    buffer.verdict({ row, status: 'invalid', faults: [...own, ...others] });
  }
}

function refuseOrphans(plan: RowPlan, joins: Joins, parent: string): void {
  const { count, first } = joins.orphans(parent);
  if (count === 0) return;
  if (plan.job.run.onInvalid === 'skip') {
    for (const warning of first) plan.buffer.warn(warning);
    return;
  }
  const detail = message('run.orphans', {
    file: plan.job.source.file,
    count,
    parent,
    first: `${first[0]?.params.sheet}, row ${first[0]?.params.row}`,
  });
  throw new ProductError('input', detail, { others: first });
}
