import { type Message, render } from './message.js';

/**
 * The kind of an error that stopped a command; determines the exit code (contract section 7).
 * - usage: an error in the command line, the job file or a connection (2)
 * - input: an error in the spreadsheet (3)
 * - safety: a safety limit or a declined confirmation (4)
 * - internal: an error of the program or its ledger (5)
 */
export type ErrorKind = 'usage' | 'input' | 'safety' | 'internal';

const EXIT_OF: Readonly<Record<ErrorKind, number>> = { usage: 2, input: 3, safety: 4, internal: 5 };

/** Stops a run. Problems of single rows are data (`Fault`), never thrown. */
export class ProductError extends Error {
  override readonly name = 'LicenseSyncError';
  readonly kind: ErrorKind;
  readonly detail: Message;
  /** Further problems that were found together with this one. */
  readonly others: readonly Message[];

  constructor(
    kind: ErrorKind,
    detail: Message,
    options: { cause?: unknown; others?: readonly Message[] } = {},
  ) {
    super(render(detail), options.cause === undefined ? undefined : { cause: options.cause });
    this.kind = kind;
    this.detail = detail;
    this.others = options.others ?? [];
  }

  /** The stable code of the error: `run.max_items`. */
  get code(): string {
    return this.detail.code;
  }

  /** The exit code of a command that this error ends. */
  get exitCode(): number {
    return EXIT_OF[this.kind];
  }
}

/** An error as data, for sending it to another thread. */
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

/** Restores a serialized error, as a `ProductError` if it was one. */
export function deserializeError({ message, stack, product, cause }: SerializedError): Error {
  const options = cause && { cause: deserializeError(cause) };
  const error = product
    ? new ProductError(product.kind, product.detail, { ...options, others: product.others })
    : new Error(message, options);
  if (stack !== undefined) error.stack = stack;
  return error;
}
