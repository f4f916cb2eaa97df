import path from 'node:path';
import type { Ledger } from '../ledger/contract/ledger.js';
import type { CorrectedBy, Correction } from '../model/correction.js';
import { identify } from '../people/identity.js';
import type { GivenCorrections } from '../run/corrections/given-corrections.js';
import { systemClock } from '../util/clock.js';
import type { AppContext } from './context.js';

/** Cells of the input that are read otherwise than the file has them. */
export interface CorrectionsInput {
  /** A .csv with the columns `row`, `column` and `value`; or the cells, each with who corrected it and when. */
  readonly corrections?: string | readonly (Correction & CorrectedBy)[];
}

/** What is given for a run that is about to begin: what a file corrects was corrected by whoever gives it, now. */
export async function givenCorrections(
  context: Pick<AppContext, 'as' | 'cwd'>,
  { corrections }: CorrectionsInput,
  ledger: Ledger,
): Promise<GivenCorrections | undefined> {
  if (corrections === undefined) return undefined;
  if (typeof corrections !== 'string') return corrections.length > 0 ? { cells: corrections } : undefined;
  const at = systemClock.now();
  const { who } = await identify(ledger, context.as ?? { kind: 'local' }, at);
  return { file: path.resolve(context.cwd, corrections), by: { who, at } };
}
