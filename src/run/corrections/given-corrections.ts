import { message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import type { InputStore, KeptInput } from '../../ledger/contract/inputs.js';
import type { CorrectedBy, Correction, KeptCorrections } from '../../model/correction.js';
import type { Job, StepsJob } from '../../model/job.js';
import { openInput } from '../input/opened-input.js';
import { CorrectedCells, correctedTable } from './corrected-table.js';
import { readCorrections } from './corrections-file.js';
import { keepCorrections, Overlay } from './overlay.js';

/**
 * Corrections that a run is to be planned with: those of an import, a file whose columns the input's headers name, or those
 * of another run over the same input, which are kept already.
 */
export type GivenCorrections =
  | { readonly cells: readonly (Correction & CorrectedBy)[] }
  | { readonly file: string; readonly by: CorrectedBy }
  | { readonly kept: KeptCorrections };

/**
 * Keeps the corrections in the ledger, once they fit the input's headers.
 * @throws ProductError usage for corrections that don't fit
 */
export async function takeCorrections(
  inputs: InputStore,
  job: Job | StepsJob,
  input: KeptInput,
  given: GivenCorrections,
  env: NodeJS.ProcessEnv | undefined,
): Promise<KeptCorrections | undefined> {
  if ('kept' in given) return given.kept;
  const copy = await inputs.file(input);
  if (copy === undefined) throw new Error('the input that was just kept is gone');
  const opened = await openInput(job, copy, env);
  try {
    const cells = 'cells' in given ? given.cells : await readCorrections(given.file, opened.table, env);
    const overlay = Overlay.of(cells);
    correctedTable(opened.table, overlay, new CorrectedCells());
    const by = new Map<string, CorrectedBy>();
    if ('cells' in given)
      for (const { row, column, who, at } of given.cells) by.set(`${row} ${column}`, { who, at });
    return await keepCorrections(inputs, overlay, (row, column) =>
      'cells' in given ? by.get(`${row} ${column}`) : given.by,
    );
  } finally {
    await opened.source.close();
  }
}

/** @throws ProductError usage where each file of a folder would be a run of its own: whose cells were corrected? */
export function refuseCorrectedPattern({ source: { pattern, file } }: Pick<Job, 'source'>): void {
  if (pattern) throw new ProductError('usage', message('corrections.one_file', { pattern: file }));
}
