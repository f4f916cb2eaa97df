import type { Message } from '../../errors/message.js';

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
