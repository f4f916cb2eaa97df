import { createHash } from 'node:crypto';
import { type Message, message } from '../../errors/message.js';
import type { Ledger } from '../../ledger/contract/ledger.js';
import type { Run } from '../../ledger/contract/run.js';
import { type PlanLine, planLines } from '../../ledger/plan-lines.js';
import type { Json, JsonObject } from '../../model/json.js';
import type { Operation } from '../../model/operation.js';
import { operationOf } from '../run-checks.js';
import { hasSteps, stepRunsOf } from '../step-runs.js';
import { type DifferenceLine, itemText } from './difference.js';
import { subjectOf } from './earlier-items.js';

/** So many plans of the connection are looked at for one whose approval was asked for. */
const PLANS_LOOKED_AT = 500;
const PLANS_AT_ONCE = 50;
/** Of both plans together: beyond that they aren't compared item by item. */
const ITEMS_COMPARED = 100_000;
/** Of each kind. */
const TOLD = 20;
const CHANGES_TOLD = 6;

/** The newest plan of the same job over the same connection, before this one, that somebody asked approval for. */
export async function askedBefore(
  ledger: Pick<Ledger, 'runs' | 'approvals'>,
  run: Run,
): Promise<Run | undefined> {
  let before = run.id;
  for (let looked = 0; looked < PLANS_LOOKED_AT; looked += PLANS_AT_ONCE) {
    // A plan that was sent is a run.
    const kinds = ['plan', 'run'] as const;
    const page = await ledger.runs.find({ job: run.job, kinds, before }, PLANS_AT_ONCE);
    for (const it of page) {
      before = it.id;
      const isOfJob = it.job === run.job && it.scope === run.scope && it.operation === run.operation;
      if (!isOfJob || !it.needsApproval || it.prunedAt !== undefined) continue;
      const said = await ledger.approvals.list(it.id);
      if (said.some(({ act }) => act === 'request')) return it;
    }
    if (page.length < PLANS_AT_ONCE) return undefined;
  }
  return undefined;
}

/** What a plan would send that an earlier one would not have sent, or otherwise; told from the ledger, in bounded memory. */
export async function sinceAsked(ledger: Ledger, run: Run, asked: Run): Promise<readonly DifferenceLine[]> {
  if (run.items + asked.items > ITEMS_COMPARED) {
    const params = { before: asked.items, count: run.items };
    return [{ kind: 'skipped', depth: 0, text: message('asked.too_many', params) }];
  }
  const lines: DifferenceLine[] = [];
  if (run.jobSha256 !== asked.jobSha256)
    lines.push({ kind: 'changed', depth: 0, text: message('asked.job_differs') });
  const before = await partsOf(ledger, asked);
  for (const [name, part] of await partsOf(ledger, run)) {
    const found = await compared(ledger, part, before.get(name));
    if (name !== '' && found.length > 0)
      lines.push({ kind: 'step', depth: 0, text: message('difference.step', { step: name }) });
    lines.push(...found);
  }
  return lines.length > 0 ? lines : [{ kind: 'asked', depth: 0, text: message('asked.same') }];
}

/** By the step's name; `''` in a run of one operation. */
async function partsOf(ledger: Ledger, run: Run): Promise<ReadonlyMap<string, Run>> {
  if (!hasSteps(run)) return new Map([['', run]]);
  const steps = await stepRunsOf(ledger, run);
  return new Map(steps.flatMap(({ step, run: of }) => (of ? [[step.name, of] as const] : [])));
}

/** An item of the earlier plan, without what it would have sent: that is read of the few that are told. */
interface Known {
  readonly item: number;
  readonly row: number;
  readonly digest: string;
}

