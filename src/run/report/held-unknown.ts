import type { RowResult } from '../../ledger/contract/report.js';

const CODES: ReadonlySet<string> = new Set(['run.held_unknown', 'ledger.held_unknown']);

type Said = RowResult['messages'][number];

/** It says that an earlier run left the item unknown, which holds it back. */
export function saysHeldUnknown({ text }: Said): boolean {
  return typeof text !== 'string' && CODES.has(text.code);
}

export function isHeldUnknown({ messages }: RowResult): boolean {
  return messages.some(saysHeldUnknown);
}

/** The unknown row of another run that a skipped one waits for, by its message. */
export function holdingRow({
  messages,
}: RowResult): { readonly run: string; readonly row: number } | undefined {
  for (const said of messages) {
    if (typeof said.text === 'string' || !saysHeldUnknown(said)) continue;
    const { run, row } = said.text.params;
    if (run !== undefined && row !== undefined) return { run: String(run), row: Number(row) };
  }
  return undefined;
}
