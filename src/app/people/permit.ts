import { message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import type { AuditAct, RunActor } from '../../ledger/contract/audit.js';
import type { Ledger } from '../../ledger/contract/ledger.js';
import type { JsonObject } from '../../model/json.js';
import { type Actor, type Caller, identify, type Stranger } from '../../people/identity.js';
import { ACTS, type Act, mayDo } from '../../people/roles.js';
import { systemClock } from '../../util/clock.js';
import type { AppContext } from '../context.js';

const LOCAL: Caller = { kind: 'local' };

/** What is told of a refused act is what may be a run, not whatever somebody wrote. */
const RUN_ID = /^[\w-]{1,64}$/;

/** What is said of tokens. */
const TOKEN = {
  token_unknown: 'people.token_unknown',
  token_expired: 'people.token_expired',
} as const satisfies Readonly<Record<Exclude<Stranger['why'], 'person_gone'>, string>>;

/**
 * Who carries out an act, where they may. Asked once by every use case, right after its ledger is open. A refusal is a line
 * of the audit.
 * @param run what it is done to, where that is known already
 * @throws ProductError safety for unknown or expired tokens, and for acts that the roles don't allow
 */
export async function permitted(
  context: Pick<AppContext, 'as'>,
  ledger: Ledger,
  act: Act,
  run?: string,
): Promise<Actor> {
  const caller = context.as ?? LOCAL;
  const told = run !== undefined && RUN_ID.test(run) ? run : undefined;
  const actor = await identify(ledger, caller, systemClock.now());
  const from = caller.kind === 'token' ? caller.from : undefined;
  if ('why' in actor) return denyStranger(ledger, actor, { act, run: told, from });
  if (await mayAct(ledger, actor, caller, act)) return actor;
  const wanted = ACTS[act];
  const detail = { act, wanted, roles: actor.roles };
  await ledger.audit.append({ who: actor.who, act: 'denied', run: told, detail });
  const params = { act, wanted, roles: actor.roles.join(', '), who: actor.who };
  throw new ProductError(
    'safety',
    caller.kind === 'local' ? message('people.token_wanted', params) : message('people.not_allowed', params),
  );
}

/** Who begins a run, or goes on with one, by an act that was permitted. */
export function runActor({ who, person }: Actor, act: AuditAct): RunActor {
  return { who, subject: person?.subject, act };
}

/** The same where there may be no ledger: then there is nobody whose token it could be. */
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

/** As long as nobody may manage people, the user of the ledger's machine may: else nobody ever could. */
async function mayAct(ledger: Ledger, { roles }: Actor, caller: Caller, act: Act): Promise<boolean> {
  if (mayDo(roles, act)) return true;
  if (caller.kind !== 'local' || act !== 'people') return false;
  return !(await ledger.people.list()).some((it) => it.roles.includes('admin'));
}

async function denyStranger(
  ledger: Ledger,
  { why, who }: Stranger,
  {
    act,
    run,
    from,
  }: { readonly act: Act; readonly run: string | undefined; readonly from: string | undefined },
): Promise<never> {
  // Whoever comes from elsewhere is refused before anything is looked at.
  const detail: JsonObject = from === undefined ? { act, why } : { act: 'sign_in', why, from };
  await ledger.audit.append({ who, act: 'denied', run, detail });
  throw new ProductError(
    'safety',
    why === 'person_gone' ? message('people.person_gone', { who }) : message(TOKEN[why]),
  );
}
