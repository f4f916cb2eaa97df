import type { Message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';

/** The steps, in order. */
const STEPS = [
  'configuration',
  'job',
  'connection',
  'ledger',
  'token',
  'name',
  'port',
  'certificate',
  'request',
  'clock',
  'activity scope',
] as const;

export type StepName = (typeof STEPS)[number];

/** `skipped`: not checked, because an earlier step failed or because checking would have an effect. */
export type StepState = 'ok' | 'warning' | 'fault' | 'skipped';

/** What one step found, and what to do about it. */
export interface DoctorFinding {
  readonly step: StepName;
  readonly state: StepState;
  readonly message: Message;
  /** Further problems found in the same go. */
  readonly others?: readonly Message[];
}

export function finding(step: StepName, state: StepState, message: Message): DoctorFinding {
  return { step, state, message };
}

/** The finding of a step that threw a ProductError; other errors are thrown again. */
export function faultOf(step: StepName, error: unknown): DoctorFinding {
  if (!(error instanceof ProductError)) throw error;
  const { detail, others } = error;
  return { step, state: 'fault', message: detail, others: others.length > 0 ? others : undefined };
}
