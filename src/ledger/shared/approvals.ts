import { message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import type { ApprovalPolicy } from '../../model/connection.js';
import type {
  ApprovalLine,
  HostPolicy,
  NewApproval,
  PlanApplication,
  PlanMaker,
} from '../contract/approvals.js';
import type { AuditEntry } from '../contract/audit.js';

/** A line of the table `approvals`. */
export interface ApprovalRecord {
  readonly n: number;
  readonly act: ApprovalLine['act'];
  readonly plan_hash: string;
  readonly signer: string;
  readonly signer_subject: string | null;
  readonly comment: string | null;
  readonly at: number;
  readonly expires_at: number | null;
}

export function toApproval(it: ApprovalRecord): ApprovalLine {
  return {
    n: it.n,
    act: it.act,
    planHash: it.plan_hash,
    by: signerOf(it),
    ...(it.comment === null ? {} : { comment: it.comment }),
    at: it.at,
    ...(it.expires_at === null ? {} : { expiresAt: it.expires_at }),
  };
}

export type ApplicationRecord = Pick<ApprovalRecord, 'plan_hash' | 'signer' | 'signer_subject' | 'at'>;

export function toApplication(it: ApplicationRecord): PlanApplication {
  return { planHash: it.plan_hash, by: signerOf(it), at: it.at };
}

/** A line of the table `plan_makers`. */
export interface MakerRecord {
  readonly who: string;
  readonly subject: string | null;
  readonly did: PlanMaker['did'];
  readonly user_name: string | null;
}

export const MAKERS_OF = 'SELECT who, subject, did, user_name FROM plan_makers WHERE run';

export function toMaker({ who, subject, did, user_name: user }: MakerRecord): PlanMaker {
  return { who, did, ...(subject === null ? {} : { subject }), ...(user === null ? {} : { user }) };
}

/** who, subject, did, user_name. */
export function makerValues({ who, subject, did, user }: PlanMaker): readonly (string | null)[] {
  return [who, subject ?? null, did, user ?? null];
}

function signerOf(it: Pick<ApprovalRecord, 'signer' | 'signer_subject'>): ApprovalLine['by'] {
  return { who: it.signer, ...(it.signer_subject === null ? {} : { subject: it.signer_subject }) };
}

/** act, plan_hash, signer, signer_subject, comment. */
export function approvalValues({ act, planHash, by, comment }: NewApproval): readonly (string | null)[] {
  return [act, planHash, by.who, by.subject ?? null, comment ?? null];
}

/** What the audit says of it. */
export function approvalEntry(run: string, said: NewApproval): AuditEntry {
  const { act, planHash, by, comment } = said;
  const detail = {
    planHash,
    ...(comment === undefined ? {} : { comment }),
    ...(said.act === 'approve' ? { maxAgeMs: said.maxAgeMs } : {}),
  };
  return { who: by.who, act, run, detail };
}

/** Those that hold: a line without a policy lifts all of its host before it. */
export const SELECT_POLICIES = `
SELECT host, policy_json, said_by, at FROM host_policies AS it WHERE policy_json IS NOT NULL AND NOT EXISTS (
  SELECT 1 FROM host_policies AS later WHERE later.host = it.host AND later.policy_json IS NULL AND later.n > it.n)
ORDER BY n`;

export interface PolicyRecord {
  readonly host: string;
  readonly policy_json: string;
  readonly said_by: string;
  readonly at: number;
}

export function toPolicy({ host, policy_json, said_by, at }: PolicyRecord): HostPolicy {
  return { host, policy: JSON.parse(policy_json) as ApprovalPolicy, by: said_by, at };
}

/** The same text for the same policy. */
export function policyText({ operations, above }: ApprovalPolicy): string {
  return JSON.stringify({
    ...(operations === undefined ? {} : { operations: [...operations].sort() }),
    ...(above === undefined ? {} : { above }),
  });
}

/** Texts of those that aren't kept yet. */
export function unkeptPolicies(
  kept: readonly PolicyRecord[],
  host: string,
  policies: readonly ApprovalPolicy[],
): readonly string[] {
  const known = new Set(kept.filter((it) => it.host === host).map((it) => it.policy_json));
  return [...new Set(policies.map(policyText))].filter((it) => !known.has(it));
}

/** What the audit says of a policy that is kept; without one, of all of a host that are lifted. */
export function policyEntry(host: string, who: string, policy?: string): AuditEntry {
  if (policy === undefined) return { who, act: 'policy_lift', detail: { host } };
  return { who, act: 'policy_keep', detail: { host, policy: JSON.parse(policy) } };
}

const REFUSALS = [
  'approval.applied',
  'approval.granted_by_maker',
  'approval.kept',
  'approval.no_maker',
  'approval.not_requested',
  'approval.other_hash',
  'approval.own_plan',
  'approval.plan_sealed',
  'approval.policy_admin',
  'approval.policy_kept',
  'approval.wanted',
] as const;

/**
 * Carries out what the triggers of the tables may refuse, and tells a refusal of theirs as what it is: each raises the code of
 * its message.
 */
export async function orRefusal<T>(run: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw refusalIn(error, run) ?? error;
  }
}

function refusalIn(error: unknown, run: string): ProductError | undefined {
  if (!(error instanceof Error)) return undefined;
  const code = REFUSALS.find((it) => error.message === it || error.message.endsWith(` ${it}`));
  if (code !== undefined) return new ProductError('safety', message(code, { run }), { cause: error });
  return refusalIn(error.cause, run);
}
