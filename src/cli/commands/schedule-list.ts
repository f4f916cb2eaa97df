import { message, render } from '../../errors/message.js';
import { openExistingLedger } from '../../ledger/open.js';
import { EXIT } from '../../model/exit-code.js';
import { liveState } from '../../run/live-state.js';
import { readHistory } from '../../schedule/job-history.js';
import { scheduleOverview } from '../../schedule/overview.js';
import { guarded } from '../exit.js';
import { languageOf } from '../language.js';
import { overviewJson, overviewText } from '../schedule-text.js';
import { scheduledJobs } from './schedule.js';

export interface ListFlags {
  readonly connection?: string;
  readonly json?: boolean;
}

/** `schedule list` */
export async function listSchedules(paths: readonly string[], flags: ListFlags): Promise<void> {
  const language = languageOf(process.env);
  const work = async (): Promise<number> => {
    const { jobs, ledger: location } = await scheduledJobs(paths, flags, { onlyLooking: true });
    const ledger = await openExistingLedger(location);
    if (!ledger) process.stderr.write(`${render(message('ledger.none_there', { location }), language)}\n`);
    try {
      const now = Date.now();
      const found = [];
      for (const job of jobs) {
        const memory = await readHistory(ledger, job);
        const { lastRun } = memory;
        const standing = ledger && lastRun ? await liveState(ledger, lastRun) : undefined;
        found.push(scheduleOverview(job, memory, now, standing));
      }
      const text = flags.json
        ? `${JSON.stringify(found.map(overviewJson), undefined, 2)}\n`
        : found.map((it) => overviewText(it, language)).join('\n');
      process.stdout.write(text);
      return EXIT.ok;
    } finally {
      await ledger?.close();
    }
  };
  await guarded(language, work, flags.json === true);
}
