import { resolve } from 'node:path';

const POSTGRES = /^postgres(?:ql)?:\/\//;

/** Whether a text can name a ledger: a path, or a postgres:// URL. */
export function isLedger(it: string): boolean {
  return POSTGRES.test(it) || !/^[a-z][a-z0-9+.-]*:\/\//i.test(it);
}

/** A path is taken from the folder. */
export function absoluteLedger(it: string, folder: string): string {
  return POSTGRES.test(it) ? it : resolve(folder, it);
}
