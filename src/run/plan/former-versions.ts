import { type Code, message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import type { Ledger } from '../../ledger/contract/ledger.js';
import { rowKeyDigest } from '../../mapping/digest.js';
import type { MappedItem } from '../../model/item.js';
import { type JobStep, type StepsJob, stepJob } from '../../model/job.js';
import { columnsReadBy } from '../../model/leaf-columns.js';
import type { MapNode } from '../../model/map.js';
import type { Operation } from '../../model/operation.js';
import type { Header } from '../../model/row.js';
import { fold } from '../../util/fold.js';
import type { NamingColumns } from '../input/input-reading.js';
import { namingJob } from '../settings.js';
import type { PlanBuffer } from './plan-buffer.js';
import { identityBegin, identityUnder } from './row-identities.js';

/** Of as many versions of jobs, this one's own first, else the newest. */
const VERSIONS_LOOKED_AT = 100;
const ITEMS_AT_ONCE = 500;

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
      const free = newHeaders(naming.headers, whole, job);
      for (const [index, it] of job.steps.entries()) {
        const begin = beginOf(job, index);
        if (it.operation !== operation.name) continue;
        if (begin !== own && (!refuses || whatIsAsked(job.steps, index) !== wanted)) continue;
        const then = await namingsThen((headers) => namingOf(job, index, headers), naming.headers, free);
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

  async #settle(buffer: PlanBuffer, sheet: string, items: readonly MappedItem[]): Promise<void> {
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

/** Columns that may have been renamed at once, and so many names each may have had: all of it is tried, for each row. */
const RENAMED_AT_MOST = 3;

/** Headers that the map of now reads and a former one doesn't: each may be one that the former one read under another name. */
function newHeaders(
  headers: readonly Header[],
  now: StepsJob,
  former: StepsJob,
): readonly Header[] | undefined {
  const [own, before] = [now, former].map((it) => new Set(it.steps.flatMap(columnsOfStep).map(fold)));
  const found = headers.filter(({ folded }) => own!.has(folded) && !before!.has(folded));
  return found.length > RENAMED_AT_MOST ? undefined : found;
}

function columnsOfStep({ map, when }: JobStep): readonly string[] {
  const asked = [...(when?.source ?? '').matchAll(/row\[(["'])(.+?)\1\]/g)].map((it) => it[2]!);
  return [...asked, ...(map ? columnsOfNode(map) : [])];
}

function columnsOfNode(node: MapNode): readonly string[] {
  if (node.kind !== 'branch') return columnsReadBy(node);
  const grouped = node.each?.kind === 'columns' ? node.each.columns : [];
  return [...grouped, ...[...node.fields.values()].flatMap(columnsOfNode)];
}

const LACKING: ReadonlySet<string> = new Set<Code>([
  'mapping.column_missing',
  'mapping.column_missing_nearest',
  'run.when_unknown_column',
]);

/**
 * What may have named rows for a former version. Rows are named by cells in the order of their headers: where one was renamed
 * in sheet and map, by the name that it had. None where the sheet lacks what that version read: then its rows may be known
 * by what names them now.
 */
async function namingsThen(
  namingOf: (headers: readonly Header[]) => Promise<NamingColumns>,
  headers: readonly Header[],
  free: readonly Header[] = [],
): Promise<readonly NamingColumns[]> {
  try {
    return [await namingOf(headers)];
  } catch (error) {
    if (!(error instanceof ProductError) || error.kind === 'internal') throw error;
    const { code, params } = error.detail;
    const text = LACKING.has(code) ? String(params.name) : undefined;
    const found: NamingColumns[] = [];
    for (const it of text === undefined ? [] : free) {
      const renamed = { ...it, text: text!, folded: fold(text!) };
      const then = headers.map((header) => (header === it ? renamed : header));
      const left = free.filter((header) => header !== it);
      found.push(...(await namingsThen(namingOf, then, left)));
    }
    return found;
  }
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
