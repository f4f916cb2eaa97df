import { message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import { nearest } from '../util/nearest.js';
import { FAULT_KIND_NAMES, type FaultKind, isFaultKind } from './faults/kinds.js';
import { seededRandom } from './random.js';

/** Which requests go wrong, and how. Requests are numbered from 1 in order of arrival. */
export interface FaultPlan {
  /** Each with its chance per request, 0 to 1; tried in this order, the first that strikes counts. */
  readonly rates: readonly { readonly kind: FaultKind; readonly rate: number }[];
  /** Exactly these requests. */
  readonly exact: ReadonlyMap<number, FaultKind>;
  readonly seed: number;
  /** Rates hold for requests after this one … */
  readonly after: number;
  /** … up to and including this one. */
  readonly until: number;
}

const WHOLE = /^\d{1,9}$/;
const RATE = /^(0|1|0?\.\d+|1\.0+|0\.\d+)$/;

/**
 * Reads `kind=rate,kind@N,seed=N,after=N,until=N`.
 * @throws ProductError usage naming the bad word and the known kinds
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

/** The fault of the request with that number; the same for the same plan, whatever else goes on. */
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