async function compared(ledger: Ledger, run: Run, asked: Run | undefined): Promise<DifferenceLine[]> {
  const operation = operationOf(run);
  const known = new Map<string, Known>();
  if (asked) {
    for await (const [name, it] of namedItems(ledger, asked, operation))
      known.set(name, { item: it.item, row: it.rows[0] ?? 0, digest: digestOf(it) });
  }
  const added = new Kind('new', 'asked.new');
  const changed = new Kind('changed', 'asked.changed');
  for await (const [name, it] of namedItems(ledger, run, operation)) {
    const old = known.get(name);
    known.delete(name);
    const row = it.rows[0] ?? 0;
    if (!old) {
      await added.add(async () => rowLine(row, itemText(operation, contentOf(it))));
    } else if (old.digest !== digestOf(it)) {
      await changed.add(async () => {
        const now = contentOf(it);
        const then = await ledger.plan.content(asked!.id, old.item);
        const changes = changesOf(then, now).join(', ');
        return rowLine(row, `${itemText(operation, now)}; ${changes}`);
      });
    }
  }
  const gone = new Kind('revoked', 'asked.gone');
  for (const { item, row } of known.values()) {
    await gone.add(async () => {
      const text = itemText(operation, await ledger.plan.content(asked!.id, item));
      return message('asked.row_then', { row, text });
    });
  }
  return [added, changed, gone].flatMap((it) => it.lines());
}

/** One kind of difference: how many, and the first of them. */
class Kind {
  readonly #kind: DifferenceLine['kind'];
  readonly #heading: 'asked.new' | 'asked.changed' | 'asked.gone';
  readonly #told: Message[] = [];
  #count = 0;

  constructor(kind: DifferenceLine['kind'], heading: 'asked.new' | 'asked.changed' | 'asked.gone') {
    this.#kind = kind;
    this.#heading = heading;
  }

  async add(text: () => Promise<Message>): Promise<void> {
    this.#count += 1;
    if (this.#told.length < TOLD) this.#told.push(await text());
  }

  lines(): DifferenceLine[] {
    if (this.#count === 0) return [];
    const kind = this.#kind;
    const left = this.#count - this.#told.length;
    return [
      { kind, depth: 0, text: message(this.#heading, { count: this.#count }) },
      ...this.#told.map((text) => ({ kind, depth: 1 as const, text })),
      ...(left > 0
        ? [{ kind, depth: 1 as const, text: message('difference.more_there', { count: left }) }]
        : []),
    ];
  }
}

/** Items by what tells one from others; equal names are told apart by their order. */
async function* namedItems(
  ledger: Ledger,
  run: Run,
  operation: Operation,
): AsyncGenerator<readonly [string, PlanLine]> {
  const times = new Map<string, number>();
  for await (const page of planLines(ledger, run.id)) {
    for (const it of page) {
      const name = it.key ?? subjectOf(operation, { body: JSON.parse(it.body) as Json }) ?? digestOf(it);
      const time = (times.get(name) ?? 0) + 1;
      times.set(name, time);
      yield [`${time} ${name}`, it];
    }
  }
}

function digestOf({ envelope, body }: PlanLine): string {
  return createHash('sha256').update(`${envelope.length}:${envelope}${body}`).digest('base64');
}

interface Content {
  readonly envelope: JsonObject;
  readonly body: Json;
}

function contentOf({ envelope, body }: PlanLine): Content {
  return { envelope: JSON.parse(envelope) as JsonObject, body: JSON.parse(body) as Json };
}

function rowLine(row: number, text: string): Message {
  return message('difference.row', { row, text });
}

/** `assets[1].products[1].limitConcurrent 5 -> 6`. */
function changesOf(then: Content, now: Content): readonly string[] {
  const old = new Map([...leaves('', then.envelope), ...leaves('', then.body)]);
  const own = new Map([...leaves('', now.envelope), ...leaves('', now.body)]);
  const names = [...new Set([...old.keys(), ...own.keys()])];
  const changes = names.flatMap((name) => {
    const [before, after] = [old.get(name), own.get(name)];
    if (before === after) return [];
    return [`${name || 'text'} ${before ?? '–'} -> ${after ?? '–'}`];
  });
  return changes.length > CHANGES_TOLD ? [...changes.slice(0, CHANGES_TOLD), '…'] : changes;
}

function* leaves(path: string, value: Json): Generator<readonly [string, string]> {
  if (Array.isArray(value)) {
    for (const [at, it] of value.entries()) yield* leaves(`${path}[${at + 1}]`, it);
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, it] of Object.entries(value))
      if (it !== undefined) yield* leaves(path === '' ? name : `${path}.${name}`, it);
  } else yield [path, value === '' ? '""' : String(value)];
}
