import { message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import { nearest } from '../util/name-match.js';

/** An injected fault occurs before the request is processed, or after its effect (if any) was applied. */
interface Kind {
  readonly when: 'before' | 'after';
  readonly meaning: string;
}

/** All faults that can be configured, as seen from the client. */
export const FAULT_KINDS = {
  'reset-before': { when: 'before', meaning: 'connection reset before anything is done' },
  'reset-after': { when: 'after', meaning: 'executed, then the connection is reset' },
  hang: { when: 'after', meaning: 'executed, no reply' },
  drip: { when: 'after', meaning: 'executed;  the reply comes a byte every 100 ms' },
  truncated: { when: 'after', meaning: 'executed;  the connection ends in the middle of the reply' },
  oversize: { when: 'after', meaning: 'executed;  the reply is over 10 MB' },
  'not-json': { when: 'after', meaning: 'executed;  the reply is an HTML page' },
  'no-data': { when: 'after', meaning: 'executed;  the reply says success but has no data' },
  missing: { when: 'after', meaning: 'executed;  one result of the list is missing' },
  doubled: { when: 'after', meaning: 'executed;  one result comes twice, with different content' },
  foreign: { when: 'after', meaning: 'executed;  a result that was not asked for is added' },
  bignumber: { when: 'after', meaning: 'executed;  the results hold a number over 2^53' },
  'status-400': { when: 'before', meaning: 'HTTP 400, nothing done' },
  'status-401': { when: 'before', meaning: 'HTTP 401, nothing done' },
  'status-403': { when: 'before', meaning: 'HTTP 403, nothing done' },
  'status-408': { when: 'before', meaning: 'HTTP 408, nothing done' },
  'status-429': { when: 'before', meaning: 'HTTP 429 with Retry-After of 1 s, nothing done' },
  'status-500': { when: 'before', meaning: 'HTTP 500, nothing done' },
  'status-500-after': { when: 'after', meaning: 'executed, then HTTP 500' },
  'status-502': { when: 'before', meaning: 'HTTP 502, nothing done' },
  'status-503': { when: 'before', meaning: 'HTTP 503, nothing done' },
  'status-504-after': { when: 'after', meaning: 'executed, then HTTP 504' },
  'status-302': { when: 'before', meaning: 'HTTP 302 to another path, nothing done' },
  'status-303': { when: 'after', meaning: 'executed, then HTTP 303 to another path' },
  'status-307': { when: 'before', meaning: 'HTTP 307 to another path, nothing done' },
  'code-500': { when: 'before', meaning: 'business code 500, nothing done' },
  'code-500-after': { when: 'after', meaning: 'executed, then business code 500' },
  'code-13004': { when: 'before', meaning: 'business code 13004, nothing done' },
  'http-299': { when: 'before', meaning: 'HTTP 299 with a business exception, nothing done' },
} as const satisfies Readonly<Record<string, Kind>>;

export type FaultKind = keyof typeof FAULT_KINDS;

export const FAULT_KIND_NAMES = Object.keys(FAULT_KINDS) as readonly FaultKind[];

function isFaultKind(word: string): word is FaultKind {
  return Object.hasOwn(FAULT_KINDS, word);
}

/**
 * A small reproducible random generator (mulberry32): the same seed gives the same numbers from 0 to 1 (exclusive) on
 * every machine. For simulations, never for secrets.
 */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** The requests that fail, and how. Requests are numbered from 1 in order of arrival. */
export interface FaultPlan {
  /** Each with its probability per request, 0 to 1; tried in this order, and the first that occurs applies. */
  readonly rates: readonly { readonly kind: FaultKind; readonly rate: number }[];
  /** Faults of single requests by number. */
  readonly exact: ReadonlyMap<number, FaultKind>;
  readonly seed: number;
  /** Rates apply to requests after this one … */
  readonly after: number;
  /** … up to and including this one. */
  readonly until: number;
}

const WHOLE = /^\d{1,9}$/;
const RATE = /^(0|1|0?\.\d+|1\.0+|0\.\d+)$/;

/**
 * Reads `kind=rate,kind@N,seed=N,after=N,until=N`.
 * @throws ProductError usage that names the invalid word and the known kinds
 */
export function parseFaults(spec: string): FaultPlan {
  const rates: { kind: FaultKind; rate: number }[] = [];
  const exact = new Map<number, FaultKind>();
  const numbers = { seed: 1, after: 0, until: Number.MAX_SAFE_INTEGER };
  for (const word of spec.split(',').map((it) => it.trim())) {
    if (word === '') continue;
    const [, name = '', sign, value = ''] = /^([\w-]+)([=@])(.*)$/.exec(word) ?? [];
    if (sign === undefined) throw badForm(word);
    if (sign === '=' && (name === 'seed' || name === 'after' || name === 'until')) {
      if (!WHOLE.test(value)) throw badForm(word);
      numbers[name] = Number(value);
    } else if (!isFaultKind(name)) {
      throw badKind(name);
    } else if (sign === '@') {
      if (!WHOLE.test(value) || Number(value) === 0) throw badForm(word);
      exact.set(Number(value), name);
    } else {
      if (!RATE.test(value)) throw badForm(word);
      rates.push({ kind: name, rate: Number(value) });
    }
  }
  return { rates, exact, ...numbers };
}

/** The fault of the request with that number; it depends only on the plan and the number. */
export function faultOf(plan: FaultPlan, number: number): FaultKind | undefined {
  const exact = plan.exact.get(number);
  if (exact) return exact;
  if (number <= plan.after || number > plan.until) return undefined;
  const random = seededRandom(Math.imul(plan.seed + 1, 0x9e3779b1) ^ Math.imul(number, 0x85ebca6b));
  return plan.rates.find((it) => random() < it.rate)?.kind;
}

function badKind(word: string): ProductError {
  const kinds = FAULT_KIND_NAMES.join(', ');
  const near = nearest(word, FAULT_KIND_NAMES);
  return new ProductError(
    'usage',
    near === undefined
      ? message('sandbox.fault_kind', { word, kinds })
      : message('sandbox.fault_kind_near', { word, near, kinds }),
  );
}

function badForm(word: string): ProductError {
  return new ProductError(
    'usage',
    message('sandbox.fault_form', { word, kinds: FAULT_KIND_NAMES.join(', ') }),
  );
}
