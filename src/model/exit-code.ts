/** Exit codes (contract section 7). An error that ends a command has its own (`ProductError.exitCode`). */
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
