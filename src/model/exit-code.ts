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

/** From worst to best: who reads one number must first learn of faults, then of doubts, then of what waits. */
const BY_SEVERITY: readonly number[] = [
  EXIT.internal,
  EXIT.unknown,
  EXIT.interrupted,
  EXIT.safety,
  EXIT.usage,
  EXIT.input,
  EXIT.someRowsWrong,
  EXIT.ok,
];

/** The exit code of several runs; 0 of none. */
export function worstExitCode(codes: Iterable<number>): number {
  const there = new Set(codes);
  return BY_SEVERITY.find((it) => there.has(it)) ?? EXIT.ok;
}
