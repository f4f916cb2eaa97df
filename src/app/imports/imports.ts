import path from 'node:path';
import type { Wording } from '../../errors/at-page.js';
import { type Message, message, render, renderText } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import { loadConnections, resolveConnection } from '../../job/connections.js';
import type { Import } from '../../ledger/contract/imports.js';
import type { Ledger } from '../../ledger/contract/ledger.js';
import { systemClock } from '../../util/clock.js';
import { plainFileName } from '../../util/file-name.js';
import { newRunId } from '../../util/run-id.js';
import type { AppContext } from '../context.js';
import { type OpenedLedger, withLedger } from '../open.js';
import { keepGuessed, uploadedFile } from './guess-upload.js';
import { importJob, jobFileNamed } from './import-job.js';

export interface ImportWish {
  /** Of the file that was put in. */
  readonly upload: string;
  readonly name?: string | undefined;
  /** A file of the folder `jobs`, or one that was guessed and not saved. */
  readonly job: string | { readonly file: string; readonly yaml: string };
  readonly sheet?: string | undefined;
  readonly connection?: string | undefined;
  /** Look-ups are asked when it is checked. */
  readonly lookups?: boolean | undefined;
}

/**
 * Makes an import of an uploaded file and a job. Nothing is checked yet but that the job can be loaded, and its connection is
 * there.
 * @throws ProductError usage where not
 */
export function createImport(context: AppContext, wish: ImportWish): Promise<string> {
  const create = async ({ ledger, actor: { who } }: OpenedLedger): Promise<string> => {
    const { name, kept } = await uploadedFile(ledger, wish.upload, wish.name && plainFileName(wish.name));
    await ledger.inputs.letGo(kept);
    const now = systemClock.now();
    const { job } = wish;
    const chosen =
      typeof job === 'string'
        ? { jobFile: await jobFileNamed(context, job), guessed: false, jobSha256: '' }
        : {
            jobFile: path.join(context.cwd, 'jobs', path.basename(job.file)),
            guessed: true,
            jobSha256: await keepGuessed(ledger, job),
          };
    const it: Import = {
      ...chosen,
      id: newRunId(now),
      by: who,
      at: now,
      name,
      inputSha256: wish.upload,
      lookups: wish.lookups ?? false,
      ...(wish.sheet === undefined ? {} : { sheet: wish.sheet }),
      ...(wish.connection === undefined ? {} : { connection: wish.connection }),
    };
    const loaded = await importJob(context, ledger, it);
    await connectionOf(context, it, loaded.job);
    // Under the name that it has here: the same bytes may have come by another one.
    await keepName(ledger, it);
    await ledger.imports.create({ ...it, jobSha256: loaded.sha256 });
    const detail = { import: it.id, file: it.name, input: it.inputSha256, job: loaded.job.name };
    await ledger.audit.append({ who, act: 'import', detail });
    return it.id;
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

/** An import as lists tell it. */
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
    ...(it.checkRun === undefined ? {} : { check: it.checkRun }),
    ...(it.planRun === undefined ? {} : { plan: it.planRun }),
  };
}

/** Newest first; `next` is what the next page is asked for with. */
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

/** What an import's last check came to: the run, or why there is none. */
export function lastCheck(
  context: AppContext,
  id: string,
): Promise<Pick<Import, 'checkRun' | 'failure'> | undefined> {
  return withLedger(context, ({ ledger }) => ledger.imports.get(id));
}

/** Keeps why no check of an import comes to its end, where none of them could say so itself. */
export function keepFailure(context: AppContext, id: string, failure: readonly Message[]): Promise<void> {
  return withLedger(context, ({ ledger }) => ledger.imports.patch(id, { failure }), { act: 'validate' });
}

/** Why a check came to nothing. */
export function failureTold(
  failure: NonNullable<Import['failure']>,
  language: Wording,
  folders: readonly string[],
): { readonly code: string; readonly text: string; readonly others: readonly string[] } {
  const [first, ...others] = failure;
  const told = first ?? message('imports.not_checked');
  /** Whoever put the file in knows its name, and no place here. */
  const shown = (text: string): string =>
    folders.reduce((left, it) => left.replaceAll(`${it}${path.sep}`, ''), text);
  return {
    code: told.code,
    text: shown(render(told, language)),
    others: others.map((it) => shown(renderText(it, language))),
  };
}

/** @throws ProductError usage for an import that was not checked yet */
export function checkOf(it: Import): string {
  if (it.checkRun !== undefined) return it.checkRun;
  throw new ProductError('usage', message('imports.not_checked'));
}
