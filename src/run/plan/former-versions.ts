import { type Message, message } from '../../errors/message.js';
import type { Ledger } from '../../ledger/contract/ledger.js';
import { rowKeyDigest } from '../../mapping/digest.js';
import type { MappedItem } from '../../model/item.js';
import { type JobStep, type StepsJob, stepJob } from '../../model/job.js';
import type { Operation } from '../../model/operation.js';
import type { Header } from '../../model/row.js';
import type { NamingColumns } from '../input/input-reading.js';
import { namingJob } from '../settings.js';
import { asEarlierVersions } from './former-keys.js';
import type { PlanBuffer } from './plan-buffer.js';
import { RenamedHeaders } from './renamed-headers.js';
import { identityBegin, identityUnder } from './row-identities.js';

/** Of as many versions of jobs, this one's own first, else the newest. */
const VERSIONS_LOOKED_AT = 100;
const ITEMS_AT_ONCE = 500;
const RUNS_LOOKED_AT = 50;

/** A step as an earlier run had it, under whose names its rows may be known. */
interface FormerVersion {
  readonly run: string;
  readonly job: string;
  readonly step: string;
  readonly begin: string;
  /** Which of an item's identities is by the columns that named rows then. */
  readonly identity: number;
}

/** The step that is planned. */
interface OwnStep {
  readonly whole: StepsJob;
  readonly step: string;
  readonly naming: NamingColumns;
  /** What named rows of that step, in a sheet with these headers; it throws where the sheet lacks columns. */
  readonly namingOf: (job: StepsJob, at: number, headers: readonly Header[]) => Promise<NamingColumns>;
  /** Rows that are known under another name of the job are refused; else they were, when all steps were checked. */
  readonly refuses: boolean;
}

/**
 * Rows that a step without keys got through for an earlier version of its job. It would get something new for them, which
 * makes new orders of those that carry it: all of these would go twice. Where only columns that name rows were others (those
 * that steps before map, or that later ones group by), a row keeps the key it had, and what it got. Where the job or the
 * step bore another name, it is refused.
 */
export class FormerVersions {
  readonly #ledger: Ledger;
  readonly #run: string;
  readonly #operation: Operation;
  readonly #own: string;
  readonly #versions: readonly FormerVersion[];
  /** The columns that named rows: now, and in former versions. */
  readonly namings: readonly NamingColumns[];
  #waiting: MappedItem[] = [];

  private constructor(
    at: { readonly ledger: Ledger; readonly run: string },
    operation: Operation,
    own: string,
    { versions, namings }: Pick<FormerVersions, 'namings'> & { readonly versions: readonly FormerVersion[] },
  ) {
    this.#ledger = at.ledger;
    this.#run = at.run;
    this.#operation = operation;
    this.#own = own;
    this.#versions = versions;
    this.namings = namings;
  }

  /**
   * Undefined where no row can be known otherwise. Another job is this one under another name where this step and those after
   * it ask for the same.
   */
  static async find(
    ledger: Ledger,
    run: string,
    operation: Operation,
    { whole, step, naming, namingOf, refuses }: OwnStep,
  ): Promise<FormerVersions | undefined> {
    const at = whole.steps.findIndex(({ name }) => name === step);
    const wanted = whatIsAsked(whole.steps, at);
    const own = beginOf(whole, at);
    const namings = [naming];
    const versions: FormerVersion[] = [];
    for (const of of await ledger.runs.versionsOfSteps(run, VERSIONS_LOOKED_AT)) {
      const other = await ledger.runs.get(of);
      const job = other && namingJob(other);
      if (!job) continue;
      const renamed = new RenamedHeaders(naming.headers, whole, job);
      for (const [index, it] of job.steps.entries()) {
        const begin = beginOf(job, index);
        if (it.operation !== operation.name) continue;
        if (begin !== own && (!refuses || whatIsAsked(job.steps, index) !== wanted)) continue;
        const then = await renamed.namingsThen((headers) => namingOf(job, index, headers));
        for (const identity of then.length === 0 ? [0] : then.map((known) => placeOf(known, namings))) {
          if (versions.some((known) => known.begin === begin && known.identity === identity)) continue;
          if (begin === own && identity === 0) continue;
          versions.push({ run: of, job: job.name, step: it.name, begin, identity });
        }
      }
    }
    if (versions.length === 0) return undefined;
    return new FormerVersions({ ledger, run }, operation, own, { versions, namings });
  }

  /** It goes to the buffer once it is known under which key. */
  add(item: MappedItem): void {
    this.#waiting.push(item);
  }

