import { type Language, type Message, render } from '../errors/message.js';
import { DRIFT_STATUSES } from '../model/comparison.js';
import type { RunCounts } from '../model/run-outcome.js';
import { STATUSES } from '../model/status.js';
import { terminalWidth } from '../util/text-width.js';

/** Characters with which foreign text could control a terminal or change its reading order. */
const STEERING = /[\p{Cc}\p{Cs}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Makes a path safe for one line of a terminal: file names may contain anything. */
export function shownPath(path: string): string {
  return path.replace(STEERING, '\ufffd');
}

/** The same for text of several lines. */
export function shownText(text: string): string {
  return text.replace(STEERING, (it) => (it === '\n' || it === '\t' ? it : '\ufffd'));
}

/** Lines of cells, padded into columns except the last one. */
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

/** `succeeded 12, rejected 1`, in the order of the statuses; empty if there are none. */
export function countsText(counts: RunCounts): string {
  const words = new Set([...STATUSES, ...DRIFT_STATUSES]);
  const parts = [...words].filter((it) => counts[it]).map((it) => `${it} ${counts[it]}`);
  return parts.join(', ');
}

export function printMessage(it: Message, language: Language): void {
  process.stdout.write(`${shownText(render(it, language))}\n`);
}

/** Prints a message that is not the command's result to stderr. */
export function printNote(it: Message, language: Language): void {
  process.stderr.write(`${shownText(render(it, language))}\n`);
}

/** Prints an object of `--json` to stdout. */
export function printJson(value: unknown, indent?: number): void {
  process.stdout.write(`${JSON.stringify(value, undefined, indent)}\n`);
}

export interface JsonFlag {
  readonly json?: boolean;
}

/** Prints a command's result: the object with `--json`, otherwise the text. */
export function printResult(
  { json }: JsonFlag,
  data: unknown,
  text: Message,
  language: Language,
  indent?: number,
): void {
  if (json) printJson(data, indent);
  else printMessage(text, language);
}
