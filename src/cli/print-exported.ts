import path from 'node:path';
import { writeText } from '../app/write-text.js';
import { ownFile } from '../util/own-package.js';
import type { ExportedFile } from '../util/service-files.js';

/** Command that starts this program, for child processes. */
export const PROGRAM: readonly string[] = [process.execPath, ownFile('bin/license-sync.js')];

type Format = 'systemd' | 'cron' | 'kubernetes';

/** The program in exported files: on the PATH in a container, otherwise this one. */
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

/** Writes exported files into a folder and prints their paths; without a folder, prints the files to stdout. */
export async function printExported(
  files: readonly ExportedFile[],
  format: Format,
  folder: string | undefined,
): Promise<void> {
  if (folder === undefined) process.stdout.write(joined(files, format));
  else {
    for (const { name, text } of files)
      process.stdout.write(`${await writeText(path.resolve(folder, name), text)}\n`);
  }
}

/** Manifests as one stream, units under their names. */
function joined(files: readonly ExportedFile[], format: Format): string {
  if (format === 'kubernetes') return files.map(({ text }) => `---\n${text}`).join('');
  if (format === 'cron') return files.map(({ text }) => text).join('');
  return files.map(({ name, text }) => `# ${name}\n${text}`).join('\n');
}
