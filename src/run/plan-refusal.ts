import { isDeepStrictEqual } from 'node:util';
import { type Message, message } from '../errors/message.js';
import type { Run } from '../ledger/contract.js';
import { keptConnection } from '../ledger/kept-settings.js';
import type { Connection } from '../model/connection.js';
import { unpackSettings } from './settings.js';

/** What an apply is asked to carry out, and what the world looks like now. */
export interface PlanNow {
  readonly connection: Connection;
  /** Hex; undefined when the file is gone. */
  readonly jobSha256: string | undefined;
  readonly inputSha256: string | undefined;
  readonly maxAgeMs: number;
}

/** Why a plan may not be applied; undefined when it may. `now`: milliseconds since 1970. */
export function planRefusal(plan: Run, world: PlanNow, now: number): Message | undefined {
  const { id, state } = plan;
  if (plan.prunedAt !== undefined) return message('run.pruned', { run: id });
  if (plan.kind === 'run') {
    return state === 'completed' || state === 'invalid'
      ? message('run.plan_used', { plan: id })
      : message('run.plan_begun', { plan: id, state });
  }
  if (plan.kind !== 'plan' || plan.state !== 'planned')
    return message('run.not_a_plan', { plan: id, state: plan.state });
  if (world.inputSha256 !== plan.inputSha256) {
    return message('run.plan_changed', { plan: id, what: plan.inputFile });
  }
  if (world.jobSha256 !== plan.jobSha256)
    return message('run.plan_changed', { plan: id, what: plan.jobFile });
  if (!isDeepStrictEqual(keptConnection(world.connection), unpackSettings(plan.settings).connection)) {
    return message('run.plan_changed', { plan: id, what: plan.connection });
  }
  if (now - plan.startedAt > world.maxAgeMs) {
    const hours = Math.floor((now - plan.startedAt) / 3_600_000);
    return message('run.plan_too_old', { plan: id, hours });
  }
  return undefined;
}
