const UNITS = [
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
] as const;

/** A duration in the form that a job file takes: `15m`, `90s`, `1500ms`. */
export function durationText(ms: number): string {
  const fit = UNITS.find(([, length]) => ms > 0 && ms % length === 0);
  return fit ? `${ms / fit[1]}${fit[0]}` : `${ms}ms`;
}
