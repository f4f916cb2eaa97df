import { createHash } from 'node:crypto';
import { type Message, message } from '../../errors/message.js';
import type { Ledger } from '../../ledger/contract/ledger.js';
import type { Run } from '../../ledger/contract/runs.js';
import { type PlanLine, planLines } from '../../ledger/plan-lines.js';
import type { Json, JsonObject } from '../../model/json.js';
import type { Operation } from '../../model/operation.js';
import { operationOf } from '../run-checks.js';
import { hasSteps, stepRunsOf } from '../step-runs.js';
import { type DifferenceLine, itemText } from './difference.js';
import { subjectOf } from './earlier-items.js';

/** Limit of the connection's plans searched for one with an approval request. */
const PLANS_SEARCHED = 500;
const PLANS_AT_ONCE = 50;
/** Total items of both plans. Larger plans are not compared item by item. */
const ITEMS_COMPARED = 100_000;
/** Limit for each kind of difference. */
const ITEMS_SHOWN = 20;
const CHANGES_SHOWN = 6;

/** The newest earlier plan of the same job on the same connection that was approved, or else requested. */
export async function previouslyRequested(
  ledger: Pick<Ledger, 'runs' | 'approvals'>,
  run: Run,
): Promise<{ readonly plan: Run; readonly isApproved: boolean } | undefined> {
  let before = run.id;
  let requested: Run | undefined;
  for (let looked = 0; looked < PLANS_SEARCHED; looked += PLANS_AT_ONCE) {
    // A plan that was sent is a run.
    const kinds = ['plan', 'run'] as const;
    const page = await ledger.runs.find({ job: run.job, kinds, before }, PLANS_AT_ONCE);
    for (const plan of page) {
      before = plan.id;
      const isOfJob = plan.job === run.job && plan.scope === run.scope && plan.operation === run.operation;
      if (!isOfJob || !plan.needsApproval || plan.prunedAt !== undefined) continue;
      const approvals = await ledger.approvals.list(plan.id);
      // An approval that was withdrawn by a rejection does not count.
      const decision = approvals.findLast(({ act }) => act !== 'request');
      if (decision?.act === 'approve') return { plan, isApproved: true };
      if (approvals.length > 0) requested ??= plan;
    }
    if (page.length < PLANS_AT_ONCE) break;
  }
  return requested && { plan: requested, isApproved: false };
}

/** What a plan would send differently from an earlier one. Read from the ledger with limited memory. */
export async function changesSinceRequest(
  ledger: Ledger,
  run: Run,
  requested: Run,
): Promise<readonly DifferenceLine[]> {
  if (run.items + requested.items > ITEMS_COMPARED) {
    const params = { before: requested.items, count: run.items };
    return [{ kind: 'skipped', depth: 0, text: message('asked.too_many', params) }];
  }
  const lines: DifferenceLine[] = [];
  if (run.jobSha256 !== requested.jobSha256)
    lines.push({ kind: 'changed', depth: 0, text: message('asked.job_differs') });
  const before = await partsOf(ledger, requested);
  for (const [name, part] of await partsOf(ledger, run)) {
    const found = await compared(ledger, part, before.get(name));
    if (name !== '' && found.length > 0)
      lines.push({ kind: 'step', depth: 0, text: message('difference.step', { step: name }) });
    lines.push(...found);
  }
  return lines.length > 0 ? lines : [{ kind: 'asked', depth: 0, text: message('asked.same') }];
}

/** By step name; `''` for a run of one operation. */
async function partsOf(ledger: Ledger, run: Run): Promise<ReadonlyMap<string, Run>> {
  if (!hasSteps(run)) return new Map([['', run]]);
  const steps = await stepRunsOf(ledger, run);
  return new Map(steps.flatMap(({ step, run: stepRun }) => (stepRun ? [[step.name, stepRun] as const] : [])));
}

/** An item of the earlier plan, without its content, which is only read for the shown items. */
interface Known {
  readonly item: number;
  readonly row: number;
  readonly digest: string;
}

