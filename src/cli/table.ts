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
