import path from 'node:path';
import { type Message, message } from '../errors/message.js';
import type { LedgerChoice } from '../util/ledger-place.js';
import { shellWord } from '../util/shell-word.js';

/** The place of the ledger that is used; it need not exist. */
export interface LocatedLedger {
  readonly place: string;
  /** It is not where ledgers are looked for. */
  readonly warning?: Message;
}

/** Decides between the place where ledgers are looked for and a ledger that 0.1 left in the current folder. */
export async function locateLedger({ place, former }: LedgerChoice): Promise<LocatedLedger> {
  if (former === undefined || !(await isOf01(former))) return { place };
  const [folder, target] = [former, place].map((it) => shellWord(path.dirname(it)));
  return {
    place: former,
    warning: message('ledger.in_current_folder', { location: former, folder: folder!, target: target! }),
  };
}

/** Whether a ledger contains runs as only 0.1 kept them. One that cannot be read counts: opening it reports why. */
async function isOf01(file: string): Promise<boolean> {
  const { keepsJobsOfOtherFolders } = await import('./sqlite/connect.js');
  try {
    return keepsJobsOfOtherFolders(file);
  } catch {
    return true;
  }
}
