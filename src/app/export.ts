import path from 'node:path';
import { warningTo } from '../run/observer.js';
import { exportCorrectedInput, exportResult } from '../run/report/export-result.js';
import { writeHtmlReport } from '../run/report/html-report.js';
import { systemClock } from '../util/clock.js';
import type { AppContext } from './context.js';
import { runNamed, withLedger } from './open.js';

/** `runs export`: writes a run's result again, elsewhere. Gives the path written. */
export function exportRun(context: AppContext, id: string, output: string): Promise<string> {
  const { language, cwd, env, found } = context;
  return withLedger(context, async ({ ledger }) =>
    exportResult(
      { ledger, language, observer: warningTo(found), env },
      await runNamed(ledger, id),
      path.resolve(cwd, output),
    ),
  );
}

/** `runs export --corrected`: writes the run's input as it was corrected for the run. Gives the path written. */
export function exportCorrected(context: AppContext, id: string, output: string): Promise<string> {
  const { language, cwd, env, found } = context;
  return withLedger(context, async ({ ledger }) =>
    exportCorrectedInput(
      { ledger, language, observer: warningTo(found), env },
      await runNamed(ledger, id),
      path.resolve(cwd, output),
    ),
  );
}

/** `runs report`: writes a run's web page. Gives the path written. */
export function reportRun(context: AppContext, id: string, output: string): Promise<string> {
  const { language, cwd, found } = context;
  return withLedger(context, async ({ ledger }) =>
    writeHtmlReport(
      { ledger, language, clock: systemClock, warn: (it) => void found?.(it) },
      await runNamed(ledger, id),
      path.resolve(cwd, output),
    ),
  );
}
