import { message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import type { InputStore } from '../../ledger/contract/inputs.js';
import type { Run } from '../../ledger/contract/runs.js';
import { checkedInputOf, releaseInput } from '../../ledger/inputs.js';
import { compileMapping } from '../../mapping/compile.js';
import type { Mapping } from '../../mapping/mapping.js';
import type { Connection } from '../../model/connection.js';
import type { Job, StepsJob } from '../../model/job.js';
import type { MapBranch } from '../../model/map.js';
import type { Operation } from '../../model/operation.js';
import type { Header } from '../../model/row.js';
import { operationNamed, RESULT_NAMES, STEP_RESULTS } from '../../platform/operations/catalogue.js';
import { withHeaderHint } from '../../source/header-row.js';
import { openSource } from '../../source/open-source.js';
import { displayedFile, type FileSource, withOriginalName } from '../../source/source.js';
import { openJoined, openTable, type Table } from '../../source/table.js';
import { CorrectedCells, correctedTable } from '../corrections/corrected-table.js';
import { keptOverlay, Overlay } from '../corrections/overlay.js';
import type { RunSettings, StepsSettings } from '../settings.js';

/** The job's sheet and the sheets it joins, opened from the stored copy of the input. */
export interface OpenedInput {
  readonly source: FileSource;
  readonly table: Table;
  /** By the map's name for the sheet. */
  readonly joined: ReadonlyMap<string, Table>;
  /** Cells of the job's sheet that are read as corrected. */
  readonly corrected: CorrectedCells;
}

/**
 * @param overlay the corrections that the run was planned with
 * @param env where the variable of `source.password` is looked up; default: the process's environment
 * @throws ProductError input, naming the user's file (not the copy), if the file or its sheets have an error
 */
export async function openInput(
  job: Job | StepsJob,
  copy: string,
  env: NodeJS.ProcessEnv | undefined,
  overlay: Overlay = Overlay.NONE,
): Promise<OpenedInput> {
  return withOriginalName(copy, displayedFile(job.source.file), async () => {
    const source = await openSource(copy, {
      encoding: job.source.encoding,
      delimiter: job.source.delimiter,
      headerRow: job.source.headerRow,
      password: job.source.password,
      env,
    });
    try {
      const table = await openTable(source, {
        sheet: job.source.sheet,
        headerRow: job.source.headerRow,
        resultColumns: RESULT_NAMES,
        stepResults: STEP_RESULTS,
      });
      const joined = new Map<string, Table>();
      for (const name of joinedSheets('steps' in job ? job.steps : [job]))
        joined.set(name, await openJoined(source, table, name));
      const corrected = new CorrectedCells();
      if (overlay.size === 0) return { source, table, joined, corrected };
      return { source, table: correctedTable(table, overlay, corrected), joined, corrected };
    } catch (error) {
      await source.close();
      throw error;
    }
  });
}

/** The settings that decide how a run's rows are read. */
export type ReadBy = Pick<RunSettings | StepsSettings, 'job' | 'corrections'>;

/**
 * The input of a run as it was planned: the stored copy, with its digest verified, and the run's corrections.
 * @throws ProductError as `openInput`; internal if a stored file is missing or was altered
 */
export async function openKeptInput(
  inputs: InputStore,
  run: Pick<Run, 'id' | 'inputFile' | 'inputSha256'>,
  settings: ReadBy,
  env: NodeJS.ProcessEnv | undefined,
): Promise<OpenedInput> {
  const copy = await checkedInputOf(inputs, run);
  try {
    const input = await openInput(settings.job, copy, env, await overlayOf(inputs, settings));
    const close = input.source.close.bind(input.source);
    input.source.close = async () => {
      input.source.close = close;
      await close();
      await releaseInput(inputs, run);
    };
    return input;
  } catch (error) {
    await releaseInput(inputs, run);
    throw error;
  }
}

/** The corrections that a run was planned with. */
export async function overlayOf(
  inputs: InputStore,
  { corrections }: Pick<ReadBy, 'corrections'>,
): Promise<Overlay> {
  return corrections ? keptOverlay(inputs, corrections) : Overlay.NONE;
}

/** Binds the job's map to the headers of the input. */
export async function bindMapping(
  job: Job,
  operation: Operation,
  connection: Connection,
  input: OpenedInput,
  headers = input.table.headers,
): Promise<Mapping> {
  const joined = new Map<string, readonly Header[]>();
  for (const [name, table] of input.joined) joined.set(name, table.headers);
  return withFileNames(job, input, () =>
    compileMapping({
      operation,
      map: job.map,
      headers,
      sheet: input.table.sheet.name,
      joined,
      timestamps: connection.timestamps,
      timezone: connection.timezone,
      rules: { allowDeleteFromAllOrders: job.safety.allowDeleteFromAllOrders },
      operationOf: operationNamed,
      step: job.step,
    }),
  );
}

/** Runs `work`. Adds both files' names, and a hint at the header row, to an error about sheet and job. */
export async function withFileNames<T>(
  job: Pick<Job, 'source' | 'file'>,
  input: OpenedInput,
  work: () => T,
): Promise<T> {
  try {
    return await withHeaderHint(input.source, [input.table, ...input.joined.values()], work);
  } catch (error) {
    if (!(error instanceof ProductError)) throw error;
    const files = message('run.unfit_files', { file: displayedFile(job.source.file), job: job.file });
    throw new ProductError(error.kind, error.detail, { cause: error, others: [...error.others, files] });
  }
}

/** Sheets that `each: { sheet }` names anywhere in the maps. */
function joinedSheets(mapped: readonly { readonly map?: MapBranch }[]): ReadonlySet<string> {
  const found = new Set<string>();
  const visit = (branch: MapBranch): void => {
    if (branch.each?.kind === 'sheet') found.add(branch.each.sheet);
    for (const node of branch.fields.values()) if (node.kind === 'branch') visit(node);
  };
  for (const { map } of mapped) if (map) visit(map);
  return found;
}
