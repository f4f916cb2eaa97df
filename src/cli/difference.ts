import { type Language, type Message, message, render } from '../errors/message.js';
import type { DifferenceLine } from '../run/report/difference.js';
import type { RunEnd } from '../run/run-end.js';
import { shownText } from './shown-text.js';

/** Terminal colours by kind of change. */
const COLOURS: Readonly<Partial<Record<string, number>>> = {
  new: 32,
  changed: 33,
  revoked: 31,
  extra: 31,
  missing: 32,
  different: 33,
};
const FAINT = 2;
/** Number of rows shown for each status. */
const ROWS_SHOWN = 10;

/** Prints what a plan would change, below its summary. */
export async function printDifferences(
  differences: AsyncIterable<DifferenceLine>,
  language: Language,
): Promise<void> {
  for await (const { kind, depth, text } of differences) print(kind, depth, text, language);
}

type Drift = NonNullable<RunEnd['drift']>;

/** Prints the differences that a comparison found, by status. */
export function printDrift(drift: Drift | undefined, all: boolean, language: Language): void {
  const statuses = new Set([...(drift?.rows ?? []), ...(drift?.left ?? [])].map((it) => it.status));
  for (const status of statuses) {
    const rows = drift?.rows.filter((it) => it.status === status) ?? [];
    const beyond = drift?.left.find((it) => it.status === status)?.rows ?? 0;
    print(status, 0, message('difference.drift', { count: rows.length + beyond, status }), language);
    const shown = all ? rows : rows.slice(0, ROWS_SHOWN);
    for (const { row, message: text } of shown) {
      print(
        status,
        1,
        row === undefined
          ? message('difference.extra_row', { text })
          : message('difference.row', { row, text }),
        language,
      );
    }
    const left = rows.length - shown.length;
    if (left > 0) print(status, 1, message('difference.more', { count: left + beyond }), language);
    else if (beyond > 0) print(status, 1, message('difference.more_kept', { count: beyond }), language);
  }
}

function print(kind: DifferenceLine['kind'] | string, depth: 0 | 1, text: Message, language: Language): void {
  const line = `${depth === 0 ? '  ' : '      '}${shownText(render(text, language))}`;
  const colour = COLOURS[kind] ?? FAINT;
  process.stdout.write(process.stdout.isTTY ? `\u001b[${colour}m${line}\u001b[0m\n` : `${line}\n`);
}
