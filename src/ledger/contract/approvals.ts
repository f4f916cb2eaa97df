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
