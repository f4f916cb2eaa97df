import path from 'node:path';
import { writeText } from '../app/write-text.js';
import type { ExportedFile } from '../model/exported-file.js';
import { ownFile } from '../util/own-package.js';

/** The program as it was started, for its own children. */
export const PROGRAM: readonly string[] = [process.execPath, ownFile('bin/license-sync.js')];

type Format = 'systemd' | 'cron' | 'kubernetes';

/** In a container the program is on the path; elsewhere it is the one that runs now. */
export function programOf({
  program,
  format,
}: {
  readonly program?: string;
  readonly format: Format;
}): readonly string[] {
  if (program !== undefined) return [program];
  return format === 'kubernetes' ? ['license-sync'] : PROGRAM;
}

/** Writes files for another program into a folder, and says which; all of them on stdout where none is named. */
export async function tellExported(
  files: readonly ExportedFile[],
  format: Format,
  folder: string | undefined,
): Promise<void> {
  if (folder === undefined) process.stdout.write(together(files, format));
  else {
    for (const { name, text } of files)
      process.stdout.write(`${await writeText(path.resolve(folder, name), text)}\n`);
  }
}

/** Manifests as one stream, units under their names. */
function together(files: readonly ExportedFile[], format: Format): string {
  if (format === 'kubernetes') return files.map(({ text }) => `---\n${text}`).join('');
  if (format === 'cron') return files.map(({ text }) => text).join('');
  return files.map(({ name, text }) => `# ${name}\n${text}`).join('\n');
}
