import { type Message, message } from '../../errors/message.js';
import type { Ledger } from '../../ledger/contract/ledger.js';
import { rowKeyDigest } from '../../mapping/digest.js';
import type { MappedItem } from '../../model/item.js';
import { type JobStep, type StepsJob, stepJob } from '../../model/job.js';
import type { Operation } from '../../model/operation.js';
import type { Header } from '../../model/row.js';
import type { NamingColumns } from '../input/input-reading.js';
import { namingJob } from '../settings.js';
import { asEarlierVersions } from './earlier-keys.js';
import type { PlanBuffer } from './plan-buffer.js';
import { RenamedHeaders } from './renamed-headers.js';
import { identityBegin, identityUnder } from './row-identities.js';

/** Limit of job versions compared: this job's own first, then the newest of others. */
const VERSIONS_COMPARED = 100;
const ITEMS_AT_ONCE = 500;
const RUNS_SEARCHED = 50;

/** A step in an earlier version of its job. Its rows may be known under that version's names. */
interface EarlierVersion {
  readonly run: string;
  readonly job: string;
  readonly step: string;
  readonly begin: string;
  /** Index of the item's identity that is made from this version's naming columns. */
  readonly identity: number;
}

interface EarlierVersionParts {
  readonly ledger: Ledger;
  readonly run: string;
  readonly operation: Operation;
  readonly begin: string;
  readonly versions: readonly EarlierVersion[];
  /** The columns that identify rows: now, and in earlier versions. */
  readonly namings: readonly NamingColumns[];
}

interface OwnStep {
  readonly whole: StepsJob;
  readonly step: string;
  readonly naming: NamingColumns;
  /** The naming columns of that step, in a sheet with these headers; throws if the sheet lacks columns. */
  readonly namingOf: (job: StepsJob, at: number, headers: readonly Header[]) => Promise<NamingColumns>;
  /** True if rows known under another name of the job are refused; the check of all steps does that. */
  readonly refuses: boolean;
}

/**
 * Rows that an earlier version of the job sent in a step without keys. Sent again, the step would return something new,
 * and later steps would create new orders with it: all of them would be sent twice. If only the naming columns differ
 * (those that earlier steps map, or that later ones group by), a row keeps its earlier key and result. If the job or the
 * step had another name, the row is refused.
 */
export class EarlierJobVersions {
  readonly #parts: EarlierVersionParts;
  #waiting: MappedItem[] = [];

  private constructor(parts: EarlierVersionParts) {
    this.#parts = parts;
  }

  get namings(): readonly NamingColumns[] {
    return this.#parts.namings;
  }

  /**
   * Another job is treated as this one under another name if this step and the later ones request the same.
   * @returns undefined if no row can be known under earlier names
   */
  static async find(
    ledger: Ledger,
    run: string,
    operation: Operation,
    { whole, step, naming, namingOf, refuses }: OwnStep,
  ): Promise<EarlierJobVersions | undefined> {
    const index = whole.steps.findIndex(({ name }) => name === step);
    const content = requestedContent(whole.steps, index);
    const ownBegin = beginOf(whole, index);
    const namings = [naming];
    const versions: EarlierVersion[] = [];
    for (const versionRun of await ledger.runs.versionsOfSteps(run, VERSIONS_COMPARED)) {
      const earlier = await ledger.runs.get(versionRun);
      const job = earlier && namingJob(earlier);
      if (!job) continue;
      const renamed = new RenamedHeaders(naming.headers, whole, job);
      for (const [stepIndex, earlierStep] of job.steps.entries()) {
        const begin = beginOf(job, stepIndex);
        if (earlierStep.operation !== operation.name) continue;
        if (begin !== ownBegin && (!refuses || requestedContent(job.steps, stepIndex) !== content)) continue;
        const earlierNamings = await renamed.earlierNamings((headers) => namingOf(job, stepIndex, headers));
        for (const identity of earlierNamings.length === 0
          ? [0]
          : earlierNamings.map((columns) => indexOfNaming(columns, namings))) {
          if (versions.some((known) => known.begin === begin && known.identity === identity)) continue;
          if (begin === ownBegin && identity === 0) continue;
          versions.push({ run: versionRun, job: job.name, step: earlierStep.name, begin, identity });
        }
      }
    }
    if (versions.length === 0) return undefined;
    return new EarlierJobVersions({ ledger, run, operation, begin: ownBegin, versions, namings });
  }

  /** Passed to the buffer once its key is known. */
  add(item: MappedItem): void {
    this.#waiting.push(item);
  }

