import path from 'node:path';
import { render } from '../../errors/message.js';
import { EXIT } from '../../model/exit-code.js';
import type { PassedFlags } from '../../schedule/command.js';
import type { ExportedFile, ExportFormat, ExportGround } from '../../schedule/export/contract.js';
import { exportSchedules } from '../../schedule/export/export.js';
import { VERSION } from '../../util/own-package.js';
import { guarded } from '../exit.js';
import { languageOf } from '../language.js';
import { writeText } from '../write-text.js';
import { PROGRAM, scheduledJobs, unscheduledNote } from './schedule.js';

export interface ExportFlags extends PassedFlags {
  readonly format: ExportFormat;
  readonly output?: string;
  readonly program?: string;
  readonly image?: string;
}

/** `schedule export` */
export async function exportSchedule(paths: readonly string[], flags: ExportFlags): Promise<void> {
  const language = languageOf(process.env);
  await guarded(language, async () => {
    const found = await scheduledJobs(paths, flags, { onlyLooking: true });
    const { jobs, home, ledger } = found;
    const moved = process.env.LICENSE_SYNC_LEDGER ? ledger : undefined;
    const ground: ExportGround = {
      home,
      ...(moved === undefined ? {} : { movedLedger: moved }),
      program: programOf(flags),
      passed: flags,
      image: flags.image ?? `license-sync:${VERSION}`,
      version: VERSION,
    };
    const { files, notes } = exportSchedules(jobs, flags.format, ground);
    for (const note of [...unscheduledNote(found), ...notes]) say(render(note, language));
    if (flags.output === undefined) process.stdout.write(together(files, flags.format));
    else {
      for (const { name, text } of files) {
        process.stdout.write(`${await writeText(path.resolve(flags.output, name), text)}\n`);
      }
    }
    return EXIT.ok;
  });
}

/** In a container the program is on the path; elsewhere it is the one that runs now. */
function programOf({ program, format }: ExportFlags): readonly string[] {
  if (program !== undefined) return [program];
  return format === 'kubernetes' ? ['license-sync'] : [process.execPath, PROGRAM];
}

/** Everything on stdout: manifests as one stream, units under their names. */
function together(files: readonly ExportedFile[], format: ExportFormat): string {
  if (format === 'kubernetes') return files.map(({ text }) => `---\n${text}`).join('');
  if (format === 'cron') return files.map(({ text }) => text).join('');
  return files.map(({ name, text }) => `# ${name}\n${text}`).join('\n');
}

function say(text: string): void {
  process.stderr.write(`${text}\n`);
}
