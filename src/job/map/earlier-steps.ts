import type { TakenAsOne } from '../../model/job.js';
import type { OperationName, ReturnedField } from '../../model/operation.js';
import { fold } from '../../util/fold.js';
import { nearestName } from '../../util/nearest.js';
import { type Problem, refuse } from '../problem.js';
import type { Place } from '../yaml/text.js';

/** A step as far as it is known while later ones are read. */
export interface NamedStep {
  readonly name: string;
  /** Undefined where the file names no operation that there is: whatever is taken from it is let be. */
  readonly operation: OperationName | undefined;
  readonly returns: readonly ReturnedField[];
  /** How many records it brings for a row, where the map says so by a constant; open: the sheet decides. */
  readonly records: number | 'open' | 'unknown';
}

/** The steps of a job as one of them sees them: it takes from those before it only. */
export class EarlierSteps {
  /** By step: the first field of one value that takes what comes from its records. */
  readonly takenAsOne: Map<string, TakenAsOne>;
  readonly #own: number;
  readonly #all: readonly NamedStep[];

  /** @param own index of the step that takes */
  constructor(all: readonly NamedStep[], own: number, takenAsOne: Map<string, TakenAsOne>) {
    this.takenAsOne = takenAsOne;
    this.#all = all;
    this.#own = own;
  }

  /** What a step returns under a name; undefined, with a problem added, where that can't be had. */
  find(
    { step: name, field }: { readonly step: string; readonly field: string },
    place: Place,
    problems: Problem[],
  ): { readonly step: NamedStep; readonly returned: ReturnedField } | undefined {
    const step = this.#earlier(name, place, problems);
    if (!step?.operation) return undefined;
    const returned = step.returns.find((it) => it.name === field);
    if (returned) return { step, returned };
    const known = step.returns.map((it) => it.name);
    const params = { step: step.name, operation: step.operation, field, known: known.join(', ') || '-' };
    const near = nearestName(field, known);
    return near === undefined
      ? refuse(problems, place, 'job.step_returns_no', params)
      : refuse(problems, place, 'job.step_returns_no_nearest', { ...params, near });
  }

  #earlier(name: string, place: Place, problems: Problem[]): NamedStep | undefined {
    const at = this.#all.findIndex((it) => it.name === name);
    if (at >= 0 && at < this.#own) return this.#all[at];
    if (at === this.#own) return refuse(problems, place, 'job.step_itself', { step: name });
    if (at > this.#own) return refuse(problems, place, 'job.step_later', { step: name });
    const known = this.#all.slice(0, this.#own).map((it) => it.name);
    const near = known.find((it) => fold(it) === fold(name)) ?? nearestName(name, known);
    const params = { step: name, known: known.join(', ') || '-' };
    return near === undefined
      ? refuse(problems, place, 'job.step_unknown', params)
      : refuse(problems, place, 'job.step_unknown_nearest', { ...params, near });
  }
}