  /** Passes the waiting items to the buffer. Call it between rows. */
  async flush(buffer: PlanBuffer, sheet: string, when: 'full' | 'all'): Promise<void> {
    if (this.#waiting.length < (when === 'full' ? ITEMS_AT_ONCE : 1)) return;
    const items = this.#waiting;
    this.#waiting = [];
    for (let start = 0; start < items.length; start += ITEMS_AT_ONCE)
      await this.#lookUp(buffer, sheet, items.slice(start, start + ITEMS_AT_ONCE));
  }

  /** Discards the waiting items, because the sheet is read again. */
  forget(): void {
    this.#waiting = [];
  }

  async #lookUp(buffer: PlanBuffer, sheet: string, added: readonly MappedItem[]): Promise<void> {
    const items = await asEarlierVersions(this.#parts.ledger, this.#parts.run, added);
    const known = await this.#known(items);
    for (const item of items) {
      const found = known.get(item);
      if (!found) {
        buffer.item(item);
        continue;
      }
      const { version, key } = found;
      if (version.begin === this.#parts.begin) {
        const subject = item.subject === item.key ? key : item.subject;
        buffer.item({ ...item, key, subject });
        continue;
      }
      buffer.item(item);
      const { job, step, run } = version;
      const reason = message('steps.former_name', { job, step, run });
      for (const row of item.rows) {
        const faults = [{ sheet, row, column: undefined, message: reason }];
        buffer.verdict({ row, status: 'invalid', faults });
      }
    }
  }

  /** Items whose key under a earlier version is in the ledger, while their own is not. */
  async #known(
    items: readonly MappedItem[],
  ): Promise<ReadonlyMap<MappedItem, { readonly version: EarlierVersion; readonly key: string }>> {
    const found = new Map<MappedItem, { readonly version: EarlierVersion; readonly key: string }>();
    const { plan } = this.#parts.ledger;
    const held = await plan.whichHeld(
      this.#parts.run,
      items.map((item) => item.key!),
    );
    const open = new Set(items.filter((item) => !held.has(item.key!)));
    for (const version of this.#parts.versions) {
      if (open.size === 0) break;
      const keys = new Map([...open].map((item) => [item, this.#keyIn(version, item)]));
      const heldInVersion = await plan.whichHeld(this.#parts.run, [...keys.values()]);
      for (const [item, key] of keys) {
        if (!heldInVersion.has(key)) continue;
        open.delete(item);
        found.set(item, { version, key });
      }
    }
    return found;
  }

  #keyIn({ begin, identity }: EarlierVersion, { identities, content }: MappedItem): string {
    return rowKeyDigest(this.#parts.operation, identityUnder(begin, identities![identity]!), content);
  }
}

/**
 * Warns if the last run of the job read columns that the sheet no longer has under any name: rows that it sent would
 * not be recognised, and each would be sent again.
 */
export async function lostColumnsWarning(
  ledger: Ledger,
  run: string,
  operation: Operation,
  { whole, step, naming, namingOf }: Omit<OwnStep, 'refuses'>,
): Promise<Message | undefined> {
  const current = await ledger.runs.get(run);
  const index = whole.steps.findIndex(({ name }) => name === step);
  const before = await ledger.runs.find({ job: whole.name, kinds: ['run'], before: run }, RUNS_SEARCHED);
  const last = before.find(
    ({ id, job, scope }) => id !== current?.parent && job === whole.name && scope === current?.scope,
  );
  const job = last && namingJob(last);
  const earlierIndex = job?.steps.findIndex((earlierStep, position) => {
    return earlierStep.operation === operation.name && beginOf(job, position) === beginOf(whole, index);
  });
  if (!job || earlierIndex === undefined || earlierIndex === -1) return undefined;
  const headers = new RenamedHeaders(naming.headers, whole, job);
  const namings = await headers.earlierNamings((renamed) => namingOf(job, earlierIndex, renamed));
  if (namings.length > 0) return undefined;
  return message('steps.lost_from_sight', { run: last.id, step, columns: headers.lacking.join(', ') });
}

/** The index of the columns among the known ones; added if they are new. */
function indexOfNaming(naming: NamingColumns, namings: NamingColumns[]): number {
  const text = textOf(naming);
  const found = namings.findIndex((known) => textOf(known) === text);
  return found === -1 ? namings.push(naming) - 1 : found;
}

function textOf({ columns, whole, headers }: NamingColumns): string {
  const namingHeaders = headers.filter(({ column }) => columns.includes(column));
  const inOrder = namingHeaders.sort((a, b) => (a.folded < b.folded ? -1 : 1)).map(({ column }) => column);
  return JSON.stringify([inOrder, whole && [...whole].sort((a, b) => a - b)]);
}

/** The beginning of that step's row identities. */
function beginOf(job: StepsJob, at: number): string {
  const { step } = stepJob(job, job.steps[at]!);
  return identityBegin(job.name, step?.oneOfSeveral ? step.name : '');
}

/** What a step and the later ones request, independent of their names. */
function requestedContent(steps: readonly JobStep[], from: number): string {
  const names = steps.map(({ name }) => name);
  return JSON.stringify(
    steps.slice(from).map(({ operation, map }) => [operation, map ?? null]),
    (key, value: unknown) => {
      if (key === 'at') return undefined;
      if (value instanceof Map) return [...value].sort(([a], [b]) => (a < b ? -1 : 1));
      if (typeof value !== 'string') return value;
      if (key === 'step') return names.indexOf(value);
      if (key !== 'source') return value;
      return names.reduce((text, name, index) => text.replaceAll(`step["${name}"]`, `step[${index}]`), value);
    },
  );
}
