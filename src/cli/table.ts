import { cellsOf } from '../util/cells.js';

/** Lines of cells, padded into columns; the last column runs free. */
export function table(lines: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const line of lines) {
    line.forEach((cell, index) => {
      widths[index] = Math.max(widths[index] ?? 0, cellsOf(cell));
    });
  }
  const padded = (line: readonly string[]): string =>
    line
      .map((cell, index) =>
        index === line.length - 1 ? cell : cell + ' '.repeat((widths[index] ?? 0) - cellsOf(cell)),
      )
      .join('  ')
      .trimEnd();
  return `${lines.map(padded).join('\n')}\n`;
}
