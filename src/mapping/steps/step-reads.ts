import { type Message, message } from '../../errors/message.js';
import type { Row } from '../../model/row.js';
import type { CelField } from '../../util/cel.js';
import { type EarlierResults, type StepColumn, stepValue } from './step-columns.js';

/** `step` as a variable of expressions: `step["customer"]["customerId"]`. */
export const STEP = { step: 'record' } as const;

type StepTexts = ReadonlyMap<string, ReadonlyMap<string, string | readonly string[]>>;

/** What an expression sees of earlier steps in one row. */
export type StepsSeen =
  | {
      readonly kind: 'seen';
      /** By step and result; those that aren't known yet are left out. */
      readonly step: StepTexts;
      /** What names the values that aren't known yet; none when all are. */
      readonly given: readonly string[];
      /** One of those will be a value that no earlier item had. */
      readonly isNew: boolean;
    }
  | { readonly kind: 'fault'; readonly message: Message };

/** The results of earlier steps that an expression reads. */
export class StepReads {
  /** The columns that hold them. */
  readonly columns: readonly StepColumn[];

  constructor(fields: readonly CelField[], steps: EarlierResults | undefined) {
    const read = fields.filter(({ record }) => record === 'step');
    this.columns = steps
      ? read.map(({ path: [step = '', ...rest] }) => steps.find(step, rest.join('.')))
      : [];
  }

  /**
   * Results are texts, as `row["X"]` is: empty where `when` left the row out, and where the reply has none. What comes from
   * records is a list of texts.
   */
  of(row: Row): StepsSeen {
    const step = new Map<string, Map<string, string | readonly string[]>>();
    const given: string[] = [];
    let isNew = false;
    for (const { column, step: name, returned, given: as } of this.columns) {
      const seen = step.get(name) ?? new Map<string, string | readonly string[]>();
      step.set(name, seen);
      const value = stepValue(row.cell(column));
      if (value.kind === 'given') {
        given.push(`${name}.${returned.name} ${value.id}`);
        if (as === 'new') isNew = true;
      }
      if (value.kind === 'given') continue;
      if (value.kind === 'left_out') put(seen, returned.name, '');
      else if (returned.many && !returned.single) put(seen, returned.name, value.texts);
      else {
        const [text = '', second] = value.texts;
        if (second !== undefined) {
          const params = { from: `${name}.${returned.name}`, count: value.texts.length };
          return { kind: 'fault', message: message('mapping.step_several', params) };
        }
        put(seen, returned.name, text);
      }
    }
    return { kind: 'seen', step, given, isNew };
  }
}

/** A result whose name is a path can be read by its steps too: `step.list.assignStatus.id`. */
function put(owner: Map<string, unknown>, name: string, value: string | readonly string[]): void {
  owner.set(name, value);
  const path = name.split('.');
  let at = owner;
  for (const part of path.slice(0, -1)) {
    const there = at.get(part);
    const inner = there instanceof Map ? (there as Map<string, unknown>) : new Map<string, unknown>();
    at.set(part, inner);
    at = inner;
  }
  at.set(path.at(-1)!, value);
}
