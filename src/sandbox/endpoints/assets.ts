import type { Json } from '../../model/json.js';
import type { EffectOf } from '../state/effect.js';
import type { Asset, State } from '../state/state.js';
import type { Call, Decision } from './decision.js';

const CLOUD = new Set(['cloud_account', 'cloud_customer', 'cloud_personal']);

/** Numbers handed out start behind those of the seed data (§4.8: region marker 8, then nine digits). */
const FIRST_NUMBER = 8_600_000_001;
const LARGEST_SIZE = 10_000;

/** §2.6 */
function record(state: State, asset: Asset): Json {
  const digits = asset.assetNum.replace(/\D/g, '');
  const id = `AS-${asset.assetNum}`;
  const createTime = state.stamp(asset.createdAt);
  return {
    id,
    licenseType: asset.licenseType,
    assetNum: asset.assetNum,
    grantable: CLOUD.has(asset.licenseType),
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

/** Endpoint 8 (§4.7): all assets of the enterprise, or those that carry the extension `extendCode`. */
export function decideList(state: State, { params }: Call): Decision {
  const all = state.enterpriseAssets(params.get('enterpriseGlobalId') ?? '');
  const code = params.get('extendCode');
  const shown = code ? all.filter((it) => it.extends.some((extend) => extend.extendCode === code)) : all;
  return { kind: 'reply', data: shown.map((it) => record(state, it)) };
}

/** Endpoint 9 (§4.8). */
export function decideNumbers(_: State, { body }: Call): Decision {
  const size = Number(body.size);
  if (size < 1 || size > LARGEST_SIZE) {
    return { kind: 'invalid', problems: [`size must be from 1 to ${LARGEST_SIZE}`] };
  }
  return { kind: 'effect', effect: { kind: 'numbers', size } };
}

/** The next numbers of the sequence; none is ever handed out twice. */
export function applyNumbers(state: State, effect: EffectOf<'numbers'>): Json {
  const first = FIRST_NUMBER + state.counts.numbers;
  state.counts.numbers += effect.size;
  return Array.from({ length: effect.size }, (_, index) => String(first + index));
}
