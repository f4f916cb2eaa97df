import type { Effect, SandboxChoice, Simulation } from '../../simulated/simulation.js';
import type { Asset } from '../../simulated/state.js';
import { LOCK_ENDPOINT, UNLOCK_ENDPOINT } from './wire.js';

interface LockEffect extends Effect {
  readonly kind: 'lock' | 'unlock';
  readonly assetNums: readonly string[];
}

/** Result codes per lock (§2.5). */
const STATUS = { success: 1, noSuchLock: 2, failure: 3, wrongType: 4 } as const;

const RECOVERABLE = new Set(['normal_recover_usbkey', 'normal_recover_lan_usbkey']);
/** The interface doesn't say which types are large-customer locks; the sandbox takes these two. */
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
    /** One answer per number asked for; a lock that is in that state already is a success. */
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
