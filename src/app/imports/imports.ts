import path from 'node:path';
import { type Message, message, render, renderText } from '../../errors/message.js';
import type { MessageSurface } from '../../errors/message-surface.js';
import { ProductError } from '../../errors/product-error.js';
import { loadConnections, resolveConnection } from '../../job/connections.js';
import type { Import } from '../../ledger/contract/imports.js';
import type { Ledger } from '../../ledger/contract/ledger.js';
import type { Run } from '../../ledger/contract/runs.js';
import { liveStateOf } from '../../run/live-state.js';
import { unpackAny } from '../../run/settings.js';
import { systemClock } from '../../util/clock.js';
import { plainFileName } from '../../util/files.js';
import { newRunId } from '../../util/run-id.js';
import type { AppContext } from '../context.js';
import { type OpenedLedger, withLedger } from '../with-ledger.js';
import { storeGuessedJob, uploadedFile } from './guess-upload.js';
import { importJob, importNamed, jobFileNamed } from './import-job.js';

export interface ImportOptions {
  /** SHA-256 of the uploaded file. */
  readonly upload: string;
  readonly name?: string | undefined;
  /** The name of a file in the folder `jobs`, or an unsaved guessed job. */
  readonly job: string | { readonly file: string; readonly yaml: string };
  readonly sheet?: string | undefined;
  readonly connection?: string | undefined;
  /** Lookups are requested when the import is checked. */
  readonly lookups?: boolean | undefined;
}

/**
 * Creates an import of an uploaded file and a job. Rows are not checked yet.
 * @throws ProductError usage if the job cannot be loaded or its connection does not exist
 */
export function createImport(context: AppContext, options: ImportOptions): Promise<string> {
  const create = async ({ ledger, actor: { who } }: OpenedLedger): Promise<string> => {
    const { name, kept } = await uploadedFile(
      ledger,
      options.upload,
      options.name && plainFileName(options.name),
    );
    await ledger.inputs.release(kept);
    const now = systemClock.now();
    const { job } = options;
    const chosen =
      typeof job === 'string'
        ? { jobFile: await jobFileNamed(context, job), guessed: false, jobSha256: '' }
        : {
            jobFile: path.join(context.cwd, 'jobs', path.basename(job.file)),
            guessed: true,
            jobSha256: await storeGuessedJob(ledger, job),
          };
    const record: Import = {
      ...chosen,
      id: newRunId(now),
      by: who,
      at: now,
      name,
      inputSha256: options.upload,
      lookups: options.lookups ?? false,
      sheet: options.sheet,
      connection: options.connection,
    };
    const loaded = await importJob(context, ledger, record);
    await connectionOf(context, record, loaded.job);
    // Stored under the import's name: the same bytes may have been uploaded under another name.
    await keepName(ledger, record);
    await ledger.imports.create({ ...record, jobSha256: loaded.sha256 });
    const detail = { import: record.id, file: record.name, input: record.inputSha256, job: loaded.job.name };
    await ledger.audit.append({ who, act: 'import', detail });
    return record.id;
  };
  return withLedger(context, create, { act: 'import' });
}

async function keepName({ inputs, imports }: Ledger, { inputSha256, name }: Import): Promise<void> {
  const [upload] = await imports.uploads(inputSha256);
  if (upload && upload.name !== name)
    await inputs.put(name, inputs.bytes({ sha256: inputSha256, name: upload.name }));
}

export async function connectionOf(
  { env, cwd }: AppContext,
  it: Pick<Import, 'connection'>,
  job: { readonly file: string; readonly connection?: string },
) {
  const connections = await loadConnections(job.file, { env, cwd });
  return resolveConnection(connections, { flag: it.connection, job: job.connection });
}

export function importListing({ cwd }: Pick<AppContext, 'cwd'>, it: Import) {
  return {
    id: it.id,
    by: it.by,
    at: new Date(it.at).toISOString(),
    name: it.name,
    job: { file: path.relative(cwd, it.jobFile).split(path.sep).join('/'), guessed: it.guessed },
    state: it.failure
      ? ('failed' as const)
      : it.checkRun === undefined
        ? ('checking' as const)
        : ('checked' as const),
    check: it.checkRun,
    plan: it.planRun,
  };
}

/** Newest first; `next` is the `before` of the next page. */
export function listImports(
  context: AppContext,
  { limit, before }: { readonly limit: number; readonly before?: string | undefined },
): Promise<{ readonly items: readonly ReturnType<typeof importListing>[]; readonly next?: string }> {
  return withLedger(context, async ({ ledger }) => {
    const found = await ledger.imports.list(limit + 1, before);
    const items = found.slice(0, limit).map((it) => importListing(context, it));
    const last = items.at(-1);
    return found.length > limit && last ? { items, next: last.id } : { items };
  });
}

/** The result of an import's last check: the run, or why there is none. */
export function lastCheck(
  context: AppContext,
  id: string,
): Promise<Pick<Import, 'checkRun' | 'failure'> | undefined> {
  return withLedger(context, ({ ledger }) => ledger.imports.get(id));
}

/** Stores why no check of an import finishes, if the checks could not store it themselves. */
export function keepFailure(context: AppContext, id: string, failure: readonly Message[]): Promise<void> {
  return withLedger(context, ({ ledger }) => ledger.imports.patch(id, { failure }), { act: 'validate' });
}

/** Why a check failed. */
export function failureView(
  failure: NonNullable<Import['failure']>,
  language: MessageSurface,
  folders: readonly string[],
): { readonly code: string; readonly text: string; readonly others: readonly string[] } {
  const [first, ...others] = failure;
  const detail = first ?? message('imports.not_checked');
  /** The user who uploaded the file must see its name only, not folders of this machine. */
  const withoutFolders = (text: string): string =>
    folders.reduce((left, it) => left.replaceAll(`${it}${path.sep}`, ''), text);
  return {
    code: detail.code,
    text: withoutFolders(render(detail, language)),
    others: others.map((it) => withoutFolders(renderText(it, language))),
  };
}

/** @throws ProductError usage if the import was not checked yet */
export function checkOf(it: Import): string {
  if (it.checkRun !== undefined) return it.checkRun;
  throw new ProductError('usage', message('imports.not_checked'));
}

const PLANS_LISTED = 50;

/** The plans that were created from an import, newest first. A plan that was sent is listed as a run. */
export function plansOfImport(context: AppContext, id: string) {
  return withLedger(context, async ({ ledger }) => {
    const { inputSha256, at: from } = await importNamed(ledger, id);
    const runs = await ledger.runs.find({ kinds: ['plan', 'run'], inputSha256, from }, PLANS_LISTED);
    const items = [];
    for (const run of runs) {
      if (run.prunedAt !== undefined || run.parent !== undefined) continue;
      const { job, import: of } = unpackAny(run.settings);
      if (of !== id) continue;
      items.push({
        run: run.id,
        sent: run.kind === 'run',
        state: await liveStateOf(ledger, run),
        by: run.by,
        at: new Date(run.startedAt).toISOString(),
        items: run.items,
        invalid: (await ledger.runs.counts(run.id)).invalid ?? 0,
        onInvalid: job.run.onInvalid,
      });
    }
    return { items };
  });
}

/** The import that a run's rows come from, if it still exists. */
export async function importOfRun({ imports }: Pick<Ledger, 'imports'>, run: Run) {
  const id = run.prunedAt === undefined ? unpackAny(run.settings).import : undefined;
  const found = id === undefined ? undefined : await imports.get(id);
  return found ? { import: { id: found.id, name: found.name } } : {};
}
