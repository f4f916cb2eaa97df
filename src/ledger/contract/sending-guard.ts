import type { Message } from '../../errors/message.js';
import type { Intent } from './execution.js';

/** The name of a connection, and its platform. */
export interface OnPlatform {
  readonly connection: string;
  readonly scope: string;
}

/** The user for whom a process begins to send, and the platform. */
export interface Sender {
  /** Names the user's state directory. */
  readonly env: NodeJS.ProcessEnv;
  /** Nothing is remembered of what is sent to a sandbox. */
  readonly sandbox: boolean;
  /** The scope of the platform, and the connection to it; absent for a sandbox and for this machine. */
  readonly to?: OnPlatform | undefined;
}

/** Whether a ledger still has all records that this user has seen in it. */
export type RestoreState =
  | { readonly kind: 'holds' }
  /** This user has sent nothing with it yet. `sent`: others have, not only to the sandbox. */
  | { readonly kind: 'no_marks'; readonly sent: boolean }
  /** It was restored or replaced, or records were lost otherwise. */
  | { readonly kind: 'lost'; readonly what: Message }
  /** It was closed when it was copied. */
  | { readonly kind: 'closed'; readonly what: Message };

/** Stops sending from a ledger that lost records: it was restored from an older copy, or replaced. */
export interface SendingGuard {
  /**
   * Called before a process begins to send. From then on the attempts that it commits are remembered for this user. The
   * platform is not remembered before `sendsTo`, because a user may have to confirm that the ledger is new to it.
   * @returns why nothing may be sent
   * @throws ProductError internal when the ledger's file was removed or replaced since it was opened
   */
  beginSending(sender: Sender): Promise<Message | undefined>;
  /** The location of another ledger with which this user has sent to the platform, if this ledger is new to it. */
  otherLedger(sender: Sender): Promise<string | undefined>;
  /** Remembers for this user that the ledger is used for the platform. Called after `beginSending`. */
  sendsTo(to: OnPlatform): void;
  /** Reads only. */
  state(env: NodeJS.ProcessEnv): Promise<RestoreState>;
  /**
   * Accepts that records were lost, for all hosts.
   * @param who for the audit
   * @returns what was accepted; undefined when nothing was lost
   */
  accept(env: NodeJS.ProcessEnv, who: string): Promise<Message | undefined>;
  /** The location that this ledger was copied to, if it was closed for that copy; undefined while it is open. */
  closedTo(): Promise<string | undefined>;
  /** Closes the ledger for writing, or reopens it (`to` undefined). */
  close(to: string | undefined): Promise<void>;
  /** Remembers a committed attempt. */
  committed(intent: Pick<Intent, 'run' | 'batch' | 'attempt' | 'nonce'>): void;
  /** Why the marks could not be written; reported once. */
  takeWarning(): Message | undefined;
}
