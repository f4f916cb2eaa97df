import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { type Message, message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import { openSource } from '../source/open-source.js';
import { sameParts } from '../templates/zip.js';
import { writeAtomically } from '../util/atomic-file.js';

export interface GeneratedFile {
  readonly file: string;
  readonly content: Uint8Array;
  /** Sheets to fill in; none for a job file. */
  readonly sheets: readonly string[];
  readonly kind: 'template' | 'job';
}

export type WrittenFile = Pick<GeneratedFile, 'kind' | 'file'>;

type Presence = 'missing' | 'same' | 'other';

/** Compares a file on disk with the generated content, ignoring compression. */
export async function presenceOf({ file, content, kind }: GeneratedFile): Promise<Presence> {
  const existing = await readFile(file).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT') return undefined;
    throw unwritable(file, cause);
  });
  if (!existing) return 'missing';
  const isSame =
    kind === 'template' ? await sameParts(existing, content) : Buffer.compare(existing, content) === 0;
  return isSame ? 'same' : 'other';
}

/** Whether the file on disk was filled in; true if this cannot be determined. */
export async function isFilledIn({ file, sheets, kind }: GeneratedFile): Promise<boolean> {
  if (kind === 'job') return false;
  try {
    const source = await openSource(file);
    try {
      const ownSheets = source.sheets.filter((it) => sheets.includes(it.name));
      if (ownSheets.length === 0) return true;
      for (const sheet of ownSheets) {
        for await (const rows of source.rows(sheet)) {
          if (rows.some((row) => row.number > 1)) return true;
        }
      }
      return false;
    } finally {
      await source.close();
    }
  } catch {
    return true;
  }
}

/**
 * Writes the files, whole or not at all.
 * @returns the paths written: a path next to the requested one if that is open in a spreadsheet program
 * @throws ProductError usage with all files that must not be replaced, before anything is written
 */
export async function writeFiles(
  files: readonly GeneratedFile[],
  mayReplace: (file: GeneratedFile) => Promise<boolean>,
): Promise<readonly WrittenFile[]> {
  const refused: Message[] = [];
  for (const generated of files) {
    const isFolder = await stat(generated.file)
      .then((it) => it.isDirectory())
      .catch(() => false);
    if (isFolder) throw unwritable(generated.file, { code: 'EISDIR' });
    if ((await presenceOf(generated)) === 'other' && !(await mayReplace(generated)))
      refused.push(message('template.exists', { file: generated.file }));
  }
  const [first, ...others] = refused;
  if (first) throw new ProductError('usage', first, { others });
  const written: WrittenFile[] = [];
  for (const { file, content, kind } of files) {
    try {
      const actual = await writeAtomically(path.resolve(file), async (stream) => {
        stream.write(content);
      });
      written.push({ kind, file: path.resolve(file) === actual ? file : actual });
    } catch (cause) {
      throw unwritable(file, cause as NodeJS.ErrnoException);
    }
  }
  return written;
}

function unwritable(file: string, cause: { readonly code?: string | undefined }): ProductError {
  const reason = cause.code ?? String(cause);
  return new ProductError('usage', message('template.unwritable', { file, reason }), { cause });
}
