import type { JobStep, StepsJob } from '../../../model/job.js';
import type { MapNode } from '../../../model/map.js';
import type { Operation } from '../../../model/operation.js';
import { operationNamed } from '../../../platform/operations/index.js';

/** First columns of every result of a job of steps (contract section 9). */
export const BEFORE_STEPS = ['row', 'status', 'licenseOrderId', 'step'] as const;

/** What the result shows of one step. */
export interface StepColumns {
  readonly name: string;
  readonly operation: Operation;
  /** Names of its results, each one a column `<step>.<name>`. */
  readonly results: readonly string[];
  /** Those of them that come from records: a cell holds the values of all, divided by `; `. */
  readonly ofRecords: ReadonlySet<string>;
}

/**
 * The columns of each step of a job. A step's results are what its operation returns for the row. Fields of records have a
 * column where they are all that a record has (asset numbers), or where a later step takes them; the others stand in the
 * sheet `Records`, as an answer may hold hundreds of them.
 */
export function stepColumns({ steps }: Pick<StepsJob, 'steps'>): readonly StepColumns[] {
  return steps.map((step) => {
    const operation = operationNamed(step.operation);
    const taken = takenFrom(steps, step.name);
    const isShort = operation.recordColumns?.length === 1;
    const shown = operation.returns.filter((it) => !it.many || it.single || isShort || taken.has(it.name));
    return {
      name: step.name,
      operation,
      results: shown.map((it) => it.name),
      ofRecords: new Set(shown.filter((it) => it.many).map((it) => it.name)),
    };
  });
}

/** The headers of a step's columns: its outcome, then its results. */
export function stepHeaders({ name, results }: StepColumns): readonly string[] {
  return ['status', 'code', 'message', ...results].map((it) => `${name}.${it}`);
}

/** Fields of a step that the maps of later ones take. */
export function takenFrom(steps: readonly JobStep[], name: string): ReadonlySet<string> {
  const taken = new Set<string>();
  const visit = (node: MapNode): void => {
    if (node.kind === 'branch') for (const it of node.fields.values()) visit(it);
    else if (node.kind === 'lookup') for (const it of node.with.values()) visit(it);
    else if (node.kind === 'from') {
      if (node.step === name) taken.add(node.field);
      if (node.else) visit(node.else);
    }
  };
  for (const { map } of steps) if (map) visit(map);
  return taken;
}
