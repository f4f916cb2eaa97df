/** Who did something to a plan: `os:wang@desk-7`, or a person's name and the OIDC subject behind it. */
export interface Signer {
  readonly who: string;
  readonly subject?: string | undefined;
}

export type ApprovalAct = 'request' | 'approve' | 'reject';

/** What somebody said of a plan. The last word counts. */
export interface ApprovalLine {
  /** From 1, in order. */
  readonly n: number;
  readonly act: ApprovalAct;
  /** Of the plan that it was said of. */
  readonly planHash: string;
  readonly by: Signer;
  readonly comment?: string | undefined;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Of an approval: until when it may be used. */
  readonly expiresAt?: number | undefined;
}

/** That a plan was taken to be sent: once for ever. */
export interface PlanApplication {
  readonly planHash: string;
  readonly by: Signer;
  readonly at: number;
}

/**
 * What was said of kept plans, and which of them were applied. The database itself refuses what must not be: an approver who
 * made the plan, another hash than the plan's, an approval nobody asked for, a second apply, one without an approval that holds.
 * Each is a `ProductError` of kind safety.
 */
export interface ApprovalStore {
  /**
   * Keeps what was said, and its line of the audit with it.
   * @throws ProductError safety where the database refuses it
   */
  add(run: string, line: Omit<ApprovalLine, 'n'>): Promise<ApprovalLine>;
  /** Oldest first. */
  list(run: string): Promise<readonly ApprovalLine[]>;
  /**
   * Makes a kept plan the run that sends it, in one transaction with its line of the audit.
   * @throws ProductError safety where it was applied before, or wants an approval that isn't there
   */
  apply(run: string, application: PlanApplication): Promise<void>;
  /** undefined as long as nobody applied it. */
  application(run: string): Promise<PlanApplication | undefined>;
}
