import type { JsonObject } from '../../model/json.js';

/** What an audit's line tells of. `denied`: an act that was refused, which `detail.act` names. */
export type AuditAct =
  | 'validate'
  | 'plan'
  | 'run'
  | 'submit'
  | 'request'
  | 'approve'
  | 'reject'
  | 'withdraw'
  | 'apply'
  | 'stop'
  | 'resume'
  | 'retry'
  | 'resolve'
  | 'revert'
  | 'reconcile'
  | 'rehearse'
  | 'schedule'
  | 'import'
  | 'correct'
  | 'prune'
  | 'ledger_copy'
  | 'ledger_accept'
  | 'ledger_reopen'
  | 'people_add'
  | 'people_remove'
  | 'people_token'
  | 'people_confirm'
  | 'policy_keep'
  | 'policy_lift'
  | 'sign_in'
  | 'sign_out'
  | 'late_reply'
  | 'denied';

/** What somebody did, or was refused. */
export interface AuditEntry {
  /** `os:wang@desk-7`, or the name of a person of the ledger. */
  readonly who: string;
  readonly act: AuditAct;
  readonly run?: string;
  /** Never a token, nor anything of a row. */
  readonly detail?: JsonObject;
}

/** Who starts a run or goes on with one, and by which act: for the audit. */
export interface RunActor {
  readonly who: string;
  /** By which an OpenID provider names them. */
  readonly subject?: string | undefined;
  readonly act: AuditAct;
}

/** A line of the audit. The lines are a chain: each has the hash of the one before. */
export interface AuditLine extends Omit<AuditEntry, 'act'> {
  /** From 1, without a gap. */
  readonly n: number;
  /** Milliseconds since 1970, UTC. */
  readonly at: number;
  /** An `AuditAct`, or one of a newer program. */
  readonly act: string;
  readonly detail: JsonObject;
  /** The hash of the line before; of the first one `NO_LINE`. */
  readonly prev: string;
  readonly hash: string;
}

export interface AuditQuery {
  readonly run?: string;
  readonly who?: string;
  /** Milliseconds since 1970: lines of that time or later. */
  readonly since?: number;
}

/**
 * What was done in the ledger and by whom. Lines are only ever added, one after the other: the database refuses to change
 * or remove one, and one that doesn't follow the last.
 */
export interface AuditStore {
  /** Durable when it resolves. Several processes may add at once. */
  append(entry: AuditEntry): Promise<void>;
  /** Oldest first, in pages. */
  list(query?: AuditQuery): AsyncIterable<readonly AuditLine[]>;
  /** Newest first, at most `limit`. @param query.before only lines with a smaller `n` */
  page(
    query: AuditQuery & { readonly before?: number; readonly limit: number },
  ): Promise<readonly AuditLine[]>;
  /** Where the chain ends as the database has noted it: a line that was cut off at the end is missed by this. */
  head(): Promise<{ readonly n: number; readonly hash: string } | undefined>;
}
