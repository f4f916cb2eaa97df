import type { Message } from '../../errors/message.js';

/** What the platform's answer proves about an item whose outcome was unknown. */
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
      /** Why there was no answer, where that is the reason. */
      readonly detail?: Message | string;
      /** The platform answered, and the reason is what it showed. */
      readonly seen?: true;
    };

/** The item stays unknown: what the platform showed proves nothing. */
export function leftUnknown(reason: Message): Verification {
  return { kind: 'left', reason, seen: true };
}
