import { READING } from './reading.mjs';
import { SENDING } from './sending.mjs';
import { STARTING } from './starting.mjs';
import { VALIDATING } from './validating.mjs';
import { WRITING } from './writing.mjs';

/** In the order in which they run and are reported. */
export const MEASURES = [...READING, ...VALIDATING, ...SENDING, ...WRITING, ...STARTING];

/** Several measures by one name. `goals`: those that decide whether a change of how the program starts or sends is kept. */
export const GROUPS = {
  goals: [
    'help',
    'runs',
    'main-job',
    'validate-long',
    'execute-20ms',
    'execute-100ms',
    'execute-slow-disk',
    'client-cpu',
    'whole-small',
    'whole-large',
  ],
};
