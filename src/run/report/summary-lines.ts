import { type Language, type Message, render } from '../../errors/message.js';
import type { LookupCounts } from '../../ledger/contract/lookups.js';
import type { Run } from '../../ledger/contract/run.js';
import { STATUSES, type Status } from '../../model/status.js';
import { toldFile } from '../../source/original-name.js';
import { distinctMessages } from '../../util/distinct-messages.js';
import type { RunSettings, StepsSettings } from '../settings.js';
import type { ResultForm } from './result-form.js';

interface Summarised {
  readonly run: Run;
  readonly settings: RunSettings | StepsSettings;
  readonly form: Pick<ResultForm, 'figures'>;
  readonly lookups: LookupCounts;
  readonly language: Language;
  readonly counts: Readonly<Partial<Record<Status, number>>>;
  readonly warnings: readonly Message[];
}

/** Words of the sheet `Summary`. Programs read them, so they are the same in every language. */
const MODE: Readonly<Record<Run['kind'], string>> = {
  run: 'run',
  dry_run: 'dry run',
  plan: 'plan',
  reconcile: 'reconcile',
};

function roleOf({ step }: Run, { retry }: Summarised['settings']): string {
  if (step !== undefined) return 'step of';
  return retry ? 'retry of' : 'action of';
}

function lookupFigures({ asked, unanswered, requests }: LookupCounts): (readonly [string, number])[] {
  return [
    ['look-ups', asked],
    ['look-up requests', requests],
    ...(unanswered === 0 ? [] : [['look-ups without a good answer', unanswered] as const]),
  ];
}

/** Labels and values of the sheet `Summary`. */
export function summaryLines({
  run,
  settings,
  form,
  lookups,
  language,
  counts,
  warnings,
}: Summarised): (readonly [string, string | number])[] {
  const iso = (time: number | undefined): string => (time === undefined ? '' : new Date(time).toISOString());
  return [
    ['job', run.job],
    ['run', run.id],
    ['operation', run.operation],
    ['connection', settings.connection.sandbox ? `${run.connection} (SANDBOX)` : run.connection],
    ...(run.parent === undefined ? [] : [[roleOf(run, settings), run.parent] as const]),
    ['mode', settings.rehearsal ? 'rehearsal' : MODE[run.kind]],
    ...(settings.job.undoes ? [['reverts', settings.job.undoes.run] as const] : []),
    ['input file', toldFile(run.inputFile)],
    ['input SHA-256', run.inputSha256],
    ...(settings.corrections
      ? [
          ['corrected cells', settings.corrections.cells] as const,
          ['corrections SHA-256', settings.corrections.sha256] as const,
        ]
      : []),
    ['start', iso(run.startedAt)],
    ...(run.appliedAt === undefined ? [] : [['applied', iso(run.appliedAt)] as const]),
    ['end', iso(run.endedAt)],
    ['rows', Object.values(counts).reduce((sum, it) => sum + it, 0)],
    ...STATUSES.filter((it) => counts[it] !== undefined).map((it) => [it, counts[it] ?? 0] as const),
    ...form.figures,
    ...(lookups.asked === 0 ? [] : lookupFigures(lookups)),
    ...(run.reason ? [['stopped because', render(run.reason, language)] as const] : []),
    ...distinctMessages(warnings).map((it) => ['warning', render(it, language)] as const),
  ];
}
