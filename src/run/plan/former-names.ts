import { message } from '../../errors/message.js';
import type { Ledger } from '../../ledger/contract/ledger.js';

import { rowKeyDigest } from '../../mapping/digest.js';
import type { MappedItem } from '../../model/item.js';
import { type JobStep, type StepsJob, stepJob } from '../../model/job.js';
import type { Operation } from '../../model/operation.js';
import { unpackAny } from '../settings.js';
import type { PlanBuffer } from './plan-buffer.js';
import { identityBegin, identityUnder } from './row-identities.js';

/** Of as many versions of other jobs, the newest first. */
const JOBS_LOOKED_AT = 100;
const ITEMS_AT_ONCE = 500;

interface FormerName {
  readonly run: string;
  readonly job: string;
  readonly step: string;
  readonly begin: string;
}

/**
 * Rows that a step without keys got through when its job or the step bore another name. It would get something new for them,
 * which makes new orders of those that carry it: all of these would go twice.
 */
export class FormerNames {
  readonly #ledger: Ledger;
  readonly #run: string;
  readonly #operation: Operation;
  readonly #names: readonly FormerName[];
  #waiting: MappedItem[] = [];

  private constructor(ledger: Ledger, run: string, operation: Operation, names: readonly FormerName[]) {
    this.#ledger = ledger;
    this.#run = run;
    this.#operation = operation;
    this.#names = names;
  }

  /**
   * Undefined where the step had no other name. Another job is this one under another name where this step and those after it
   * ask for the same.
   * @param step of the job
   */
  static async find(
    ledger: Ledger,
    run: string,
    operation: Operation,
    { whole, step }: { readonly whole: StepsJob; readonly step: string },
  ): Promise<FormerNames | undefined> {
    const at = whole.steps.findIndex(({ name }) => name === step);
    const wanted = whatIsAsked(whole.steps, at);
    const own = beginOf(whole, at);
    const found = await ledger.upkeep.read<{ run: string }>(
      `SELECT max(parent) AS run FROM runs WHERE step IS NOT NULL AND pruned_at IS NULL
        AND scope = (SELECT scope FROM runs WHERE name = $1)
        GROUP BY job, job_sha256 ORDER BY max(parent) DESC LIMIT ${JOBS_LOOKED_AT}`,
      [run],
    );
    const names: FormerName[] = [];
    for (const it of found) {
      const other = await ledger.runs.get(it.run);
      const job = other && !other.prunedAt ? unpackAny(other.settings).job : undefined;
      if (!job || !('steps' in job)) continue;
      for (const [index, { name }] of job.steps.entries()) {
        const begin = beginOf(job, index);
        if (begin === own || whatIsAsked(job.steps, index) !== wanted) continue;
        names.push({ run: it.run, job: job.name, step: name, begin });
      }
    }
    return names.length === 0 ? undefined : new FormerNames(ledger, run, operation, names);
  }

  add(item: MappedItem): void {
    if (item.identity !== undefined) this.#waiting.push(item);
  }

  /** Tells which of the items that were added are known under another name. Call it between rows. */
  async tell(buffer: PlanBuffer, sheet: string, when: 'full' | 'all'): Promise<void> {
    if (this.#waiting.length < (when === 'full' ? ITEMS_AT_ONCE : 1)) return;
    const items = this.#waiting;
    this.#waiting = [];
    for (let at = 0; at < items.length; at += ITEMS_AT_ONCE) {
      await this.#tell(buffer, sheet, items.slice(at, at + ITEMS_AT_ONCE));
    }
  }

  /** What was added counts no more: the sheet is read again. */
  forget(): void {
    this.#waiting = [];
  }

  async #tell(buffer: PlanBuffer, sheet: string, items: readonly MappedItem[]): Promise<void> {
    const open = new Set(items);
    const own = await this.#held(items.map((it) => it.key!));
    for (const it of items) if (own.has(it.key!)) open.delete(it);
    for (const { begin, run, job, step } of this.#names) {
      const keys = new Map([...open].map((it) => [it, this.#keyUnder(begin, it)]));
      const held = await this.#held([...keys.values()]);
      for (const [it, key] of keys) {
        if (!held.has(key)) continue;
        open.delete(it);
        const told = message('steps.former_name', { job, step, run });
        for (const row of it.rows) {
          buffer.verdict({
            row,
            status: 'invalid',
            faults: [{ sheet, row, column: undefined, message: told }],
          });
        }
      }
    }
  }

  #keyUnder(begin: string, { identity, content }: MappedItem): string {
    return rowKeyDigest(this.#operation, identityUnder(begin, identity!), content);
  }

  async #held(keys: readonly string[]): Promise<ReadonlySet<string>> {
    if (keys.length === 0) return new Set();
    const found = await this.#ledger.upkeep.read<{ item_key: string }>(
      `SELECT item_key FROM item_keys WHERE scope = (SELECT scope FROM runs WHERE name = $1)
        AND item_key IN (${keys.map((_, index) => `$${index + 2}`).join(', ')})`,
      [this.#run, ...keys],
    );
    return new Set(found.map((it) => it.item_key));
  }
}

/** As identities of that step began. */
function beginOf(job: StepsJob, at: number): string {
  const { step } = stepJob(job, job.steps[at]!);
  return identityBegin(job.name, step?.oneOfSeveral ? step.name : '');
}

/** What a step and those after it ask for, whatever they are called. */
function whatIsAsked(steps: readonly JobStep[], from: number): string {
  const names = steps.map(({ name }) => name);
  return JSON.stringify(
    steps.slice(from).map(({ operation, map }) => [operation, map ?? null]),
    (key, value: unknown) => {
      if (key === 'at') return undefined;
      if (value instanceof Map) return [...value].sort(([one], [other]) => (one < other ? -1 : 1));
      if (typeof value !== 'string') return value;
      if (key === 'step') return names.indexOf(value);
      if (key !== 'source') return value;
      return names.reduce((text, name, index) => text.replaceAll(`step["${name}"]`, `step[${index}]`), value);
    },
  );
}
