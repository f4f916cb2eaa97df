import {
  type ExportInput,
  exportSchedule as exportJobs,
  listSchedules as list,
  runSchedules,
  type ScheduleInput,
} from '../../app/schedule.js';
import { render } from '../../errors/message.js';
import { EXIT } from '../../model/exit-code.js';
import { StopSignal } from '../../util/stop-signal.js';
import { guarded } from '../exit.js';
import { PROGRAM, programOf, tellExported } from '../exported.js';
import { overviewJson, overviewText, scheduledRunJson, scheduledRunText } from '../schedule-text.js';
import { listen } from '../signals.js';

/** `schedule`: runs the jobs at their times until it is stopped. */
export async function schedule(
  paths: readonly string[],
  flags: ScheduleInput & { readonly json?: boolean },
): Promise<void> {
  await guarded({ json: flags.json }, async (context) => {
    const { language } = context;
    const say = (text: string): boolean => process.stderr.write(`${text}\n`);
    const signals = schedulerSignals();
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

/** The first signal lets the runs in progress end in order, the second makes it leave them, the third exits at once. */
function schedulerSignals() {
  const stop = new StopSignal();
  const left = new AbortController();
  const release = listen([
    () => stop.stop({ kind: 'interrupted' }),
    () => left.abort(),
    () => process.exit(EXIT.interrupted),
  ]);
  return { stop, leave: left.signal, release };
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
    await tellExported(files, format, output);
    return EXIT.ok;
  });
}
