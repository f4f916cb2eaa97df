import { seededRandom } from '../../src/sandbox/faults.js';
import { stepsRequests } from '../support/steps-orders.js';

/** Places that LICENSE_SYNC_CRASH_AT knows (src/util/crash-point.ts). */
export const POINTS = [
  'plan',
  'before-intent',
  'after-intent',
  'headers-sent',
  'reply-received',
  'outcome-written',
  'report',
  'before-rename',
] as const;

/** Those that only a run of several steps passes. */
export const STEP_POINTS = ['step-checked', 'step-planned', 'step-ended'] as const;

export type Point = (typeof POINTS)[number] | (typeof STEP_POINTS)[number];

/**
 * When a process is killed.
 * - point: at a named crash point, the `nth` time that it is passed
 * - launch: so many milliseconds after it was started; plan: after it named its run
 * - effects: when the platform has executed so many orders in all; end: when all have been asked for
 */
export type Kill =
  | { readonly kind: 'point'; readonly point: Point; readonly nth: number }
  | { readonly kind: 'launch' | 'plan' | 'end'; readonly ms: number }
  | { readonly kind: 'effects'; readonly count: number; readonly ms: number };

/** One story of a run that is killed and resumed; all of it follows from seed and number of orders. */
export interface Scenario {
  readonly seed: number;
  readonly orders: number;
  readonly batch: 1 | 10;
  /** The job takes each row through three steps. */
  readonly steps?: true;
  /** Whether rows bring their order numbers or the program makes them. */
  readonly orderNumbers: 'mapped' | 'generated';
  readonly concurrency: number;
  readonly latencyMs: number;
  /** As `sandbox --faults` takes it; empty for none. */
  readonly faults: string;
  readonly output: 'xlsx' | 'csv';
  /** An older result stands where the new one goes. */
  readonly oldResult: boolean;
  /** For the first process, then for each resume. */
  readonly kills: readonly Kill[];
  /** Set where the kill was asked for and doesn't follow from the seed. */
  readonly at?: string;
}

/**
 * Faults after which a correct program never sends the order again: it was executed and that cannot be determined, or it
 * was not and that cannot be determined either, or the platform itself says that nothing was done (`code-500`).
 */
const FAULTS = [
  'reset-after=0.02',
  'reset-before=0.02',
  'code-500=0.05',
  'truncated=0.01,code-500=0.03',
  'status-500-after=0.01,not-json=0.01',
  'missing=0.02,no-data=0.01',
  'doubled=0.02,foreign=0.02',
];

export function scenario(seed: number, orders: number, kind: 'orders' | 'steps' = 'orders'): Scenario {
  const random = seededRandom(Math.imul(seed, 0x9e3779b1));
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
  const upTo = (most: number): number => Math.floor(random() * (most + 1));
  const orderNumbers = pick(['mapped', 'generated', 'generated'] as const);
  const batch = orderNumbers === 'mapped' ? 1 : pick([1, 10, 10] as const);
  const concurrency = 4 + upTo(12);
  const latencyMs = upTo(5);
  const fault = random() < 0.4 ? `${pick(FAULTS)},seed=${seed}` : '';
  // Numbers that are missing make another order: nothing is broken then, and nothing can be held against it.
  const faults = kind === 'steps' ? fault.replace('missing=', 'reset-after=') : fault;
  const output = pick(['xlsx', 'csv'] as const);
  const oldResult = random() < 0.5;
  const own = { orders, batch, ...(kind === 'steps' ? { steps: true as const } : {}) };
  const effects = kind === 'steps' ? requestsOf(own) : orders;
  const kill = (): Kill => {
    if (random() < 0.35) {
      const point = pick<Point>(kind === 'steps' ? [...POINTS, ...STEP_POINTS] : POINTS);
      return { kind: 'point', point, nth: 1 + upTo(passings(point, own) - 1) };
    }
    const when = pick(['launch', 'plan', 'effects', 'effects', 'effects', 'end', 'end'] as const);
    if (when === 'effects') return { kind: when, count: 1 + upTo(effects - 1), ms: upTo(15) };
    return { kind: when, ms: upTo(when === 'launch' ? 700 : 100 + orders / 6) };
  };
  const again = random();
  const kills = Array.from({ length: again < 0.15 ? 3 : again < 0.4 ? 2 : 1 }, kill);
  return { seed, ...own, orderNumbers, concurrency, latencyMs, faults, output, oldResult, kills };
}

type Size = Pick<Scenario, 'orders' | 'batch' | 'steps'>;

/** Requests of an undisturbed run. */
export function requestsOf({ orders, batch, steps }: Size): number {
  return steps ? stepsRequests(orders, batch) : Math.ceil(orders / batch);
}

/** How often an undisturbed run passes a point. */
function passings(point: Point, size: Size): number {
  if (point === 'before-rename') return 1;
  // All three are planned at first, two of them once more when their turn has come.
  if (point === 'plan') return size.steps ? size.orders * 5 : size.orders;
  if (point === 'report') return size.orders;
  if (point === 'step-planned') return 2;
  if (point === 'step-checked' || point === 'step-ended') return 3;
  return requestsOf(size);
}

/** The passing in the middle of what an undisturbed run makes of them. */
export function middlePassing(point: Point, story: Scenario): number {
  return Math.ceil(passings(point, story) / 2);
}

/** The command that runs the same story again. */
export function rerunCommand({ seed, orders, steps, at }: Scenario): string {
  const forced = at === undefined ? '' : ` --at ${at}`;
  return `npm run test:crash -- --runs 1 --orders ${orders} --seed ${seed}${steps ? ' --steps' : ''}${forced}`;
}

/** The same story, but its first process is killed at that passing of a point, and no other. */
export function killedAt(story: Scenario, point: Point, nth: number): Scenario {
  return { ...story, kills: [{ kind: 'point', point, nth }], at: `${point}:${nth}` };
}
