import { type Message, message } from '../../errors/message.js';
import type { ApprovalLine, PlanMaker, Signer } from '../../ledger/contract/approvals.js';
import type { Ledger } from '../../ledger/contract/ledger.js';
import type { Run } from '../../ledger/contract/runs.js';
import { timezoneOf } from '../../ledger/stored-settings.js';
import type { Person } from '../../model/console.js';
import { zonedText } from '../../util/zoned-time.js';

/** The approval state of a plan that requires one, with the record that determines it. */
export type ApprovalState =
  | { readonly state: 'not_asked' }
  | { readonly state: 'waiting' | 'approved' | 'expired' | 'rejected'; readonly line: ApprovalLine };

/** The state according to the records for this plan hash, oldest first. `now`: milliseconds since 1970. */
export async function approvalState(
  { approvals }: Pick<Ledger, 'approvals'>,
  { id, planHash }: Pick<Run, 'id' | 'planHash'>,
  now: number,
): Promise<ApprovalState> {
  const lines = (await approvals.list(id)).filter((line) => line.planHash === planHash);
  const rejected = lines.findLastIndex((line) => line.act === 'reject');
  const since = lines.slice(rejected + 1);
  const longest = since.reduce<ApprovalLine | undefined>(
    (best, line) => ((line.expiresAt ?? 0) > (best?.expiresAt ?? 0) ? line : best),
    undefined,
  );
  const valid = (longest?.expiresAt ?? 0) > now ? longest : undefined;
  if (valid) return { state: 'approved', line: valid };
  const latest = since.at(-1);
  if (latest?.act === 'approve') return { state: 'expired', line: latest };
  if (latest) return { state: 'waiting', line: latest };
  const rejection = lines[rejected];
  return rejection ? { state: 'rejected', line: rejection } : { state: 'not_asked' };
}

/** Whether a user of the ledger may approve a plan. No maker of the plan may, by any account. */
function mayApprove({ name, roles, subject }: Person, makers: readonly Signer[]): boolean {
  if (!roles.includes('checker') && !roles.includes('admin')) return false;
  return !makers.some((maker) => maker.who === name || (subject !== undefined && subject === maker.subject));
}

/** The users who made a part of a plan; for plans of earlier versions only the user who planned it. */
export async function makersOf(
  { approvals }: Pick<Ledger, 'approvals'>,
  { id, by, bySubject }: Run,
): Promise<readonly PlanMaker[]> {
  const makers = await approvals.makers(id);
  if (makers.length > 0 || by === undefined) return makers;
  return [{ who: by, subject: bySubject, did: 'planned' }];
}

/**
 * The approval that a plan still needs before it may be sent.
 * @returns undefined if an approval is valid, or none is needed
 */
export async function approvalMissing(
  ledger: Pick<Ledger, 'approvals' | 'people'>,
  plan: Run,
  now: number,
): Promise<Message | undefined> {
  if (!plan.needsApproval) return undefined;
  const current = await approvalState(ledger, plan, now);
  if (current.state === 'approved') return undefined;
  const checkers = await checkersOf(ledger, plan);
  const zone = timezoneOf(plan);
  const params = { plan: plan.id, connection: plan.connection, checkers };
  if (current.state === 'not_asked') return message('approval.not_asked', params);
  const { by, at, comment = '', expiresAt = at } = current.line;
  const details = {
    ...params,
    by: by.who,
    at: zonedText(at, zone),
    comment,
    until: zonedText(expiresAt, zone),
  };
  switch (current.state) {
    case 'waiting':
      return message('approval.waits', details);
    case 'expired':
      return message('approval.expired', details);
    case 'rejected':
      return message('approval.rejected', details);
  }
}

const NAMES_SHOWN = 5;

/** The users who may approve, by name if the ledger has some. */
export async function checkersOf(ledger: Pick<Ledger, 'approvals' | 'people'>, plan: Run): Promise<Message> {
  const makers = await makersOf(ledger, plan);
  const names = (await ledger.people.list())
    .filter((user) => mayApprove(user, makers))
    .map(({ name }) => name);
  const maker = [...new Set(makers.map((maker) => maker.who))].join(', ') || '-';
  if (names.length === 0) return message('approval.a_checker', { maker });
  const shown = names.slice(0, NAMES_SHOWN).join(', ');
  return message('approval.one_of', { names: names.length > NAMES_SHOWN ? `${shown}, …` : shown, maker });
}
