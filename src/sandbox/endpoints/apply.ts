import type { Json } from '../../model/json.js';
import type { Carried } from '../state/effect.js';
import type { State } from '../state/state.js';
import { applyClaim } from './activity.js';
import { applyNumbers } from './assets.js';
import { applyBind, applyCreate, applyUpdate } from './enterprise.js';
import { applyLock } from './locks.js';
import { applyOrders } from './orders.js';

/** Carries an effect out; gives the data of its reply. The only place where the state changes. */
export function apply(state: State, { effect, at }: Carried): Json {
  switch (effect.kind) {
    case 'bind':
      return applyBind(state, effect);
    case 'create':
      return applyCreate(state, effect);
    case 'update':
      return applyUpdate(state, effect);
    case 'orders':
      return applyOrders(state, effect, at);
    case 'lock':
    case 'unlock':
      return applyLock(state, effect, at);
    case 'numbers':
      return applyNumbers(state, effect);
    case 'claim':
      return applyClaim(state, effect, at);
  }
}
