import type { Json } from '../../model/json.js';
import type { EffectOf } from '../state/effect.js';
import type { Asset, State } from '../state/state.js';
import type { Call, Decision } from './decision.js';

/** Result codes per lock (§2.5). */
const STATUS = { success: 1, noSuchLock: 2, failure: 3, wrongType: 4 } as const;

const RECOVERABLE = new Set(['normal_recover_usbkey', 'normal_recover_lan_usbkey']);
/** The interface doesn't say which types are large-customer locks; the sandbox takes these two. */
export const LARGE_CUSTOMER = new Set(['lk_product_usbkey', 'lk_auth_usbkey']);

/** Endpoints 6 and 7 (§4.6). */
export function decideLock(kind: 'lock' | 'unlock') {
  return (_: State, { body }: Call): Decision => {
    const assetNums = body.assetNums as readonly string[];
    if (assetNums.length === 0) return { kind: 'invalid', problems: ['assetNums must not be empty'] };
    return { kind: 'effect', effect: { kind, assetNums } };
  };
}

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

/** One answer per number asked for; a lock that is in that state already is a success. */
export function applyLock(state: State, effect: EffectOf<'lock' | 'unlock'>, at: number): Json {
  const locked = effect.kind === 'lock';
  return effect.assetNums.map((assetNum) => {
    const status = operate(state.assets.get(assetNum), locked, at);
    if (status === STATUS.success) state.counts[locked ? 'locks' : 'unlocks'] += 1;
    return { assetNum, status };
  });
}
