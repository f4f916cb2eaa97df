import { type Message, message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import type { Ledger } from '../../ledger/contract/ledger.js';
import type { RowGain } from '../../ledger/contract/report.js';
import type { StepMapping, StepResult } from '../../mapping/steps/step-columns.js';
import type { Row } from '../../model/row.js';
import { RowNumbers } from '../../util/text.js';
import type { PlanBuffer } from './plan-buffer.js';

/** Another step of the same run. */
interface OtherStep {
  readonly name: string;
  readonly run: string;
}

/** The state in which a row arrives at a step. */
type StepProgress =
  /** With the result of each earlier step, in order. */
  | { readonly kind: 'goes'; readonly results: readonly StepResult[] }
  /** Not sent, because of its outcome in another step. */
  | { readonly kind: 'blocked'; readonly results: readonly StepResult[]; readonly blocked: Blocked };

interface Blocked {
  readonly step: string;
  readonly status: string;
  readonly message: Message;
}

/** The results of a run's other steps, read in parallel with the sheet: each row once, in ascending order. */
export class OtherSteps {
  readonly #given: boolean;
  readonly #earlier: readonly StepRows[];
  readonly #later: readonly StepRows[];

  /**
   * @param steps `later`: the steps after it, if they are already checked
   * @param given the step is only checked, with placeholders for the results of earlier steps
   */
  constructor(
    ledger: Ledger,
    steps: { readonly earlier: readonly OtherStep[]; readonly later: readonly OtherStep[] },
    given: boolean,
  ) {
    this.#given = given;
    this.#earlier = steps.earlier.map((step) => new StepRows(ledger, step));
    this.#later = steps.later.map((step) => new StepRows(ledger, step));
  }

  /** Reads up to a row. */
  async upTo(row: number): Promise<void> {
    for (const rows of [...this.#earlier, ...this.#later]) await rows.upTo(row);
  }

  at(row: number): StepProgress {
    const outcomes = this.#earlier.map((rows) => ({
      step: rows.step,
      outcome: stepOutcome(rows.take(row), rows.step, this.#given),
    }));
    const results = outcomes.map(({ outcome }) => outcome.result);
    const blocked =
      outcomes.find(({ outcome }) => outcome.blocked)?.outcome.blocked ??
      this.#later.map((rows) => invalidLater(rows.take(row), rows.step)).find(Boolean);
    return blocked ? { kind: 'blocked', results, blocked } : { kind: 'goes', results };
  }
}

interface Outcome {
  readonly result: StepResult;
  readonly blocked?: Blocked;
}

function stepOutcome(gain: RowGain, { name }: OtherStep, given: boolean): Outcome {
  const { status, items, columns, licenseOrderId, records, several, messages } = gain;
  const returned: StepResult = {
    kind: 'returned',
    columns,
    records,
    licenseOrderId,
    several: several || undefined,
  };
  const surplus = surplusOf(columns)
    ? { step: name, status, message: message('steps.numbers_differ', { step: name, status }) }
    : undefined;
  if (status === 'succeeded')
    return surplus ? { result: placeholder(gain), blocked: surplus } : { result: returned };
  const blocked = (as: string): Outcome => ({
    result: placeholder(gain),
    blocked: blockedBy(gain, name, as),
  });
  if (status === 'skipped') {
    const held = messages.flatMap(({ reason }) =>
      reason && reason.kind !== 'resolved_by_person' ? [reason.kind] : [],
    );
    if (held.length === 0) return { result: { kind: 'left_out' } };
    if (!held.every((kind) => kind === 'held_done')) return blocked('unknown');
    if (surplus) return { result: placeholder(gain), blocked: surplus };
    return messages.some(isOnlyAccepted) ? blocked('accepted') : { result: returned };
  }
  if (given && (status === 'invalid' || isPending(gain))) return { result: placeholder(gain) };
  return blocked(status === 'not_sent' && items.length === 0 ? 'not_sent' : status);
}

/** True if there are more records than requested, so that it is unknown which of them belong to the row. */
function surplusOf({ recordsRequested, recordCount }: RowGain['columns']): boolean {
  return recordsRequested !== undefined && Number(recordCount) > Number(recordsRequested);
}

/** True if an earlier run sent the row and the final outcome is not known. The row does not continue with that. */
function isOnlyAccepted({ text }: RowGain['messages'][number]): boolean {
  return typeof text !== 'string' && text.params.status === 'accepted';
}

/** True if an item of the row is waiting to be sent and has no message against it. */
function isPending({ status, items, messages }: RowGain): boolean {
  return status === 'not_sent' && items.length > 0 && messages.length === 0;
}

/** A placeholder. Rows of the same item will get the same result. */
function placeholder({ row, items }: RowGain): StepResult {
  return { kind: 'given', id: items.length > 0 ? `item ${items.join(' ')}` : `row ${row}` };
}

function blockedBy({ messages }: RowGain, step: string, status: string): Blocked {
  const before = messages.find(({ text }) => typeof text !== 'string' && BLOCKED.has(text.code))?.text;
  if (before === undefined || typeof before === 'string')
    return { step, status, message: message('steps.not_on', { step, status }) };
  // The step where the row was blocked first.
  const { step: first, status: was } = before.params;
  return { step: String(first ?? step), status: String(was ?? 'invalid'), message: before };
}

/** The row is invalid in a later step, or belongs to an item with such a row, according to the check of all steps. */
function invalidLater(gain: RowGain, { name }: OtherStep): Blocked | undefined {
  if (gain.status === 'invalid')
    return { step: name, status: 'invalid', message: message('steps.invalid', { step: name }) };
  const verdict = gain.messages.find(({ text }) => typeof text !== 'string' && BLOCKED.has(text.code));
  if (gain.status !== 'not_sent' || !verdict) return undefined;
  const blocked = blockedBy(gain, name, gain.status);
  return blocked.status === 'invalid' ? blocked : undefined;
}

/** Codes of verdicts that come from another step. */
const BLOCKED: ReadonlySet<string> = new Set([
  'steps.not_on',
  'steps.numbers_differ',
  'steps.invalid',
  'steps.together',
]);

/** The rows of one step run, by ascending row. */
class StepRows {
  readonly step: OtherStep;
  readonly #pages: AsyncIterator<readonly RowGain[]>;
  readonly #known = new Map<number, RowGain>();
  #last = 0;
  #requested = 0;

  constructor(ledger: Ledger, step: OtherStep) {
    this.step = step;
    this.#pages = ledger.report.gains(step.run)[Symbol.asyncIterator]();
  }

  async upTo(row: number): Promise<void> {
    // Rows that were never requested, because the job excluded them.
    for (const known of this.#known.keys()) if (known <= this.#requested) this.#known.delete(known);
    this.#requested = row;
    while (this.#last < row) {
      const page = await this.#pages.next();
      if (page.done) {
        this.#last = Number.POSITIVE_INFINITY;
        return;
      }
      for (const gain of page.value) this.#known.set(gain.row, gain);
      this.#last = page.value.at(-1)?.row ?? this.#last;
    }
  }

  take(row: number): RowGain {
    const found = this.#known.get(row);
    if (found) {
      this.#known.delete(row);
      return found;
    }
    const { name: step, run } = this.step;
    throw new ProductError('internal', message('steps.row_missing', { row, step, run }));
  }
}

/** Rows of a step between the sheet and their items. A blocked row also blocks the rows that share its item. */
export class StepProgressRows {
  readonly #buffer: PlanBuffer;
  readonly #blocked = new Map<number, Blocked>();

  readonly #invalid: ReadonlySet<number>;
  /** Rows that no step takes, in a job with `unmatched: skip`. */
  readonly unmatched = new RowNumbers();

  /** @param invalid rows that already have a verdict */
  constructor(buffer: PlanBuffer, invalid: ReadonlySet<number> = new Set()) {
    this.#buffer = buffer;
    this.#invalid = invalid;
  }

  /** The row with the results of earlier steps; undefined, with a verdict, if the step does not take it. */
  take(
    row: Row,
    progress: StepProgress,
    steps: StepMapping,
    identities?: readonly string[],
  ): Row | undefined {
    const withResults = steps.withResults(row, progress.results, identities);
    if (this.#invalid.has(row.number)) return withResults;
    if (progress.kind === 'blocked') {
      // It is still added to its group, which is incomplete without it.
      this.#blocked.set(row.number, progress.blocked);
      return withResults;
    }
    const when = steps.when(withResults, progress.results);
    if (when.kind === 'goes') return withResults;
    if (when.kind === 'unmatched') this.unmatched.add(row.number);
    this.#buffer.verdict(
      when.kind === 'fault'
        ? { row: row.number, status: 'invalid', faults: [when.fault] }
        : { row: row.number, status: 'skipped', message: leftOutMessage(when.kind) },
    );
    return undefined;
  }

  /** True if one of the rows is blocked. Then all of them get a verdict and none is sent. */
  withholdIfBlocked(rows: readonly Row[]): boolean {
    if (this.#blocked.size === 0 && this.#invalid.size === 0) return false;
    if (rows.some(({ number }) => this.#invalid.has(number))) return this.#withInvalid(rows);
    const first = rows.find(({ number }) => this.#blocked.has(number));
    const blocked = first && this.#blocked.get(first.number);
    if (!blocked) return false;
    const together = message('steps.together', {
      row: first.number,
      step: blocked.step,
      status: blocked.status,
    });
    for (const { number } of rows) {
      const ownBlock = this.#blocked.get(number);
      this.#blocked.delete(number);
      this.#buffer.verdict({ row: number, status: 'not_sent', message: ownBlock?.message ?? together });
    }
    return true;
  }

  /** No part of an order with an invalid row is sent. The invalid rows already have their verdicts. */
  #withInvalid(rows: readonly Row[]): true {
    const invalid = rows.filter(({ number }) => this.#invalid.has(number)).map(({ number }) => number);
    const together = message('run.invalid_together', { rows: invalid.slice(0, 10).join(', ') });
    for (const { number } of rows) {
      this.#blocked.delete(number);
      if (!this.#invalid.has(number))
        this.#buffer.verdict({ row: number, status: 'invalid', message: together });
    }
    return true;
  }
}

/** Why a step does not take a row. */
export function leftOutMessage(kind: 'left_out' | 'unmatched'): Message {
  return message(kind === 'unmatched' ? 'steps.unmatched_row' : 'steps.left_out');
}
