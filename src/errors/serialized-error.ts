import type { Message } from './message.js';
import { type ErrorKind, ProductError } from './product-error.js';

/** An error as data, to be sent from one thread to another. */
export interface SerializedError {
  readonly message: string;
  readonly stack?: string | undefined;
  readonly product?: {
    readonly kind: ErrorKind;
    readonly detail: Message;
    readonly others: readonly Message[];
  };
  readonly cause?: SerializedError;
}

export function serializeError(error: unknown): SerializedError {
  if (!(error instanceof Error)) return { message: String(error) };
  const { message, stack, cause } = error;
  const serialized = { message, stack, cause: cause === undefined ? undefined : serializeError(cause) };
  if (!(error instanceof ProductError)) return serialized;
  return { ...serialized, product: { kind: error.kind, detail: error.detail, others: error.others } };
}

/** The error again, as a `ProductError` if it was one. */
export function deserializeError({ message, stack, product, cause }: SerializedError): Error {
  const options = cause && { cause: deserializeError(cause) };
  const error = product
    ? new ProductError(product.kind, product.detail, { ...options, others: product.others })
    : new Error(message, options);
  if (stack !== undefined) error.stack = stack;
  return error;
}
