import type { Json, JsonObject } from '../../../model/json.js';
import type { Simulation } from '../../simulated/simulation.js';
import type { Asset, State } from '../../simulated/state.js';
import { CLOUD_LICENSE_TYPES } from '../order/wire-license-types.js';
import { LIST_ENDPOINT } from './wire.js';

/** §2.6 */
function record(state: State, asset: Asset): Json {
  return asset.asRead ? changed(state, asset, asset.asRead) : made(state, asset);
}

/** As another platform gave it, with what has changed since. */
function changed(state: State, asset: Asset, asRead: JsonObject): Json {
  const { locked, customerId, updatedAt, limitStart = null, limitEnd = null } = asset;
  if (updatedAt === asset.createdAt) return asRead;
  const limits = { limitStartTime: limitStart, limitEndTime: limitEnd };
  return { ...asRead, locked, customerId, ...limits, updateTime: state.stamp(updatedAt) };
}

function made(state: State, asset: Asset): Json {
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
      text: 'The list has all assets of the enterprise, locks included; extendCode keeps those that carry that extension. An unknown enterprise has an empty list.',
    },
  ],
  /** All assets of the enterprise, or those that carry the extension `extendCode`. */
  decide: (state, { params }) => {
    const all = state.enterpriseAssets(params.get('enterpriseGlobalId') ?? '');
    const code = params.get('extendCode');
    const shown = code ? all.filter((it) => it.extends.some((extend) => extend.extendCode === code)) : all;
    return { kind: 'reply', data: shown.map((it) => record(state, it)) };
  },
};
