import { type Message, message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import type { Ledger } from '../../ledger/contract/ledger.js';
import type { RowGain } from '../../ledger/contract/report.js';
import type { StepResult } from '../../mapping/steps/contract.js';

/** Another step of the same run. */
export interface OtherStep {
  readonly name: string;
  readonly run: string;
}

/** How a row comes to a step. */
export type Standing =
  /** With what each earlier step made of it, in their order. */
  | { readonly kind: 'goes'; readonly results: readonly StepResult[] }
  /** It isn't sent, because of what a step made of it. */
  | { readonly kind: 'blocked'; readonly results: readonly StepResult[]; readonly blocked: Blocked };

export interface Blocked {
  readonly step: string;
  readonly status: string;
  readonly message: Message;
}

/**
 * What the other steps of a run made of its rows, read from the ledger along with the sheet: each row is asked for once, in
 * ascending order.
 */
export class OtherSteps {
  readonly #given: boolean;
  readonly #earlier: readonly StepRows[];
  readonly #later: readonly StepRows[];

  /**
   * @param given the step is only checked: values stand in for what earlier steps are still to return
   * @param later steps after it, as they were checked; nobody's where they are still to be checked
   */
  constructor(
    ledger: Ledger,
    steps: { readonly earlier: readonly OtherStep[]; readonly later: readonly OtherStep[] },
    given: boolean,
  ) {
    this.#given = given;
    this.#earlier = steps.earlier.map((it) => new StepRows(ledger, it));
    this.#later = steps.later.map((it) => new StepRows(ledger, it));
  }

  /** Reads as far as a row. */
  async upTo(row: number): Promise<void> {
    for (const it of [...this.#earlier, ...this.#later]) await it.upTo(row);
  }

  at(row: number): Standing {
    const came = this.#earlier.map((it) => ({
      step: it.step,
      came: cameOf(it.take(row), it.step, this.#given),
    }));
    const results = came.map((it) => it.came.result);
    const blocked =
      came.find((it) => it.came.blocked)?.came.blocked ??
      this.#later.map((it) => invalidLater(it.take(row), it.step)).find((it) => it !== undefined);
    return blocked ? { kind: 'blocked', results, blocked } : { kind: 'goes', results };
  }
}

interface Came {
  readonly result: StepResult;
  readonly blocked?: Blocked;
}

function cameOf(gain: RowGain, { name }: OtherStep, given: boolean): Came {
  const { status, items, columns, licenseOrderId, records, several, messages } = gain;
  const returned: StepResult = {
    kind: 'returned',
    columns,
    records,
    ...(licenseOrderId === undefined ? {} : { licenseOrderId }),
    ...(several ? { several } : {}),
  };
  const surplus = surplusOf(columns) ? surplusBlock(name, status) : undefined;
  if (status === 'succeeded')
    return surplus ? { result: standIn(gain), blocked: surplus } : { result: returned };
  const blocked = (as: string): Came => ({ result: standIn(gain), blocked: blockedBy(gain, name, as) });
  if (status === 'skipped') {
    const held = messages.flatMap(({ reason }) =>
      reason && reason.kind !== 'resolved_by_person' ? [reason.kind] : [],
    );
    if (held.length === 0) return { result: { kind: 'left_out' } };
    if (!held.every((it) => it === 'held_done')) return blocked('unknown');
    if (surplus) return { result: standIn(gain), blocked: surplus };
    return messages.some(isOnlyAccepted) ? blocked('accepted') : { result: returned };
  }
  if (given && (status === 'invalid' || isPending(gain))) return { result: standIn(gain) };
  return blocked(status === 'not_sent' && items.length === 0 ? 'not_sent' : status);
}

/** Which of more records than requested belong to the row is not known. */
function surplusOf({ recordsRequested, recordCount }: RowGain['columns']): boolean {
  return recordsRequested !== undefined && Number(recordCount) > Number(recordsRequested);
}

function surplusBlock(step: string, status: string): Blocked {
  return { step, status, message: message('steps.numbers_differ', { step, status }) };
}

/** What an earlier run has sent, and what became of it is still to be told: a row doesn't go on with that. */
function isOnlyAccepted({ text }: RowGain['messages'][number]): boolean {
  return typeof text !== 'string' && text.params.status === 'accepted';
}

/** An item of it waits to be sent, and nothing is known against it. */
function isPending({ status, items, messages }: RowGain): boolean {
  return status === 'not_sent' && items.length > 0 && messages.length === 0;
}

/** Rows of one item will get the same, and no others. */
function standIn({ row, items }: RowGain): StepResult {
  return { kind: 'given', id: items.length > 0 ? `item ${items.join(' ')}` : `row ${row}` };
}

function blockedBy({ messages }: RowGain, step: string, status: string): Blocked {
  const before = messages.find(({ text }) => typeof text !== 'string' && BLOCKED.has(text.code))?.text;
  if (before === undefined || typeof before === 'string') {
    return { step, status, message: message('steps.not_on', { step, status }) };
  }
  // The step where it all began.
  const { step: first, status: was } = before.params;
  return { step: String(first ?? step), status: String(was ?? 'invalid'), message: before };
}

/** The row is invalid in a step that comes later, or belongs together with one that is: it was told when all was checked. */
function invalidLater(gain: RowGain, { name }: OtherStep): Blocked | undefined {
  if (gain.status === 'invalid') {
    return { step: name, status: 'invalid', message: message('steps.invalid', { step: name }) };
  }
  const told = gain.messages.find(({ text }) => typeof text !== 'string' && BLOCKED.has(text.code));
  if (gain.status !== 'not_sent' || !told) return undefined;
  const by = blockedBy(gain, name, gain.status);
  return by.status === 'invalid' ? by : undefined;
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
  #asked = 0;

  constructor(ledger: Ledger, step: OtherStep) {
    this.step = step;
    this.#pages = ledger.report.gains(step.run)[Symbol.asyncIterator]();
  }

  async upTo(row: number): Promise<void> {
    // Those that nobody asked about, as the job left them out.
    for (const it of this.#known.keys()) if (it <= this.#asked) this.#known.delete(it);
    this.#asked = row;
    while (this.#last < row) {
      const page = await this.#pages.next();
      if (page.done) {
        this.#last = Number.POSITIVE_INFINITY;
        return;
      }
      for (const it of page.value) this.#known.set(it.row, it);
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
