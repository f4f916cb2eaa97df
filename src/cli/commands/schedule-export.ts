import path from 'node:path';
import { type ExportInput, exportSchedule as exportJobs } from '../../app/schedule.js';
import { writeText } from '../../app/write-text.js';
import { render } from '../../errors/message.js';
import { EXIT } from '../../model/exit-code.js';
import type { ExportedFile, ExportFormat } from '../../schedule/export/contract.js';
import { guarded } from '../exit.js';
import { PROGRAM } from './schedule.js';

export interface ExportFlags extends Omit<ExportInput, 'program'> {
  readonly output?: string;
  readonly program?: string;
}

/** `schedule export` */
export async function exportSchedule(paths: readonly string[], flags: ExportFlags): Promise<void> {
  await guarded({}, async (context) => {
    const { output, format } = flags;
    const { files, notes } = await exportJobs(context, paths, { ...flags, program: programOf(flags) });
    for (const note of notes) process.stderr.write(`${render(note, context.language)}\n`);
    if (output === undefined) process.stdout.write(together(files, format));
    else {
      for (const { name, text } of files) {
        process.stdout.write(`${await writeText(path.resolve(output, name), text)}\n`);
      }
    }
    return EXIT.ok;
  });
}

/** In a container the program is on the path; elsewhere it is the one that runs now. */
function programOf({ program, format }: ExportFlags): readonly string[] {
  if (program !== undefined) return [program];
  return format === 'kubernetes' ? ['license-sync'] : PROGRAM;
}

/** Everything on stdout: manifests as one stream, units under their names. */
function together(files: readonly ExportedFile[], format: ExportFormat): string {
  if (format === 'kubernetes') return files.map(({ text }) => `---\n${text}`).join('');
  if (format === 'cron') return files.map(({ text }) => text).join('');
  return files.map(({ name, text }) => `# ${name}\n${text}`).join('\n');
}
