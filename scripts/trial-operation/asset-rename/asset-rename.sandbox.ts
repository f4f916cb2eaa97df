import { type Effect, type Simulation, textOf } from '../../simulated/simulation.js';
import { RENAME_ENDPOINT } from './asset-rename.endpoint.js';

interface RenameEffect extends Effect {
  readonly kind: 'rename';
  readonly asset: string;
  readonly label: string;
}

export const RENAME_SIMULATION: Simulation<RenameEffect> = {
  name: 'assetRename',
  endpoint: RENAME_ENDPOINT,
  effect: 'rename',
  counts: ['renames'],
  decide: (state, { body }) => {
    const asset = textOf(body, 'renamedAsset');
    if (!state.assets.has(asset)) {
      const said = `there is no asset ${asset}`;
      return { kind: 'business', code: '20004', message: said, cause: 'AssetNotFound' };
    }
    return { kind: 'effect', effect: { kind: 'rename', asset, label: textOf(body, 'assetLabel') } };
  },
  apply: (state, { asset, label }) => {
    const times = state.memory('renames');
    const timesRenamed = Number(times.get(asset) ?? 0) + 1;
    times.set(asset, timesRenamed);
    state.count('renames');
    return { assetLabel: label, timesRenamed };
  },
};
