import type { ApprovalPolicy } from '../../model/connection.js';
import type { JsonObject } from '../../model/json.js';

/** What is wanted of whatever is sent to a host, by settings under which something was planned for it. */
export interface HostPolicy {
  /** As `policyHost` tells it. */
  readonly host: string;
  readonly policy: ApprovalPolicy;
  /** Whose settings said so first. */
  readonly by: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** Who did something to a plan: `os:wang@desk-7`, or a person's name and the OIDC subject behind it. */
export interface Signer {
  readonly who: string;
  readonly subject?: string | undefined;
}

/** Somebody who made a part of a plan, and therefore may not approve it. */
export interface PlanMaker extends Signer {
  readonly did: 'planned' | 'uploaded' | 'imported' | 'corrected' | 'changed_job';
  /** The user and machine of the process that planned it. */
  readonly user?: string | undefined;
}

/** What somebody says of a plan. */
export type NewApproval = Pick<ApprovalLine, 'planHash' | 'by' | 'comment'> &
  (
    | { readonly act: 'request' | 'reject' }
    /** From now, by the ledger's clock. */
    | { readonly act: 'approve'; readonly maxAgeMs: number }
  );

/** What was said of a plan. The last word counts. */
export interface ApprovalLine {
  /** From 1, in order. */
  readonly n: number;
  readonly act: 'request' | 'approve' | 'reject';
  /** Of the plan that it was said of. */
  readonly planHash: string;
  readonly by: Signer;
  readonly comment?: string | undefined;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Of an approval: from when on it doesn't hold any more. */
  readonly expiresAt?: number;
}

/** That a plan was taken to be sent: once for ever. */
export interface PlanApplication {
  readonly planHash: string;
  readonly by: Signer;
  readonly at: number;
}

export interface NewApplication extends Omit<PlanApplication, 'at'> {
  /** Settings that it, or one of its steps, has from now on. */
  readonly settings?: ReadonlyMap<string, JsonObject> | undefined;
}

/**
 * What was said of kept plans, and which of them were applied. The database itself refuses what must not be: an approver who
 * made a part of the plan, or who was added or given a token by one who did within the last 7 days and was not confirmed since, another hash than the plan's, an approval that nobody asked for, a second apply, one without an approval that
 * holds, a change of a sealed plan. Each is a `ProductError` of kind safety.
 */
export interface ApprovalStore {
  /**
   * Makes a run, with its steps, a kept plan of this hash. From then on the database refuses every change of it.
   * @param needsApproval it may only be sent with an approval of that hash
   * @param makers kept with it; none of them may approve it
   * @param isStarted something of it was sent: it stays a run, stopped, and may be applied once it is approved
   */
  seal(
    run: string,
    sealed: {
      readonly planHash: string;
      readonly needsApproval: boolean;
      readonly isStarted?: true;
      readonly makers?: readonly PlanMaker[];
    },
  ): Promise<void>;
  /**
   * Keeps what is said, with its line of the audit.
   * @throws ProductError safety where the database refuses it
   */
  add(run: string, said: NewApproval): Promise<ApprovalLine>;
  makers(run: string): Promise<readonly PlanMaker[]>;
  /** Oldest first. */
  list(run: string): Promise<readonly ApprovalLine[]>;
  /**
   * Makes a kept plan, with its steps, the run that sends it; with its line of the audit, and with what was said of its
   * sending: a process that dies right after it must not leave a run that sends all at once.
   * @throws ProductError safety where it was applied before, or wants an approval that isn't there
   */
  apply(run: string, application: NewApplication): Promise<void>;
  /** undefined as long as nobody applied it. */
  application(run: string): Promise<PlanApplication | undefined>;
  /** What hosts want, oldest first: all that was kept of them and wasn't lifted since. */
  policies(): Promise<readonly HostPolicy[]>;
  /** Keeps those that aren't kept yet, each with its line of the audit. */
  keepPolicies(host: string, policies: readonly ApprovalPolicy[], by: string): Promise<void>;
  /**
   * From now on nothing is wanted of what is sent to the host, until something is kept again; with its line of the audit.
   * @returns false where nothing was wanted
   * @throws ProductError safety where the database knows an admin and it is somebody else
   */
  liftPolicies(host: string, by: string): Promise<boolean>;
}
