import path from 'node:path';
import {
  type ExportInput,
  exportSchedule as exportJobs,
  listSchedules as list,
  runSchedules,
  type ScheduleInput,
} from '../../app/schedule.js';
import { writeText } from '../../app/write-text.js';
import { render } from '../../errors/message.js';
import { EXIT } from '../../model/exit-code.js';
import type { ExportedFile, ExportFormat } from '../../schedule/export/contract.js';
import { ownFile } from '../../util/own-package.js';
import { StopSignal } from '../../util/stop-signal.js';
import { guarded } from '../exit.js';
import { overviewJson, overviewText, scheduledRunJson, scheduledRunText } from '../schedule-text.js';

/** The program as it was started, for its own children. */
const PROGRAM: readonly string[] = [process.execPath, ownFile('bin/license-sync.js')];

/** `schedule`: runs the jobs at their times until it is stopped. */
export async function schedule(
  paths: readonly string[],
  flags: ScheduleInput & { readonly json?: boolean },
): Promise<void> {
  await guarded({ json: flags.json }, async (context) => {
    const { language } = context;
    const say = (text: string): boolean => process.stderr.write(`${text}\n`);
    const signals = listen();
    try {
      await runSchedules(
        {
          ...context,
          ...signals,
          program: PROGRAM,
          watch: {
            note: (it) => say(render(it, language)),
            line: (job, text) => say(`[${job}] ${text}`),
            ran: (run) => {
              const line = flags.json
                ? `${JSON.stringify(scheduledRunJson(run))}\n`
                : scheduledRunText(run, language);
              process.stdout.write(line);
            },
          },
        },
        paths,
        flags,
      );
      return signals.leave.aborted ? EXIT.interrupted : EXIT.ok;
    } finally {
      signals.release();
    }
  });
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** The first one lets what goes on end in order, the second makes it leave, a third leaves without looking back. */
function listen() {
  const stop = new StopSignal();
  const left = new AbortController();
  let asked = 0;
  const listener = (): void => {
    asked += 1;
    if (asked === 1) stop.stop({ kind: 'interrupted' });
    else if (asked === 2) left.abort();
    else process.exit(EXIT.interrupted);
  };
  for (const signal of SIGNALS) process.on(signal, listener);
  return {
    stop,
    leave: left.signal,
    release: () => {
      for (const signal of SIGNALS) process.off(signal, listener);
    },
  };
}

interface ListFlags {
  readonly connection?: string;
  readonly json?: boolean;
}

/** `schedule list` */
export async function listSchedules(paths: readonly string[], flags: ListFlags): Promise<void> {
  await guarded({ json: flags.json }, async (context) => {
    const { language } = context;
    const { jobs, none } = await list(context, paths, flags);
    if (none) process.stderr.write(`${render(none, language)}\n`);
    const text = flags.json
      ? `${JSON.stringify(jobs.map(overviewJson), undefined, 2)}\n`
      : jobs.map((it) => overviewText(it, language)).join('\n');
    process.stdout.write(text);
    return EXIT.ok;
  });
}

interface ExportFlags extends Omit<ExportInput, 'program'> {
  readonly output?: string;
  readonly program?: string;
  readonly json?: boolean;
}

/** `schedule export` */
export async function exportSchedule(paths: readonly string[], flags: ExportFlags): Promise<void> {
  await guarded({ json: flags.json }, async (context) => {
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
