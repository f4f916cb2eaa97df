import type { ErrorKind } from '../errors/product-error.js';

/** Exit codes (contract section 7). */
export const EXIT = {
  ok: 0,
  someRowsWrong: 1,
  usage: 2,
  input: 3,
  safety: 4,
  internal: 5,
  unknown: 6,
  interrupted: 130,
} as const;

/** Of a command that an error of that kind ended. */
export const EXIT_OF: Readonly<Record<ErrorKind, number>> = {
  usage: EXIT.usage,
  input: EXIT.input,
  safety: EXIT.safety,
  internal: EXIT.internal,
};
