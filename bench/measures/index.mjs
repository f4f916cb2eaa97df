import { READING } from './reading.mjs';
import { SENDING } from './sending.mjs';
import { STARTING } from './starting.mjs';
import { VALIDATING } from './validating.mjs';
import { WRITING } from './writing.mjs';

/** In the order in which they run and are told. */
export const MEASURES = [...READING, ...VALIDATING, ...SENDING, ...WRITING, ...STARTING];
