import { type Message, message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import type { Ledger } from '../../ledger/contract/ledger.js';
import type { Run } from '../../ledger/contract/run.js';
import { cellAddress } from '../../util/address.js';
import { rowsAsRead } from '../input/input-reading.js';
import { type OpenedInput, openKeptInput } from '../input/opened-input.js';
import type { RunSettings, StepsSettings } from '../settings.js';
import { type ToldCorrection, ToldCorrections } from './corrected-cells.js';

/** A row of a run as its sheet has it. */
export type SourceRow =
  | {
      readonly kind: 'cells';
      readonly sheet: string;
      /** As the run read them. */
      readonly cells: readonly SourceCell[];
      /** Those of them that people corrected. */
      readonly corrected: readonly ToldCorrection[];
    }
  /** The copy is missing or was altered. */
  | { readonly kind: 'gone'; readonly reason: Message };

export interface SourceCell {
  readonly header: string;
  readonly address: string;
  /** As the sheet shows it; '' when empty. */
  readonly text: string;
}

/** Reads a row again, from the kept copy of the input; `gone` where that can't be opened, as when its password is missing. */
export async function sourceRow(
  { inputs }: Ledger,
  run: Run,
  settings: RunSettings | StepsSettings,
  wanted: number,
  env: NodeJS.ProcessEnv | undefined,
): Promise<SourceRow> {
  let input: OpenedInput;
  try {
    input = await openKeptInput(inputs, run, settings, env);
  } catch (error) {
    if (!(error instanceof ProductError)) throw error;
    return { kind: 'gone', reason: error.detail };
  }
  const { source, table } = input;
  const told = await ToldCorrections.of(inputs, settings, input);
  try {
    const { main } = await rowsAsRead(settings.job, settings.connection, input);
    for await (const rows of main()) {
      for (const row of rows) {
        if (row.number !== wanted) continue;
        const cells = table.headers.map(({ column, text }) => {
          const cell = row.cell(column);
          return { header: text, address: cell ? cellAddress(column, wanted) : '', text: cell?.text ?? '' };
        });
        return { kind: 'cells', sheet: table.sheet.name, cells, corrected: told.of(wanted) };
      }
    }
  } finally {
    await source.close();
  }
  const params = { row: wanted, file: run.inputFile };
  return { kind: 'gone', reason: message('run.row_unaccounted', params) };
}
