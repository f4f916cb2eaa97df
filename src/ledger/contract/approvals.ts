import type { ApprovalPolicy } from '../../model/connection.js';
import type { JsonObject } from '../../model/json.js';

/** The approval policy of a host, from settings under which something was planned for it. */
export interface HostPolicy {
  /** As returned by `policyHost`. */
  readonly host: string;
  readonly policy: ApprovalPolicy;
  /** The user whose settings introduced it. */
  readonly by: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** A user who acted on a plan: `os:wang@desk-7`, or a user's name and OIDC subject. */
export interface Signer {
  readonly who: string;
  readonly subject?: string | undefined;
}

/** A user who created a part of a plan and therefore may not approve it. */
export interface PlanMaker extends Signer {
  readonly did: 'planned' | 'uploaded' | 'imported' | 'corrected' | 'changed_job';
  /** The user and machine of the process that planned it. */
  readonly user?: string | undefined;
}

/** An approval, rejection or request to be recorded. */
export type NewApproval = Pick<ApprovalLine, 'planHash' | 'by' | 'comment'> &
  (
    | { readonly act: 'request' | 'reject' }
    /** `maxAgeMs`: from now, by the ledger's clock. */
    | { readonly act: 'approve'; readonly maxAgeMs: number }
  );

/** An approval, rejection or request. The last one applies. */
export interface ApprovalLine {
  /** From 1, in order. */
  readonly n: number;
  readonly act: 'request' | 'approve' | 'reject';
  /** The hash of the plan at that time. */
  readonly planHash: string;
  readonly by: Signer;
  readonly comment?: string | undefined;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Of an approval: when it expires. */
  readonly expiresAt?: number;
}

/** The application of a plan. A plan can be applied only once. */
export interface PlanApplication {
  readonly planHash: string;
  readonly by: Signer;
  readonly at: number;
}

/** An item of a later step, as shown by a plan. */
export interface AnnouncedItem {
  /** Its first source row, and its position among the items of that row, from 1. */
  readonly firstRow: number;
  readonly n: number;
  /** As written by `approval/announced.ts`. */
  readonly shape: string;
}

export interface NewApplication extends Omit<PlanApplication, 'at'> {
  /** New settings of the run and its steps, by run id. */
  readonly settings?: ReadonlyMap<string, JsonObject> | undefined;
}

/**
 * Approvals and applications of kept plans. The database itself refuses (each a `ProductError` of kind safety):
 * - an approver who created a part of the plan, or who was added or given a token within the last 7 days by a user who did,
 *   and was not confirmed since;
 * - a hash other than the plan's;
 * - an approval that was not requested;
 * - a second apply, or one without a valid approval;
 * - a change of a sealed plan.
 */
export interface ApprovalStore {
  /**
   * Makes a run and its steps a kept plan with this hash. From then on the database refuses every change of it.
   * @param needsApproval it may only be sent with an approval of that hash
   * @param makers kept with it; none of them may approve it
   * @param isStarted part of it was sent: it stays a run, stopped, and may be applied again once this hash is approved
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
   * Records an approval, rejection or request, with its audit entry.
   * @throws ProductError safety when the database refuses it
   */
  add(run: string, approval: NewApproval): Promise<ApprovalLine>;
  makers(run: string): Promise<readonly PlanMaker[]>;
  /** Oldest first. */
  list(run: string): Promise<readonly ApprovalLine[]>;
  /**
   * Makes a kept plan and its steps the run that sends it, with its audit entry. The settings of its sending are written in
   * the same transaction: a process that dies right after must not leave a run that sends everything at once.
   * @throws ProductError safety when it was applied before, or requires an approval that is missing
   */
  apply(run: string, application: NewApplication): Promise<void>;
  /** Keeps a plan's view of a step's items before the step is planned again. Items that are kept already don't change. */
  announce(run: string, items: readonly AnnouncedItem[]): Promise<void>;
  /** The announced items of the rows `from` to `to`. */
  announced(run: string, from: number, to: number): Promise<readonly AnnouncedItem[]>;
  /** The application of the current plan hash; undefined until it is applied. */
  application(run: string): Promise<PlanApplication | undefined>;
  /** Policies of hosts that were not lifted, oldest first. */
  policies(): Promise<readonly HostPolicy[]>;
  /** Adds the policies that are new, each with its audit entry. */
  keepPolicies(host: string, policies: readonly ApprovalPolicy[], by: string): Promise<void>;
  /**
   * Lifts all current policies of the host, with an audit entry. Policies kept later apply.
   * @returns false when the host had no policy
   * @throws ProductError safety when the ledger has an admin and `by` is a user of the ledger without that role
   */
  liftPolicies(host: string, by: string): Promise<boolean>;
}
