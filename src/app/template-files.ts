import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { type Message, message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import { openSource } from '../source/open.js';
import { sameParts } from '../templates/zip.js';
import { writeAtomically } from '../util/atomic-file.js';

/** One file that the command makes. */
export interface MadeFile {
  readonly file: string;
  readonly content: Uint8Array;
  /** Sheets that people fill in; none for a job file. */
  readonly sheets: readonly string[];
  readonly kind: 'template' | 'job';
}

export type WrittenFile = Pick<MadeFile, 'kind' | 'file'>;

type Presence = 'missing' | 'same' | 'other';

/** How a file on the disk compares with what would be written there, by content and not by its packing. */
export async function presenceOf({ file, content, kind }: MadeFile): Promise<Presence> {
  const there = await readFile(file).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT') return undefined;
    throw unwritable(file, cause);
  });
  if (!there) return 'missing';
  const same = kind === 'template' ? await sameParts(there, content) : Buffer.compare(there, content) === 0;
  return same ? 'same' : 'other';
}

/** Whether someone filled in what lies there; true as well where that can't be told. */
export async function isFilledIn({ file, sheets, kind }: MadeFile): Promise<boolean> {
  if (kind === 'job') return false;
  try {
    const source = await openSource(file);
    try {
      const ours = source.sheets.filter((it) => sheets.includes(it.name));
      if (ours.length === 0) return true;
      for (const sheet of ours) {
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
 * @returns each as it is named, or where it lies: beside its name when that is open in a spreadsheet program
 * @throws ProductError usage, with all files that can't be written over, before anything is written
 */
export async function writeFiles(
  files: readonly MadeFile[],
  mayReplace: (file: MadeFile) => Promise<boolean>,
): Promise<readonly WrittenFile[]> {
  const refused: Message[] = [];
  for (const made of files) {
    const isFolder = await stat(made.file)
      .then((it) => it.isDirectory())
      .catch(() => false);
    if (isFolder) throw unwritable(made.file, { code: 'EISDIR' });
    if ((await presenceOf(made)) === 'other' && !(await mayReplace(made)))
      refused.push(message('template.exists', { file: made.file }));
  }
  const [first, ...others] = refused;
  if (first) throw new ProductError('usage', first, { others });
  const written: WrittenFile[] = [];
  for (const { file, content, kind } of files) {
    try {
      const there = await writeAtomically(path.resolve(file), async (stream) => {
        stream.write(content);
      });
      written.push({ kind, file: path.resolve(file) === there ? file : there });
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
