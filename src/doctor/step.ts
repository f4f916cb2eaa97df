import { type Message, message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import type { Connection } from '../model/connection.js';
import { resolveToken } from '../platform/client/token.js';

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

/** The finding of one step, with what to do about it. */
export interface DoctorFinding {
  readonly step: StepName;
  readonly state: StepState;
  readonly message: Message;
  /** Further problems found at the same time. */
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

/** Checks that a token is available, and shows nothing of it. */
export async function checkToken(
  { token, name }: Connection,
  env: NodeJS.ProcessEnv,
): Promise<DoctorFinding> {
  try {
    await resolveToken(token, name, env);
    switch (token.kind) {
      case 'withheld':
      case 'sandbox':
        return finding('token', 'ok', message('doctor.token_sandbox'));
      case 'env':
        return finding('token', 'ok', message('doctor.token_env', { name: token.name }));
      case 'file':
        return finding('token', 'ok', message('doctor.token_file', { path: token.path }));
      case 'command':
        return finding('token', 'ok', message('doctor.token_command', { program: token.argv[0] ?? '' }));
    }
  } catch (error) {
    return faultOf('token', error);
  }
}
