import { message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import type { ApprovalLine, NewApproval, PlanApplication } from '../contract/approvals.js';
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

const REFUSALS = [
  'approval.applied',
  'approval.kept',
  'approval.no_maker',
  'approval.not_requested',
  'approval.other_hash',
  'approval.own_plan',
  'approval.plan_sealed',
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
