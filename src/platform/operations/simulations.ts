import type { Json } from '../../model/json.js';
import type { JournalEntry, Simulation } from '../simulated/simulation.js';
import type { State } from '../simulated/state.js';
import { ACTIVITY_SIMULATION } from './activity-participate/sandbox.js';
import { LIST_SIMULATION } from './asset-list/sandbox.js';
import { NUMBERS_SIMULATION } from './asset-numbers/sandbox.js';
import { BIND_SIMULATION } from './enterprise-bind/sandbox.js';
import { CREATE_SIMULATION } from './enterprise-create/sandbox.js';
import { QUERY_SIMULATION } from './enterprise-query/sandbox.js';
import { UPDATE_SIMULATION } from './enterprise-update/sandbox.js';
import { LOCK_SIMULATION, UNLOCK_SIMULATION } from './lock/sandbox.js';
import { ORDER_SIMULATION } from './order/sandbox.js';

/**
 * What the sandbox does at each endpoint of §4.2. Apart from the operations: runs against a real platform load none of
 * it, and the sandbox loads nothing of how requests are composed and replies read.
 */
export const SIMULATIONS: readonly Simulation[] = [
  BIND_SIMULATION,
  CREATE_SIMULATION,
  QUERY_SIMULATION,
  UPDATE_SIMULATION,
  ORDER_SIMULATION,
  LOCK_SIMULATION,
  UNLOCK_SIMULATION,
  LIST_SIMULATION,
  NUMBERS_SIMULATION,
  ACTIVITY_SIMULATION,
];

const BY_EFFECT: ReadonlyMap<string, Simulation> = new Map(
  SIMULATIONS.flatMap((it) => (it.effect === undefined ? [] : [[it.effect, it]])),
);

/** Carries an effect out; gives the data of its reply. The only place where the state changes. */
export function carryOut(state: State, { effect, at }: JournalEntry): Json {
  const data = BY_EFFECT.get(effect.kind)?.apply?.(state, effect, at);
  if (data === undefined) throw new Error(`no simulation carries out ${effect.kind}`);
  return data;
}
