import { type Message, message } from '../../errors/message.js';
import type { ApprovalLine, PlanMaker, Signer } from '../../ledger/contract/approvals.js';
import type { Ledger } from '../../ledger/contract/ledger.js';
import type { Run } from '../../ledger/contract/run.js';
import { timezoneOf } from '../../ledger/kept-settings.js';
import type { Person } from '../../model/person.js';
import { zonedText } from '../../util/zoned-time.js';

/** How far a plan has come that wants an approval: the line that counts now. */
export type ApprovalStanding =
  | { readonly state: 'not_asked' }
  | { readonly state: 'waiting' | 'approved' | 'expired' | 'rejected'; readonly line: ApprovalLine };

/** Whether a run has stopped before a step that needs an approval. */
export function awaitsStepApproval({ kind, reason }: Pick<Run, 'kind' | 'reason'>): boolean {
  return kind === 'run' && reason?.code === 'approval.step_above';
}

/** By what was said of it, oldest first. `now`: milliseconds since 1970. */
export function approvalStanding(lines: readonly ApprovalLine[], now: number): ApprovalStanding {
  const rejected = lines.findLastIndex((it) => it.act === 'reject');
  const since = lines.slice(rejected + 1);
  const longest = since.reduce<ApprovalLine | undefined>(
    (best, it) => ((it.expiresAt ?? 0) > (best?.expiresAt ?? 0) ? it : best),
    undefined,
  );
  const holds = (longest?.expiresAt ?? 0) > now ? longest : undefined;
  if (holds) return { state: 'approved', line: holds };
  const asked = since.at(-1);
  if (asked?.act === 'approve') return { state: 'expired', line: asked };
  if (asked) return { state: 'waiting', line: asked };
  const no = lines[rejected];
  return no ? { state: 'rejected', line: no } : { state: 'not_asked' };
}

/** Whether a person of the ledger may approve a plan: none of its makers may, by whatever account. */
function mayApprove({ name, roles, subject }: Person, makers: readonly Signer[]): boolean {
  if (!roles.includes('checker') && !roles.includes('admin')) return false;
  return !makers.some((it) => it.who === name || (subject !== undefined && subject === it.subject));
}

/** Everybody who made a part of a plan; only who planned it, for plans of earlier versions. */
export async function makersOf(
  { approvals }: Pick<Ledger, 'approvals'>,
  { id, by, bySubject }: Run,
): Promise<readonly PlanMaker[]> {
  const makers = await approvals.makers(id);
  if (makers.length > 0 || by === undefined) return makers;
  return [{ who: by, subject: bySubject, did: 'planned' }];
}

/**
 * Whose word a plan wants before it may be sent, if it wants one still.
 * @returns undefined where an approval holds, or none is needed
 */
export async function approvalMissing(
  ledger: Pick<Ledger, 'approvals' | 'people'>,
  plan: Run,
  now: number,
): Promise<Message | undefined> {
  if (!plan.needsApproval) return undefined;
  const standing = approvalStanding(await ledger.approvals.list(plan.id), now);
  if (standing.state === 'approved') return undefined;
  const checkers = await checkersOf(ledger, plan);
  const zone = timezoneOf(plan);
  const about = { plan: plan.id, connection: plan.connection, checkers };
  if (standing.state === 'not_asked') return message('approval.not_asked', about);
  const { by, at, comment = '', expiresAt = at } = standing.line;
  const said = { ...about, by: by.who, at: zonedText(at, zone), comment, until: zonedText(expiresAt, zone) };
  switch (standing.state) {
    case 'waiting':
      return message('approval.waits', said);
    case 'expired':
      return message('approval.expired', said);
    case 'rejected':
      return message('approval.rejected', said);
  }
}

const NAMES_SHOWN = 5;

/** Who may say it, by name where the ledger knows some. */
export async function checkersOf(ledger: Pick<Ledger, 'approvals' | 'people'>, plan: Run): Promise<Message> {
  const makers = await makersOf(ledger, plan);
  const names = (await ledger.people.list()).filter((it) => mayApprove(it, makers)).map((it) => it.name);
  const maker = [...new Set(makers.map((it) => it.who))].join(', ') || '-';
  if (names.length === 0) return message('approval.a_checker', { maker });
  const shown = names.slice(0, NAMES_SHOWN).join(', ');
  return message('approval.one_of', { names: names.length > NAMES_SHOWN ? `${shown}, …` : shown, maker });
}
