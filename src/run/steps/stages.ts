import type { StepsSettings } from '../settings.js';
import type { RunStages } from '../stages.js';
import { endSteps } from './advance.js';
import { carrySteps } from './carry-steps.js';
import { checkSteps } from './check-steps.js';
import { maySendSteps } from './may-send-steps.js';
import { queueSteps } from './queue-steps.js';

/** The stages of a run of several steps. */
export const STEPS_STAGES: RunStages<StepsSettings> = {
  plan: checkSteps,
  mayExecute: maySendSteps,
  execute: (context, from) => (context.queue ? queueSteps(context, from) : carrySteps(context, from)),
  concluding: endSteps,
};
