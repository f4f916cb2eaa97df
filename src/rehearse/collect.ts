import type { Ledger } from '../ledger/contract/ledger.js';
import type { Run } from '../ledger/contract/run.js';
import { checkedInputOf } from '../ledger/inputs.js';
import { isGiven } from '../mapping/given-value.js';
import type { Connection } from '../model/connection.js';
import type { Job, StepsJob } from '../model/job.js';
import { isObject, type Json } from '../model/json.js';
import type { Operation } from '../model/operation.js';
import type { Header } from '../model/row.js';
import { operationNamed } from '../platform/operations/index.js';
import { rowsAsRead } from '../run/input/input-reading.js';
import { openInput, overlayOf } from '../run/input/opened-input.js';
import { unpackAny } from '../run/settings.js';
import { hasSteps, stepRunsOf } from '../run/step-runs.js';
import { TouchedThings } from './touched.js';

/** Rows that name locks and no enterprise: where these belong must be known from elsewhere. */
interface LocksAlone {
  readonly run: string;
  /** By the number of the lock's item, the first row that names it. */
  readonly items: ReadonlyMap<number, number>;
}

export interface Collected {
  readonly touched: TouchedThings;
  readonly locksAlone: readonly LocksAlone[];
  /** Runs whose items revoke assets. */
  readonly revoking: readonly string[];
  /** Look-ups that had no good answer. */
  readonly unanswered: number;
  /** What is sent names or lists assets, so that those of customers matter too. */
  readonly touchesAssets: boolean;
}

interface Collecting {
  readonly ledger: Ledger;
  readonly job: Job | StepsJob;
  readonly connection: Connection;
  readonly env?: NodeJS.ProcessEnv | undefined;
  /** The column that names enterprises, though the map may not read it; undefined where there is none. */
  readonly enterpriseColumn: (headers: readonly Header[], sheet: string) => Header | undefined;
}

/** Gathers what the rows of a checked run, and its look-ups, name of the platform. */
export async function collectTouched(checked: Run, collecting: Collecting): Promise<Collected> {
  const { ledger } = collecting;
  const runs = hasSteps(checked)
    ? (await stepRunsOf(ledger, checked)).flatMap((it) => it.run ?? [])
    : [checked];
  const touched = new TouchedThings();
  const locksAlone: LocksAlone[] = [];
  const revoking: string[] = [];
  let unanswered = 0;
  let touchesAssets = false;
  for (const run of runs) {
    if (run.operation === 'steps' || run.operation.startsWith('reconcile.')) continue;
    const operation = operationNamed(run.operation as Operation['name']);
    touchesAssets ||= /^(?:order\.|asset\.(?:lock|unlock|list)$)/.test(operation.name);
    if (operation.revokes !== undefined) revoking.push(run.id);
    await addItems(ledger, run.id, operation, touched);
    unanswered += (await ledger.lookups.counts(run.id)).unanswered;
    for await (const page of ledger.lookups.requests(run.id)) {
      for (const { operation: name, request } of page) {
        touched.addContent({}, request);
        touchesAssets ||= name === 'asset.list';
      }
    }
    if (operation.place.kind === 'strings') {
      const items = await locksWithoutEnterprise(run.id, checked, collecting, touched);
      if (items.size > 0) locksAlone.push({ run: run.id, items });
    }
  }
  return { touched, locksAlone, revoking, unanswered, touchesAssets };
}

async function addItems(
  ledger: Ledger,
  run: string,
  operation: Operation,
  touched: TouchedThings,
): Promise<void> {
  // Of orders the channel stands in the envelope.
  const needsEnvelope = operation.envelope.includes('channelCode');
  for await (const { item, body } of ledger.plan.bodies(run)) {
    const envelope = needsEnvelope ? (await ledger.plan.content(run, item)).envelope : {};
    touched.addContent(envelope, body);
    if (operation.name === 'enterprise.update' && typeof body === 'object' && body !== null) {
      touched.addCrmCustomer((body as Readonly<Record<string, string>>).crmCustomerId);
    }
  }
}

/** Adds the enterprises that rows name beside their locks; gives the locks of the others. */
async function locksWithoutEnterprise(
  run: string,
  checked: Run,
  { ledger, job, connection, env, enterpriseColumn }: Collecting,
  touched: TouchedThings,
): Promise<ReadonlyMap<number, number>> {
  const alone = new Map<number, number>();
  const named = new Set<number>();
  const input = await openInput(
    job,
    await checkedInputOf(ledger.inputs, checked),
    env,
    await overlayOf(ledger.inputs, unpackAny(checked.settings)),
  );
  try {
    const { headers, sheet } = input.table;
    const column = enterpriseColumn(headers, sheet.name)?.column;
    const rows = await rowsAsRead(job, connection, input);
    const gains = itemsByRow(ledger, run);
    let next = await gains.next();
    for await (const page of rows.main()) {
      for (const row of page) {
        if (next.done) return alone;
        if (next.value.row !== row.number) continue;
        const enterprise = column === undefined ? '' : (row.cell(column)?.text.trim() ?? '');
        touched.addEnterprise(enterprise);
        for (const item of next.value.items) {
          if (enterprise !== '') named.add(item);
          else if (!alone.has(item)) alone.set(item, row.number);
        }
        next = await gains.next();
      }
    }
  } finally {
    await input.source.close();
  }
  for (const item of named) alone.delete(item);
  return alone;
}

async function* itemsByRow(ledger: Ledger, run: string) {
  for await (const page of ledger.report.gains(run)) yield* page;
}

/** Locks that stand in no list that was read, each with its row: whether they are there at all can't be told. */
export async function locksNowhere(
  ledger: Ledger,
  alone: readonly LocksAlone[],
  isListed: (assetNum: string) => boolean,
): Promise<readonly { readonly row: number; readonly lock: string }[]> {
  const found: { row: number; lock: string }[] = [];
  for (const { run, items } of alone) {
    for await (const { item, body } of ledger.plan.bodies(run)) {
      const row = items.get(item);
      if (row === undefined || typeof body !== 'string' || isGiven(body) || isListed(body)) continue;
      found.push({ row, lock: body });
    }
  }
  return found;
}

/** Assets that are to be revoked and stand in no list that was read: how many, and the first few. */
export async function revokedNowhere(
  ledger: Ledger,
  revoking: readonly string[],
  isListed: (assetNum: string) => boolean,
): Promise<{ readonly count: number; readonly first: readonly string[] }> {
  const first: string[] = [];
  let count = 0;
  const visit = (value: Json, name: string): void => {
    if (Array.isArray(value)) for (const it of value as readonly Json[]) visit(it, name);
    else if (isObject(value)) for (const [member, it] of Object.entries(value)) visit(it, member);
    else if (name === 'assetNos' && typeof value === 'string' && !isGiven(value) && !isListed(value)) {
      count += 1;
      if (first.length < FIRST) first.push(value);
    }
  };
  for (const run of revoking) for await (const { body } of ledger.plan.bodies(run)) visit(body, '');
  return { count, first };
}

const FIRST = 5;
