import type { Json, JsonObject } from '../../../model/json.js';
import { firstNumberOf } from '../../../model/run-outcome.js';
import type { Effect, SandboxChoice, Simulation } from '../../simulated/simulation.js';
import type { Asset, State } from '../../simulated/state.js';
import { CLOUD_LICENSE_TYPES } from '../order/order.endpoint.js';
import { LIST_ENDPOINT, LOCK_ENDPOINT, NUMBERS_ENDPOINT, UNLOCK_ENDPOINT } from './asset.endpoint.js';

/** §2.6 */
function record(state: State, asset: Asset): Json {
  return asset.asRead ? foreignRecord(state, asset, asset.asRead) : ownRecord(state, asset);
}

/** As another platform returned it, with later changes. */
function foreignRecord(state: State, asset: Asset, asRead: JsonObject): Json {
  const { locked, customerId, updatedAt, limitStart = null, limitEnd = null } = asset;
  if (updatedAt === asset.createdAt) return asRead;
  const limits = { limitStartTime: limitStart, limitEndTime: limitEnd };
  return { ...asRead, locked, customerId, ...limits, updateTime: state.stamp(updatedAt) };
}

function ownRecord(state: State, asset: Asset): Json {
  const digits = asset.assetNum.replace(/\D/g, '');
  const id = `AS-${asset.assetNum}`;
  const createTime = state.stamp(asset.createdAt);
  return {
    id,
    licenseType: asset.licenseType,
    assetNum: asset.assetNum,
    grantable: CLOUD_LICENSE_TYPES.has(asset.licenseType),
    customerId: asset.customerId,
    keyShellNumber: digits,
    keyChipType: Number(digits.at(-1) ?? 0) % 2 === 0 ? 2 : 1,
    locked: asset.locked,
    freezing: asset.freezing,
    createTime,
    updateTime: state.stamp(asset.updatedAt),
    limitStartTime: asset.limitStart ?? null,
    limitEndTime: asset.limitEnd ?? null,
    assignStatus: {
      id,
      assignStatus: asset.memberId ? 'assigned' : 'unassigned',
      assignMemberId: asset.memberId ?? '',
      createTime: String(createTime),
      updateTime: null,
    },
    assetLimits: null,
    assetExtends: asset.extends.map(({ extendCode, extendValue }) => ({ extendCode, extendValue })),
    borrowedUsbKey: asset.borrowed,
  };
}

export const LIST_SIMULATION: Simulation = {
  name: 'assetList',
  endpoint: LIST_ENDPOINT,
  choices: [
    {
      section: '§2.6',
      text: 'The assignment state is "assigned" or "unassigned"; the chip type follows the parity of the last digit of the asset number.',
    },
    {
      section: '§4.7',
      text: 'The list has all assets of the enterprise, locks included; extendCode keeps those that have that extension. An unknown enterprise has an empty list.',
    },
  ],
  /** All assets of the enterprise, or those with the extension `extendCode`. */
  decide: (state, { params }) => {
    const all = state.enterpriseAssets(params.get('enterpriseGlobalId') ?? '');
    const code = params.get('extendCode');
    const matching = code ? all.filter((it) => it.extends.some((extend) => extend.extendCode === code)) : all;
    return { kind: 'reply', data: matching.map((it) => record(state, it)) };
  },
};

interface LockEffect extends Effect {
  readonly kind: 'lock' | 'unlock';
  readonly assetNums: readonly string[];
}

/** Result codes per lock (§2.5). */
const STATUS = { success: 1, noSuchLock: 2, failure: 3, wrongType: 4 } as const;

const RECOVERABLE = new Set(['normal_recover_usbkey', 'normal_recover_lan_usbkey']);
/** The interface does not define the types of large-customer locks; the sandbox uses these two. */
const LARGE_CUSTOMER = new Set(['lk_product_usbkey', 'lk_auth_usbkey']);

function operate(asset: Asset | undefined, locked: boolean, at: number): number {
  if (!asset) return STATUS.noSuchLock;
  if (!RECOVERABLE.has(asset.licenseType) && !LARGE_CUSTOMER.has(asset.licenseType)) return STATUS.wrongType;
  if (asset.freezing) return STATUS.failure;
  if (asset.locked !== locked) {
    asset.locked = locked;
    asset.updatedAt = at;
  }
  return STATUS.success;
}

const CHOICE: SandboxChoice = {
  section: '§4.6',
  text: 'Large-customer locks are those of licenseType lk_product_usbkey and lk_auth_usbkey. A frozen lock gives status 3; a lock that is in the wanted state already gives 1.',
};

function simulated(kind: LockEffect['kind'], counted: string): Simulation<LockEffect> {
  const locked = kind === 'lock';
  return {
    name: kind,
    endpoint: locked ? LOCK_ENDPOINT : UNLOCK_ENDPOINT,
    effect: kind,
    counts: [counted],
    choices: locked ? [CHOICE] : [],
    decide: (_, { body }) => {
      const assetNums = body.assetNums as readonly string[];
      if (assetNums.length === 0) return { kind: 'invalid', problems: ['assetNums must not be empty'] };
      return { kind: 'effect', effect: { kind, assetNums } };
    },
    /** One result per number; a lock that is already in the requested state is a success. */
    apply: (state, { assetNums }, at) =>
      assetNums.map((assetNum) => {
        const status = operate(state.assets.get(assetNum), locked, at);
        if (status === STATUS.success) state.count(counted);
        return { assetNum, status };
      }),
  };
}

export const LOCK_SIMULATION = simulated('lock', 'locks');
export const UNLOCK_SIMULATION = simulated('unlock', 'unlocks');

const LARGEST_SIZE = 10_000;

interface NumbersEffect extends Effect {
  readonly kind: 'numbers';
  readonly size: number;
}

export const NUMBERS_SIMULATION: Simulation<NumbersEffect> = {
  name: 'assetNumbers',
  endpoint: NUMBERS_ENDPOINT,
  effect: 'numbers',
  counts: ['numbers'],
  choices: [
    {
      section: '§4.8',
      text: 'Asset numbers begin at 8600000001; size goes from 1 to 10000.',
    },
  ],
  decide: (_, { body }) => {
    const size = Number(body.size);
    if (size < 1 || size > LARGEST_SIZE) {
      return { kind: 'invalid', problems: [`size must be from 1 to ${LARGEST_SIZE}`] };
    }
    return { kind: 'effect', effect: { kind: 'numbers', size } };
  },
  /** The next numbers of the sequence; each number is returned once. */
  apply: (state, { size }) => {
    // The first series starts after the numbers of the seed data.
    const first = firstNumberOf(state.series) + (state.counts.numbers ?? 0);
    state.count('numbers', size);
    return Array.from({ length: size }, (_, index) => String(first + index));
  },
};
