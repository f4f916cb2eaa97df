import type { Message } from '../../errors/message.js';

/** What asking the platform told about an item that was unknown. */
export type Verification =
  | {
      readonly kind: 'settled';
      readonly evidence: Message;
      /** Values for the operation's result columns. */
      readonly columns?: Readonly<Record<string, string>>;
    }
  | {
      readonly kind: 'left';
      readonly reason: Message;
      /** What became of the question, where that is the reason. */
      readonly detail?: Message | string;
      /** The platform answered: the reason is what was seen there. */
      readonly seen?: true;
    };

/** What was seen, where it proves nothing. */
export function leftUnknown(reason: Message): Verification {
  return { kind: 'left', reason, seen: true };
}

/** A point in time as messages show it. */
export function stamp(time: number): string {
  return new Date(time).toISOString().replace(/\.\d+Z$/, 'Z');
}
