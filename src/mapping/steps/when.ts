import { type Message, message } from '../../errors/message.js';
import type { StepOfJob, UnmatchedRows } from '../../model/job.js';
import { setAtPath } from '../../model/json.js';
import { expressionText, type Fault, type Row } from '../../model/row.js';
import { type CelField, compileCel } from '../../util/cel.js';
import { nearest } from '../../util/name-match.js';
import type { BindingProblems } from '../bound-entry.js';
import type { TableColumns } from '../table-columns.js';
import {
  type EarlierResults,
  type StepColumn,
  type StepMapping,
  type StepResult,
  type StepWhen,
  stepValue,
} from './step-columns.js';

/** `step` as a variable of expressions: `step["customer"]["customerId"]`. */
export const STEP = { step: 'record' } as const;

type StepTexts = ReadonlyMap<string, ReadonlyMap<string, string | readonly string[]>>;

/** The results of earlier steps that an expression reads in one row. */
export type StepsSeen =
  | {
      readonly kind: 'seen';
      /** By step and result, without placeholders. */
      readonly step: StepTexts;
      /** The ids of placeholders. */
      readonly given: readonly string[];
      /** True if a placeholder will get a value that no earlier item had. */
      readonly isNew: boolean;
    }
  | { readonly kind: 'fault'; readonly message: Message };

/** The results of earlier steps that an expression reads. */
export class StepReads {
  /** The columns of these results. */
  readonly columns: readonly StepColumn[];

  constructor(fields: readonly CelField[], steps: EarlierResults | undefined) {
    const read = fields.filter(({ record }) => record === 'step');
    this.columns = steps
      ? read.map(({ path: [step = '', ...rest] }) => steps.find(step, rest.join('.')))
      : [];
  }

  /**
   * Results are texts, as `row["X"]` is: empty if `when` excluded the row, or if the reply has no value. Results from records are
   * lists of texts.
   */
  of(row: Row): StepsSeen {
    const step = new Map<string, Map<string, string | readonly string[]>>();
    const given: string[] = [];
    let isNew = false;
    for (const { column, step: name, returned, given: placeholder } of this.columns) {
      const results = step.get(name) ?? new Map<string, string | readonly string[]>();
      step.set(name, results);
      const value = stepValue(row.cell(column));
      if (value.kind === 'given') {
        given.push(`${name}.${returned.name} ${value.id}`);
        if (placeholder === 'new') isNew = true;
      } else if (value.kind === 'left_out') put(results, returned.name, '');
      else if (returned.many && !returned.single) put(results, returned.name, value.texts);
      else {
        const [text = '', second] = value.texts;
        if (second !== undefined) {
          const params = { from: `${name}.${returned.name}`, count: value.texts.length };
          return { kind: 'fault', message: message('mapping.step_several', params) };
        }
        put(results, returned.name, text);
      }
    }
    return { kind: 'seen', step, given, isNew };
  }
}

/** Sets a result under its name and, if the name is a path, as nested members: `step.list.assignStatus.id`. */
function put(owner: Map<string, unknown>, name: string, value: string | readonly string[]): void {
  owner.set(name, value);
  setAtPath(owner, name.split('.'), value);
}

/**
 * Describes why no step includes a row: the first cell whose value no `when` compares with, and the values that the conditions
 * compare with (contract section 9).
 */
function bindUnmatched({ whens }: UnmatchedRows, table: TableColumns): (row: Row) => Fault {
  const known = new Map<number, Set<string>>();
  for (const { source, at } of whens) {
    const compiled = compileCel(source, { variables: { row: 'row', ...STEP }, result: 'bool' });
    for (const { column: name, text } of compiled.ok ? compiled.comparisons : []) {
      const column = table.find(name, at)?.column;
      if (column !== undefined) known.set(column, (known.get(column) ?? new Set()).add(text));
    }
  }
  return (row) => {
    const place = { sheet: row.sheet, row: row.number };
    for (const [column, texts] of known) {
      const value = expressionText(row.cell(column));
      const filled = [...texts].filter((it) => it !== '');
      if (texts.has(value) || filled.length === 0) continue;
      const near = nearest(value, filled);
      const params = { value, known: filled.join(', ') };
      if (value === '') return { ...place, column, message: message('steps.unmatched_empty', params) };
      if (near === undefined) return { ...place, column, message: message('steps.unmatched_value', params) };
      return { ...place, column, message: message('steps.unmatched_nearest', { ...params, near }) };
    }
    const conditions = whens.map(({ source }) => source).join('; ');
    return { ...place, message: message('steps.unmatched', { conditions }) };
  };
}

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
    problems.addExpression(when, compiled.detail);
    return { columns: [], when: () => GOES };
  }
  const columns = compiled.columns.map((name) => [name, table.find(name, when.at)?.column] as const);
  const reads = new StepReads(compiled.fields, steps);
  const first = columns[0]?.[1];
  const evaluate = (row: Row): StepWhen => {
    const fault = (column: number | undefined, detail: Message): StepWhen => ({
      kind: 'fault',
      fault: { sheet: row.sheet, row: row.number, column, message: detail },
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
    // Placeholders are missing here: a condition that can be evaluated without them doesn't depend on them.
    if (!result.ok && seen.given.length > 0) return GOES;
    if (result.ok) return result.value === true ? GOES : LEFT_OUT;
    return fault(first, message('mapping.when_failed', { when: when.source, detail: result.detail }));
  };
  const read = columns.flatMap(([, column]) => column ?? []);
  if (!unmatched) return { columns: read, when: evaluate };
  const faultOf = bindUnmatched(unmatched, table);
  const evaluateLast = (row: Row, results: readonly StepResult[]): StepWhen => {
    const result = evaluate(row);
    if (result.kind !== 'left_out' || !results.every(({ kind }) => kind === 'left_out')) return result;
    return unmatched.status === 'skip' ? { kind: 'unmatched' } : { kind: 'fault', fault: faultOf(row) };
  };
  return { columns: read, when: evaluateLast };
}
