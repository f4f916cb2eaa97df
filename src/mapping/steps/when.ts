import { type Message, message } from '../../errors/message.js';
import { expressionText } from '../../model/cell.js';
import type { StepOfJob } from '../../model/job.js';
import { shownPlace } from '../../model/map.js';
import type { Row } from '../../model/row.js';
import { compileCel } from '../../util/cel.js';
import type { BindingProblems } from '../binding-problems.js';
import type { TableColumns } from '../table-columns.js';
import type { StepMapping, StepResult, StepWhen } from './contract.js';
import type { EarlierResults } from './step-columns.js';
import { STEP, StepReads } from './step-reads.js';
import { bindUnmatched } from './unmatched.js';

const GOES: StepWhen = { kind: 'goes' };
const LEFT_OUT: StepWhen = { kind: 'left_out' };

/** Binds a step's `when` to the sheet's columns and the results of earlier steps. */
export function bindWhen(
  { when, unmatched }: Pick<StepOfJob, 'when' | 'unmatched'>,
  table: TableColumns,
  steps: EarlierResults,
  problems: BindingProblems,
): Pick<StepMapping, 'columns' | 'when'> {
  if (!when) return { columns: [], when: () => GOES };
  const compiled = compileCel(when.source, { variables: { row: 'row', ...STEP }, result: 'bool' });
  if (!compiled.ok) {
    const params = { ...shownPlace(when.at), expr: when.source, detail: compiled.detail };
    problems.add('map', message('mapping.expr_refused', params));
    return { columns: [], when: () => GOES };
  }
  const columns = compiled.columns.map((name) => [name, table.find(name, when.at)?.column] as const);
  const reads = new StepReads(compiled.fields, steps);
  const first = columns[0]?.[1];
  const judge = (row: Row): StepWhen => {
    const fault = (column: number | undefined, told: Message): StepWhen => ({
      kind: 'fault',
      fault: { sheet: row.sheet, row: row.number, column, message: told },
    });
    const texts = new Map<string, string>();
    for (const [name, column] of columns) {
      const cell = column === undefined ? undefined : row.cell(column);
      if (cell?.kind === 'merged') return fault(column, message('mapping.merged_over', { range: cell.raw }));
      texts.set(name, expressionText(cell));
    }
    const seen = reads.of(row);
    if (seen.kind === 'fault') return fault(undefined, seen.message);
    const result = compiled.evaluate({ row: texts, step: seen.step });
    // What isn't known yet is missing: a condition that can be worked out all the same doesn't depend on it.
    if (!result.ok && seen.given.length > 0) return GOES;
    if (result.ok) return result.value === true ? GOES : LEFT_OUT;
    return fault(first, message('mapping.when_failed', { when: when.source, detail: result.detail }));
  };
  const read = columns.flatMap(([, column]) => column ?? []);
  if (!unmatched) return { columns: read, when: judge };
  const faultOf = bindUnmatched(unmatched, table);
  const judgeLast = (row: Row, results: readonly StepResult[]): StepWhen => {
    const judged = judge(row);
    if (judged.kind !== 'left_out' || !results.every(({ kind }) => kind === 'left_out')) return judged;
    return unmatched.status === 'skip' ? { kind: 'unmatched' } : { kind: 'fault', fault: faultOf(row) };
  };
  return { columns: read, when: judgeLast };
}
