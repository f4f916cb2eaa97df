import { message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import type { AuditAct, AuditEntry, RunActor } from '../ledger/contract/audit.js';
import type { Ledger } from '../ledger/contract/ledger.js';
import { LedgerClosed } from '../ledger/ledger-errors.js';
import type { JsonObject } from '../model/json.js';
import {
  ACTS,
  type Act,
  type Actor,
  type Caller,
  identify,
  mayDo,
  type UnknownCaller,
} from '../people/identity.js';
import { systemClock } from '../util/clock.js';
import type { AppContext } from './context.js';

const LOCAL: Caller = { kind: 'local' };

/** Audit entries of refused actions contain only text that can be a run id, not arbitrary input. */
const RUN_ID = /^[\w-]{1,64}$/;

const TOKEN_MESSAGES = {
  token_unknown: 'people.token_unknown',
  token_expired: 'people.token_expired',
} as const satisfies Readonly<Record<Exclude<UnknownCaller['why'], 'person_gone'>, string>>;

/**
 * Returns the caller if they are permitted to perform the act. Called once for each act: by the use case right
 * after opening its ledger, or by the console's route before it.
 * A refusal is recorded in the audit.
 * @param run the affected run, if known
 * @throws ProductError safety for unknown or expired tokens, and for acts that the roles do not allow
 */
export async function permitted(
  context: Pick<AppContext, 'as'>,
  ledger: Ledger,
  act: Act,
  run?: string,
): Promise<Actor> {
  const caller = context.as ?? LOCAL;
  const runId = run !== undefined && RUN_ID.test(run) ? run : undefined;
  const actor = await identify(ledger, caller, systemClock.now());
  const from = caller.kind === 'token' ? caller.from : undefined;
  if ('why' in actor) return denyUnknownCaller(ledger, actor, { act, run: runId, from });
  if (await mayAct(ledger, actor, caller, act)) return actor;
  const roles = ACTS[act];
  const detail = { act, wanted: roles, roles: actor.roles };
  await appendDenied(ledger, { who: actor.who, run: runId, detail });
  const params = { act, required: roles, roles: actor.roles.join(', '), who: actor.who };
  throw new ProductError(
    'safety',
    caller.kind === 'local'
      ? message('people.token_required', params)
      : message('people.not_allowed', params),
  );
}

/** A closed ledger takes no audit entry. The action is denied in any case. */
async function appendDenied(ledger: Ledger, entry: Omit<AuditEntry, 'act'>): Promise<void> {
  await ledger.audit.append({ ...entry, act: 'denied' }).catch((error: unknown) => {
    if (!(error instanceof LedgerClosed)) throw error;
  });
}

/** The actor recorded for starting or continuing a run. */
export function runActor({ who, person }: Actor, act: AuditAct): RunActor {
  return { who, subject: person?.subject, act };
}

/** The same if there may be no ledger. Without one, every token and person is unknown. */
export async function permittedIfAny(
  context: Pick<AppContext, 'as'>,
  ledger: Ledger | undefined,
  act: Act,
): Promise<Actor | undefined> {
  if (ledger) return permitted(context, ledger, act);
  if (context.as?.kind === 'token') throw new ProductError('safety', message('people.token_unknown'));
  if (context.as?.kind === 'person')
    throw new ProductError('safety', message('people.person_gone', { who: context.as.name }));
  return undefined;
}

/** As long as there is no admin, the user of the ledger's machine may manage people: otherwise no user ever could. */
async function mayAct(ledger: Ledger, { roles }: Actor, caller: Caller, act: Act): Promise<boolean> {
  if (mayDo(roles, act)) return true;
  if (caller.kind !== 'local' || act !== 'people') return false;
  return !(await ledger.people.list()).some((it) => it.roles.includes('admin'));
}

async function denyUnknownCaller(
  ledger: Ledger,
  { why, who }: UnknownCaller,
  {
    act,
    run,
    from,
  }: { readonly act: Act; readonly run: string | undefined; readonly from: string | undefined },
): Promise<never> {
  // Remote callers are refused before the act is examined, so they are recorded as signing in.
  const detail: JsonObject = from === undefined ? { act, why } : { act: 'sign_in', why, from };
  await appendDenied(ledger, { who, run, detail });
  throw new ProductError(
    'safety',
    why === 'person_gone' ? message('people.person_gone', { who }) : message(TOKEN_MESSAGES[why]),
  );
}
