import type { Json } from '../../model/json.js';
import type { JournalEntry, Simulation } from '../simulated/simulation.js';
import type { State } from '../simulated/state.js';
import { ACTIVITY_SIMULATION } from './activity/activity.sandbox.js';
import {
  LIST_SIMULATION,
  LOCK_SIMULATION,
  NUMBERS_SIMULATION,
  UNLOCK_SIMULATION,
} from './asset/asset.sandbox.js';
import {
  BIND_SIMULATION,
  CREATE_SIMULATION,
  QUERY_SIMULATION,
  UPDATE_SIMULATION,
} from './enterprise/enterprise.sandbox.js';
import { ORDER_SIMULATION } from './order/order.sandbox.js';

/**
 * The sandbox's endpoints of §4.2. Separate from the operations: runs against a real platform load none of this, and
 * the sandbox loads no code that composes requests or reads replies.
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

/** Applies an effect and returns the data of its reply. The only place that changes the state. */
export function applyEffect(state: State, { effect, at }: JournalEntry): Json {
  const data = BY_EFFECT.get(effect.kind)?.apply?.(state, effect, at);
  if (data === undefined) throw new Error(`there is no simulation of ${effect.kind}`);
  return data;
}
