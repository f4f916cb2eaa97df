import type { Message } from './message.js';
import { type ErrorKind, ProductError } from './product-error.js';

/** An error on its way from one thread to another, as data. */
export interface CarriedError {
  readonly message: string;
  readonly stack?: string | undefined;
  readonly product?: {
    readonly kind: ErrorKind;
    readonly detail: Message;
    readonly others: readonly Message[];
  };
  readonly cause?: CarriedError;
}

export function carried(error: unknown): CarriedError {
  if (!(error instanceof Error)) return { message: String(error) };
  const { message, stack, cause } = error;
  return {
    message,
    stack,
    ...(error instanceof ProductError
      ? { product: { kind: error.kind, detail: error.detail, others: error.others } }
      : {}),
    ...(cause === undefined ? {} : { cause: carried(cause) }),
  };
}

/** The same error again, a `ProductError` where it was one. */
export function arrived({ message, stack, product, cause }: CarriedError): Error {
  const options = cause === undefined ? {} : { cause: arrived(cause) };
  const error = product
    ? new ProductError(product.kind, product.detail, { ...options, others: product.others })
    : new Error(message, options);
  if (stack !== undefined) error.stack = stack;
  return error;
}
