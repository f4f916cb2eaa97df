import { runSchedules, type ScheduleInput } from '../../app/schedule.js';
import { render } from '../../errors/message.js';
import { EXIT } from '../../model/exit-code.js';
import { ownFile } from '../../util/own-package.js';
import { StopSignal } from '../../util/stop-signal.js';
import { guarded } from '../exit.js';
import { scheduledRunJson, scheduledRunText } from '../schedule-text.js';

/** The program as it was started, for its own children. */
export const PROGRAM: readonly string[] = [process.execPath, ownFile('bin/license-sync.js')];

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
