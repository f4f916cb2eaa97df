import { createHash } from 'node:crypto';
import { mkdir, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type Message, message } from '../errors/message.js';
import type { JobBase } from '../model/job.js';
import { type ReplaceGuard, removeLeftTemporaries, syncFolder, temporaryPath } from '../util/atomic-file.js';
import { sha256Of } from '../util/files.js';
import { cutText } from '../util/text.js';

/** A check sends nothing: `validate`, `plan`, `rehearse`, and `reconcile` without `--apply`. */
export type ResultWriter = 'run' | 'check';

interface WrittenResult {
  /** Of the file as it was written; hex. */
  readonly sha256: string;
  readonly by: ResultWriter;
}

/** Which results must not be replaced, and how another name is reported. */
export interface ResultPlace {
  /** State folder of the ledger, with a note for each result. Without that folder no notes are written. */
  readonly stateFolder: string;
  /**
   * The ledger is on a server: its state folder is created on demand. That of a ledger in a file is not: if it is
   * missing, the ledger was removed.
   */
  readonly isOfServer?: boolean;
  readonly by: ResultWriter;
  /** Whether a file without a note has the leading headers of a result. */
  readonly isResult: (file: string) => Promise<boolean>;
  readonly warn: (warning: Message) => void;
}

/**
 * Protects results (contract section 6): a check never replaces the result of a run, and no result that was changed
 * since it was written is replaced. A file without a note comes from another ledger or program: it is not replaced if
 * it has the headers of a result.
 */
export class ResultGuard implements ReplaceGuard {
  readonly #place: ResultPlace;
  /** The first reason why a file was not replaced. */
  #keepReason: 'changed' | 'of_run' | 'not_noted' | undefined;

  constructor(place: ResultPlace) {
    this.#place = place;
  }

  async mayReplace(target: string): Promise<boolean> {
    if (!(await stat(target)).isFile()) return true;
    const why = await this.#reasonToKeep(target);
    this.#keepReason ??= why;
    return why === undefined;
  }

  /** Runs before the rename and keeps the note of the replaced file: a crash in between leaves both files known. */
  async replacing(target: string, written: string): Promise<void> {
    const { stateFolder, by, isOfServer } = this.#place;
    const folder = notesFolder(stateFolder);
    // If no note can be written, the next result gets another name.
    if (isOfServer) await mkdir(stateFolder, { recursive: true, mode: 0o700 }).catch(() => {});
    const present = await stat(stateFolder).catch(() => undefined);
    if (!present?.isDirectory()) return;
    const replaced = await unchangedResult(stateFolder, target);
    const results = [...(replaced ? [replaced] : []), { sha256: await sha256Of(written), by }];
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await removeLeftTemporaries(folder);
      const temporary = temporaryPath(folder);
      await writeFile(temporary, JSON.stringify({ file: target, results }), { mode: 0o600, flush: true });
      await rename(temporary, await noteOf(stateFolder, target));
      await syncFolder(folder);
    } catch {
      // The result matters more than its note, and would be reported as the file that cannot be written.
    }
  }

  /** Warns if the result has another name. @param renamed the warning if the existing file could not be replaced */
  warnOfOtherName(
    requested: string,
    written: string,
    renamed: 'run.result_renamed' | 'html.renamed' = 'run.result_renamed',
  ): void {
    if (written === requested) return;
    const code = this.#keepReason ? (`workbook.kept_${this.#keepReason}` as const) : renamed;
    this.#place.warn(message(code, { wanted: requested, written }));
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

export async function removeUnchangedResult(stateFolder: string, file: string): Promise<void> {
  if (!(await unchangedResult(stateFolder, file))) return;
  await rm(file, { force: true });
  await rm(await noteOf(stateFolder, file), { force: true });
}

/** The note of a file that has not been changed. */
async function unchangedResult(stateFolder: string, file: string): Promise<WrittenResult | undefined> {
  const noted = await resultsNoted(stateFolder, file);
  if (noted.length === 0) return undefined;
  const sha256 = await sha256Of(file).catch(() => undefined);
  return noted.find((it) => it.sha256 === sha256);
}

/** An unreadable note is treated as missing. */
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

/** Named by the file's real path, so that it is found by any path to its folder. */
async function noteOf(stateFolder: string, file: string): Promise<string> {
  const real = path.join(await realpath(path.dirname(file)), path.basename(file));
  const digest = createHash('sha256').update(real).digest('hex');
  return path.join(notesFolder(stateFolder), `${digest.slice(0, 32)}.json`);
}

/** Leaves bytes for a run's id and an extension within the 255 bytes of a file name. */
const NAME_BYTES = 180;

/**
 * The path of a run's result: `output.file` with `{job}`, `{run}` and `{input}` replaced. `{outcome}`, which job files
 * cannot use, is a folder chosen by the caller: an inbox separates successful results from failed ones.
 */
export function resultPath(
  job: Pick<JobBase, 'name' | 'output'> & { readonly source: Pick<JobBase['source'], 'file'> },
  run: string,
  outcome = '.',
): string {
  const words: Readonly<Record<string, string>> = {
    job: job.name,
    run,
    input: inputName(job.source.file),
    outcome,
  };
  const file = job.output.file.replace(/\{(job|run|input|outcome)\}/g, (whole, word: string) => {
    return words[word] ?? whole;
  });
  return path.normalize(file);
}

/** The input's name without extension, safe as a part of a file name on every system. */
function inputName(file: string): string {
  const plain = path
    .parse(file)
    .name.replace(/[\p{C}\u2028\u2029/\\:*?"<>|]+/gu, '_')
    .replace(/^[. ]+/, '_');
  return cutText(plain, NAME_BYTES);
}
