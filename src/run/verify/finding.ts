import type { Message } from '../../errors/message.js';

/** What asking the platform told about an item that was unknown. */
export type Finding =
  | {
      readonly kind: 'settled';
      readonly status: 'succeeded' | 'failed';
      readonly evidence: Message;
      /** Values for the operation's result columns. */
      readonly columns?: Readonly<Record<string, string>>;
    }
  | {
      readonly kind: 'left';
      readonly reason: Message;
      /** What became of the question, where that is the reason. */
      readonly detail?: Message | string;
    };

/** Times by which a finding is reached; milliseconds since 1970. */
export interface Timing {
  readonly firstAttemptAt: number;
  readonly lastAttemptAt: number;
  readonly now: number;
}

/** So old must the last attempt be before its absence on the platform proves anything. */
export const SETTLED_MINUTES = 10;

export function isRecent({ lastAttemptAt, now }: Timing): boolean {
  return now - lastAttemptAt < SETTLED_MINUTES * 60_000;
}

/** A point in time as messages show it. */
export function stamp(time: number): string {
  return new Date(time).toISOString().replace(/\.\d+Z$/, 'Z');
}
