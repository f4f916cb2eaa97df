import type { JsonObject } from '../../model/json.js';

/** The kind of an audit entry. `denied`: an action that was refused, named by `detail.act`. */
export const AUDIT_ACTS = [
  'validate',
  'plan',
  'run',
  'submit',
  'request',
  'approve',
  'reject',
  'withdraw',
  'apply',
  'stop',
  'resume',
  'retry',
  'resolve',
  'revert',
  'reconcile',
  'rehearse',
  'schedule',
  'import',
  'correct',
  'prune',
  'ledger_copy',
  'ledger_accept',
  'ledger_reopen',
  'people_add',
  'people_remove',
  'people_token',
  'people_confirm',
  'policy_keep',
  'policy_lift',
  'sign_in',
  'sign_out',
  'late_reply',
  'denied',
] as const;

export type AuditAct = (typeof AUDIT_ACTS)[number];

/** An action of a user, performed or refused. */
export interface AuditEntry {
  /** `os:wang@desk-7`, or the name of a user of the ledger. */
  readonly who: string;
  readonly act: AuditAct;
  readonly run?: string;
  /** Never contains a token or values of a row. */
  readonly detail?: JsonObject;
}

/** The user who starts or resumes a run, and the action, for the audit. */
export interface RunActor {
  readonly who: string;
  /** Their OpenID subject. */
  readonly subject?: string | undefined;
  readonly act: AuditAct;
}

/** An audit entry as stored. The entries are a chain: each has the hash of the previous one. */
export interface AuditLine extends Omit<AuditEntry, 'act'> {
  /** From 1, without gaps. */
  readonly n: number;
  /** Milliseconds since 1970, UTC. */
  readonly at: number;
  /** An `AuditAct`, or a value of a newer program. */
  readonly act: string;
  readonly detail: JsonObject;
  /** The hash of the previous entry; of the first one `NO_LINE`. */
  readonly prev: string;
  readonly hash: string;
}

export interface AuditQuery {
  readonly run?: string;
  readonly who?: string;
  /** An `AuditAct`. */
  readonly act?: string;
  /** Milliseconds since 1970: entries of that time or later. */
  readonly since?: number;
  /** Milliseconds since 1970: entries of that time or earlier. */
  readonly until?: number;
}