  /** Gives the buffer the items that were added. Call it between rows. */
  async settle(buffer: PlanBuffer, sheet: string, when: 'full' | 'all'): Promise<void> {
    if (this.#waiting.length < (when === 'full' ? ITEMS_AT_ONCE : 1)) return;
    const items = this.#waiting;
    this.#waiting = [];
    for (let at = 0; at < items.length; at += ITEMS_AT_ONCE) {
      await this.#settle(buffer, sheet, items.slice(at, at + ITEMS_AT_ONCE));
    }
  }

  /** What was added counts no more: the sheet is read again. */
  forget(): void {
    this.#waiting = [];
  }

  async #settle(buffer: PlanBuffer, sheet: string, added: readonly MappedItem[]): Promise<void> {
    const items = await asEarlierVersions(this.#ledger, this.#run, added);
    const known = await this.#known(items);
    for (const item of items) {
      const found = known.get(item);
      if (!found) {
        buffer.item(item);
        continue;
      }
      const { version, key } = found;
      if (version.begin === this.#own) {
        const subject = item.subject === item.key ? key : item.subject;
        buffer.item({ ...item, key, ...(subject === undefined ? {} : { subject }) });
        continue;
      }
      buffer.item(item);
      const { job, step, run } = version;
      const told = message('steps.former_name', { job, step, run });
      for (const row of item.rows) {
        const faults = [{ sheet, row, column: undefined, message: told }];
        buffer.verdict({ row, status: 'invalid', faults });
      }
    }
  }

  /** Items that are held under a key of a former version, and not under their own. */
  async #known(
    items: readonly MappedItem[],
  ): Promise<ReadonlyMap<MappedItem, { readonly version: FormerVersion; readonly key: string }>> {
    const found = new Map<MappedItem, { readonly version: FormerVersion; readonly key: string }>();
    const { plan } = this.#ledger;
    const own = await plan.whichHeld(
      this.#run,
      items.map((it) => it.key!),
    );
    const open = new Set(items.filter((it) => !own.has(it.key!)));
    for (const version of this.#versions) {
      if (open.size === 0) break;
      const keys = new Map([...open].map((it) => [it, this.#keyIn(version, it)]));
      const held = await plan.whichHeld(this.#run, [...keys.values()]);
      for (const [it, key] of keys) {
        if (!held.has(key)) continue;
        open.delete(it);
        found.set(it, { version, key });
      }
    }
    return found;
  }

  #keyIn({ begin, identity }: FormerVersion, { identities, content }: MappedItem): string {
    return rowKeyDigest(this.#operation, identityUnder(begin, identities![identity]!), content);
  }
}

/**
 * What to say where the last run of the job read columns that aren't there any more, by whatever name: no row that it got
 * through would be known again, and each would get something new.
 */
export async function lostFromSight(
  ledger: Ledger,
  run: string,
  operation: Operation,
  { whole, step, naming, namingOf }: Omit<OwnStep, 'refuses'>,
): Promise<Message | undefined> {
  const own = await ledger.runs.get(run);
  const at = whole.steps.findIndex(({ name }) => name === step);
  const before = await ledger.runs.find({ job: whole.name, kinds: ['run'], before: run }, RUNS_LOOKED_AT);
  const last = before.find((it) => it.id !== own?.parent && it.job === whole.name && it.scope === own?.scope);
  const job = last && namingJob(last);
  const index = job?.steps.findIndex((it, place) => {
    return it.operation === operation.name && beginOf(job, place) === beginOf(whole, at);
  });
  if (!job || index === undefined || index === -1) return undefined;
  const headers = new RenamedHeaders(naming.headers, whole, job);
  const then = await headers.namingsThen((renamed) => namingOf(job, index, renamed));
  if (then.length > 0) return undefined;
  return message('steps.lost_from_sight', { run: last.id, step, columns: headers.lacking.join(', ') });
}

/** The place of the columns among those that are known; added where they are new. */
function placeOf(naming: NamingColumns, namings: NamingColumns[]): number {
  const text = textOf(naming);
  const found = namings.findIndex((it) => textOf(it) === text);
  return found === -1 ? namings.push(naming) - 1 : found;
}

function textOf({ columns, whole, headers }: NamingColumns): string {
  const named = headers.filter(({ column }) => columns.includes(column));
  const inOrder = named.sort((a, b) => (a.folded < b.folded ? -1 : 1)).map(({ column }) => column);
  return JSON.stringify([inOrder, whole && [...whole].sort((a, b) => a - b)]);
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
