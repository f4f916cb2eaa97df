import type { Message } from '../errors/message.js';

/** Where the platform can be asked what became of an item whose outcome is unknown, or why it can't be asked. */
export type VerifyQuestion =
  | AssetQuestion
  | CustomerQuestion
  | { readonly kind: 'none'; readonly reason: Message };

export interface AssetQuestion {
  readonly kind: 'assets';
  readonly enterpriseGlobalId: string;
  /** Distinct. */
  readonly numbers: readonly string[];
  /** The order revokes them, where others create them. */
  readonly revokes: boolean;
}

export interface CustomerQuestion {
  readonly kind: 'customer';
  readonly channelCode: string;
  readonly channelCustomerId: string;
  /** The main account that it was to be bound to. */
  readonly enterpriseName: string;
}