async function compared(ledger: Ledger, run: Run, requested: Run | undefined): Promise<DifferenceLine[]> {
  const operation = operationOf(run);
  const known = new Map<string, Known>();
  if (requested) {
    for await (const [name, line] of namedItems(ledger, requested, operation))
      known.set(name, { item: line.item, row: line.rows[0] ?? 0, digest: digestOf(line) });
  }
  const added = new Kind('new', 'asked.new');
  const changed = new Kind('changed', 'asked.changed');
  for await (const [name, line] of namedItems(ledger, run, operation)) {
    const earlier = known.get(name);
    known.delete(name);
    const row = line.rows[0] ?? 0;
    if (!earlier) {
      await added.add(async () => rowLine(row, itemText(operation, contentOf(line))));
    } else if (earlier.digest !== digestOf(line)) {
      await changed.add(async () => {
        const after = contentOf(line);
        const before = await ledger.plan.content(requested!.id, earlier.item);
        const changes = changesOf(before, after).join(', ');
        return rowLine(row, `${itemText(operation, after)}; ${changes}`);
      });
    }
  }
  const removed = new Kind('revoked', 'asked.gone');
  for (const { item, row } of known.values()) {
    await removed.add(async () => {
      const text = itemText(operation, await ledger.plan.content(requested!.id, item));
      return message('asked.row_then', { row, text });
    });
  }
  return [added, changed, removed].flatMap((kind) => kind.lines());
}

/** One kind of difference: the number, and the first items. */
class Kind {
  readonly #kind: DifferenceLine['kind'];
  readonly #heading: 'asked.new' | 'asked.changed' | 'asked.gone';
  readonly #shown: Message[] = [];
  #count = 0;

  constructor(kind: DifferenceLine['kind'], heading: 'asked.new' | 'asked.changed' | 'asked.gone') {
    this.#kind = kind;
    this.#heading = heading;
  }

  async add(text: () => Promise<Message>): Promise<void> {
    this.#count += 1;
    if (this.#shown.length < ITEMS_SHOWN) this.#shown.push(await text());
  }

  lines(): DifferenceLine[] {
    if (this.#count === 0) return [];
    const kind = this.#kind;
    const left = this.#count - this.#shown.length;
    return [
      { kind, depth: 0, text: message(this.#heading, { count: this.#count }) },
      ...this.#shown.map((text) => ({ kind, depth: 1 as const, text })),
      ...(left > 0
        ? [{ kind, depth: 1 as const, text: message('difference.more_there', { count: left }) }]
        : []),
    ];
  }
}

/** Items by key, subject or content. Equal names are numbered in order. */
async function* namedItems(
  ledger: Ledger,
  run: Run,
  operation: Operation,
): AsyncGenerator<readonly [string, PlanLine]> {
  const times = new Map<string, number>();
  for await (const page of planLines(ledger, run.id)) {
    for (const line of page) {
      const name =
        line.key ?? subjectOf(operation, { body: JSON.parse(line.body) as Json }) ?? digestOf(line);
      const time = (times.get(name) ?? 0) + 1;
      times.set(name, time);
      yield [`${time} ${name}`, line];
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
function changesOf(before: Content, after: Content): readonly string[] {
  const beforeValues = new Map([...leaves('', before.envelope), ...leaves('', before.body)]);
  const afterValues = new Map([...leaves('', after.envelope), ...leaves('', after.body)]);
  const names = [...new Set([...beforeValues.keys(), ...afterValues.keys()])];
  const changes = names.flatMap((name) => {
    const [oldValue, newValue] = [beforeValues.get(name), afterValues.get(name)];
    if (oldValue === newValue) return [];
    return [`${name || 'text'} ${oldValue ?? '–'} -> ${newValue ?? '–'}`];
  });
  return changes.length > CHANGES_SHOWN ? [...changes.slice(0, CHANGES_SHOWN), '…'] : changes;
}

/** The values within a value, with their paths: `assets[1].name`. */
export function* leaves(path: string, value: Json): Generator<readonly [string, string]> {
  if (Array.isArray(value)) {
    for (const [index, child] of value.entries()) yield* leaves(`${path}[${index + 1}]`, child);
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, child] of Object.entries(value))
      if (child !== undefined) yield* leaves(path === '' ? name : `${path}.${name}`, child);
  } else yield [path, value === '' ? '""' : String(value)];
}
