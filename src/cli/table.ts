import { DRIFT_STATUSES } from '../model/drift.js';
import type { RunCounts } from '../model/run-outcome.js';
import { STATUSES } from '../model/status.js';
import { terminalWidth } from '../util/text-width.js';

/** Lines of cells, padded into columns; the last column runs free. */
export function table(lines: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const line of lines) {
    line.forEach((cell, index) => {
      widths[index] = Math.max(widths[index] ?? 0, terminalWidth(cell));
    });
  }
  const padded = (line: readonly string[]): string =>
    line
      .map((cell, index) =>
        index === line.length - 1 ? cell : cell + ' '.repeat((widths[index] ?? 0) - terminalWidth(cell)),
      )
      .join('  ')
      .trimEnd();
  return `${lines.map(padded).join('\n')}\n`;
}

/** `succeeded 12, rejected 1`, in the order of the statuses; the empty text where there are none. */
export function countsText(counts: RunCounts): string {
  const words = new Set([...STATUSES, ...DRIFT_STATUSES]);
  const told = [...words].filter((it) => counts[it]).map((it) => `${it} ${counts[it]}`);
  return told.join(', ');
}
