import { hash } from 'node:crypto';
import type { Ledger } from '../../ledger/contract/ledger.js';
import type { Run } from '../../ledger/contract/runs.js';
import { type PlanLine, planLines } from '../../ledger/plan-lines.js';
import { isPlaceholder } from '../../mapping/given-value.js';
import type { ApprovalPolicy } from '../../model/connection.js';
import type { Json } from '../../model/json.js';
import { exactParse, exactStringify } from '../../util/exact-json.js';
import { type StepRun, stepRunsOf } from '../step-runs.js';
import { appliesTo } from './needs-approval.js';

type Reading = Pick<Ledger, 'upkeep' | 'approvals'>;
type Path = readonly (string | number)[];

/**
 * What a plan showed of an item: the digest of its rows and content without the values that earlier steps were still to
 * return, the number of these values, and their paths.
 */
type Shape = readonly [digest: string, values: number, places: readonly Path[]];

/** Records what an approved plan showed of a later step, before that is planned again with real values. */
export async function announceStep(ledger: Reading, step: Run): Promise<void> {
  for await (const page of namedItems(ledger, step)) {
    const items = page.map(({ firstRow, n, line }) => {
      const places = placeholderPaths(contentOf(line), []);
      return { firstRow, n, shape: exactStringify(shapeOf(line, places)) };
    });
    await ledger.approvals.announce(step.id, items);
  }
}

/**
 * Whether a step, as planned now, sends no more than the approved plan showed: the same items, with the same content
 * except for values that earlier steps returned. A list of such values may have any length if an earlier step requests
 * them, unless a policy counts them.
 */
export async function matchesAnnounced(
  ledger: Reading & Pick<Ledger, 'runs'>,
  whole: Run,
  { operation, run }: StepRun,
  policies: readonly ApprovalPolicy[],
): Promise<boolean> {
  // The first step is planned only once.
  if (run === undefined || run.step === 1) return true;
  const earlier = (await stepRunsOf(ledger, whole)).slice(0, (run.step ?? 1) - 1);
  const noStepLists = earlier.every((step) => step.operation.lists === undefined);
  const isCounted = policies.some((policy) => policy.above !== undefined && appliesTo(policy, operation));
  for await (const page of namedItems(ledger, run)) {
    const rows = page.map((item) => item.firstRow);
    const known = await ledger.approvals.announced(run.id, Math.min(...rows), Math.max(...rows));
    const shapes = new Map(known.map((item) => [`${item.firstRow} ${item.n}`, item.shape]));
    for (const { firstRow, n, line } of page) {
      const shown = shapes.get(`${firstRow} ${n}`);
      if (shown === undefined) return false;
      const [digest, values, places] = JSON.parse(shown) as Shape;
      const [currentDigest, count] = shapeOf(line, places);
      if (currentDigest !== digest || (count > values && (isCounted || !noStepLists))) return false;
    }
  }
  return true;
}

/** Items of a step by their first row and their number among the items of that row. */
async function* namedItems(ledger: Reading, step: Run) {
  const counts = new Map<number, number>();
  for await (const page of planLines(ledger, step.id)) {
    yield page.map((line) => {
      const firstRow = line.rows[0] ?? 0;
      const n = (counts.get(firstRow) ?? 0) + 1;
      counts.set(firstRow, n);
      return { firstRow, n, line };
    });
  }
}

function contentOf({ rows, envelope, body }: PlanLine): Json[] {
  return [[...rows], exactParse(envelope) as Json, exactParse(body) as Json];
}

function shapeOf(line: PlanLine, places: readonly Path[]): Shape {
  const content = contentOf(line);
  let values = 0;
  for (const place of places) {
    // biome-ignore lint/suspicious/noExplicitAny: JSON that was just read.
    const parent = place.slice(0, -1).reduce<any>((parent, step) => parent?.[step], content);
    const last = place.at(-1)!;
    if (parent?.[last] === undefined) continue;
    values += Array.isArray(parent[last]) ? parent[last].length : 1;
    parent[last] = '';
  }
  return [hash('sha256', exactStringify(content), 'base64url'), values, places];
}

/** The paths of placeholders. A list of placeholders is one path, because its future length is unknown. */
function placeholderPaths(value: Json, path: Path): readonly Path[] {
  if (typeof value === 'string') return isPlaceholder(value) ? [path] : [];
  if (typeof value !== 'object' || value === null) return [];
  if (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((it) => typeof it === 'string' && isPlaceholder(it))
  )
    return [path];
  const steps: readonly (readonly [string | number, Json | undefined])[] = Array.isArray(value)
    ? [...value.entries()]
    : Object.entries(value);
  return steps.flatMap(([step, it]) => (it === undefined ? [] : placeholderPaths(it, [...path, step])));
}
