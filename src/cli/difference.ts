import type { CarriedRun } from '../app/context.js';
import { differences } from '../app/difference.js';
import { type Language, type Message, message, render } from '../errors/message.js';
import type { DifferenceLine } from '../run/report/difference.js';
import { shownText } from './shown-path.js';

/** Colours of a terminal, by what becomes of things; elsewhere the same lines are plain. */
const COLOURS: Readonly<Partial<Record<string, number>>> = {
  new: 32,
  changed: 33,
  revoked: 31,
  extra: 31,
  missing: 32,
  different: 33,
};
const FAINT = 2;
/** Rows of each kind that a comparison tells. */
const TOLD = 10;

/** Prints what would be changed, below what is told of the run itself. */
export async function printDifferences(
  carried: CarriedRun,
  { all = false, language }: { readonly all?: boolean | undefined; readonly language: Language },
): Promise<void> {
  for await (const { kind, depth, text } of differences(carried, all)) {
    print(kind, depth, text, language);
  }
  if (carried.kind === 'run') printDrift(carried.end.drift, all, language);
}

type Drift = NonNullable<Extract<CarriedRun, { kind: 'run' }>['end']['drift']>;

/** What a comparison found, by status. */
function printDrift(drift: Drift | undefined, all: boolean, language: Language): void {
  const statuses = new Set([...(drift?.rows ?? []), ...(drift?.left ?? [])].map((it) => it.status));
  for (const status of statuses) {
    const rows = drift?.rows.filter((it) => it.status === status) ?? [];
    const beyond = drift?.left.find((it) => it.status === status)?.rows ?? 0;
    print(status, 0, message('difference.drift', { count: rows.length + beyond, status }), language);
    const told = all ? rows : rows.slice(0, TOLD);
    for (const { row, message: text } of told) {
      print(
        status,
        1,
        row === undefined
          ? message('difference.extra_row', { text })
          : message('difference.row', { row, text }),
        language,
      );
    }
    const left = rows.length - told.length;
    if (left > 0) print(status, 1, message('difference.more', { count: left + beyond }), language);
    else if (beyond > 0) print(status, 1, message('difference.more_kept', { count: beyond }), language);
  }
}

function print(kind: DifferenceLine['kind'] | string, depth: 0 | 1, text: Message, language: Language): void {
  const line = `${depth === 0 ? '  ' : '      '}${shownText(render(text, language))}`;
  const colour = COLOURS[kind] ?? FAINT;
  process.stdout.write(process.stdout.isTTY ? `\u001b[${colour}m${line}\u001b[0m\n` : `${line}\n`);
}
