import path from 'node:path';

/** The folder of a ledger file: inputs, locks and notes are kept in it too. */
export function stateFolderOf(ledger: string): string {
  return path.dirname(ledger);
}
