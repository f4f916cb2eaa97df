import { createHash } from 'node:crypto';
import { mkdir, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type Message, message } from '../errors/message.js';
import { type ReplaceGuard, syncFolder } from '../util/atomic-file.js';
import { sha256Of } from '../util/file-identity.js';
import { removeLeftTemporaries, temporaryPath } from '../util/temporary-file.js';

/** A check sends nothing: `validate`, `plan`, `rehearse`, and `reconcile` without `--apply`. */
export type ResultWriter = 'run' | 'check';

interface WrittenResult {
  /** Of the file as it was written; hex. */
  readonly sha256: string;
  readonly by: ResultWriter;
}

/** What a result must not replace, and how the person is told of another name. */
export interface ResultPlace {
  /** State folder of the ledger, which has a note for each result. Without that folder nothing is noted. */
  readonly stateFolder: string;
  /**
   * The ledger is on a server: its state folder is created when it is needed. That of a ledger in a file is not: if it is
   * missing, the ledger was removed.
   */
  readonly isOfServer?: boolean;
  readonly by: ResultWriter;
  /** Whether a file without a note has the leading headers of a result. */
  readonly isResult: (file: string) => Promise<boolean>;
  readonly warn: (warning: Message) => void;
}

/**
 * Protects results (contract section 6): a check never replaces the result of a run, and no result that was changed since
 * it was written is replaced. A file without a note is one of another ledger or of another program: it is kept if it has
 * the headers of a result.
 */
export class ResultGuard implements ReplaceGuard {
  readonly #place: ResultPlace;
  /** The first reason why a file was kept. */
  #kept: 'changed' | 'of_run' | 'not_noted' | undefined;

  constructor(place: ResultPlace) {
    this.#place = place;
  }

  async mayReplace(target: string): Promise<boolean> {
    if (!(await stat(target)).isFile()) return true;
    const why = await this.#reasonToKeep(target);
    this.#kept ??= why;
    return why === undefined;
  }

  /** Before the rename, with the note of the file that it replaces: a crash in between leaves both files known. */
  async replacing(target: string, written: string): Promise<void> {
    const { stateFolder, by, isOfServer } = this.#place;
    const folder = notesFolder(stateFolder);
    // Where it cannot be created nothing is noted, and the result keeps its name until the next one.
    if (isOfServer) await mkdir(stateFolder, { recursive: true, mode: 0o700 }).catch(() => {});
    const present = await stat(stateFolder).catch(() => undefined);
    if (!present?.isDirectory()) return;
    const replaced = await unchangedResult(stateFolder, target);
    const results = [...(replaced ? [replaced] : []), { sha256: await sha256Of(written), by }];
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await removeLeftTemporaries(folder);
    const temporary = temporaryPath(folder);
    await writeFile(temporary, JSON.stringify({ file: target, results }), { mode: 0o600, flush: true });
    await rename(temporary, await noteOf(stateFolder, target));
    await syncFolder(folder);
  }

  /** Warns if the result is not where it was asked for. @param renamed the warning if the other file could not be replaced */
  warnOfOtherName(
    wanted: string,
    written: string,
    renamed: 'run.result_renamed' | 'html.renamed' = 'run.result_renamed',
  ): void {
    if (written === wanted) return;
    const code = this.#kept ? (`workbook.kept_${this.#kept}` as const) : renamed;
    this.#place.warn(message(code, { wanted, written }));
  }

  async #reasonToKeep(target: string): Promise<'changed' | 'of_run' | 'not_noted' | undefined> {
    const { stateFolder, by, isResult } = this.#place;
    if ((await resultsNoted(stateFolder, target)).length === 0) {
      return (await isResult(target)) ? 'not_noted' : undefined;
    }
    const unchanged = await unchangedResult(stateFolder, target);
    if (!unchanged) return 'changed';
    return by === 'check' && unchanged.by === 'run' ? 'of_run' : undefined;
  }
}

/** Removes a result, unless it was changed since it was written. */
export async function removeUnchangedResult(stateFolder: string, file: string): Promise<void> {
  if (!(await unchangedResult(stateFolder, file))) return;
  await rm(file, { force: true });
  await rm(await noteOf(stateFolder, file), { force: true });
}

/** The note of a file that is as it was written. */
async function unchangedResult(stateFolder: string, file: string): Promise<WrittenResult | undefined> {
  const noted = await resultsNoted(stateFolder, file);
  if (noted.length === 0) return undefined;
  const sha256 = await sha256Of(file).catch(() => undefined);
  return noted.find((it) => it.sha256 === sha256);
}

/** A note that cannot be read counts as none. */
async function resultsNoted(stateFolder: string, file: string): Promise<readonly WrittenResult[]> {
  try {
    const note = JSON.parse(await readFile(await noteOf(stateFolder, file), 'utf8')) as {
      readonly results?: readonly WrittenResult[];
    };
    return note.results ?? [];
  } catch {
    return [];
  }
}

function notesFolder(stateFolder: string): string {
  return path.join(stateFolder, 'result-notes');
}

/** Named by the file's real path, so that it is found whichever way its folder is reached. */
async function noteOf(stateFolder: string, file: string): Promise<string> {
  const real = path.join(await realpath(path.dirname(file)), path.basename(file));
  const digest = createHash('sha256').update(real).digest('hex');
  return path.join(notesFolder(stateFolder), `${digest.slice(0, 32)}.json`);
}
