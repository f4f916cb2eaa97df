import path from 'node:path';
import { type Language, type Message, message, render } from '../../../errors/message.js';
import type { Run } from '../../../ledger/contract/runs.js';
import type { Job } from '../../../model/job.js';
import type { Operation } from '../../../model/operation.js';
import type { Status } from '../../../model/status.js';
import { count } from '../../../pages/format.js';
import type { PageStep } from '../../../pages/run-page.js';
import { shellWord } from '../../../util/process.js';
import type { LiveState } from '../../live-state.js';
import { repeatsHarm } from '../../retry-chain.js';

export interface RunStepFacts {
  readonly run: Run;
  /** For a run of several steps: the properties of all steps together. */
  readonly operation: Pick<Operation, 'name' | 'repeatable' | 'key'>;
  readonly duplicates: Job['safety']['duplicates'];
  readonly counts: ReadonlyMap<Status, number>;
  /** The same, without rows that a later retry sent. */
  readonly open: ReadonlyMap<Status, number>;
  /** The run's current state. */
  readonly liveState: LiveState;
  /** First row of each status that occurs. */
  readonly firstRows: ReadonlyMap<Status, number>;
  /** True if the platform can be asked about the unknown rows. */
  readonly verifiable: boolean;
  /** Rows that unknown rows of another run block; `run` is that of the first. */
  readonly held?: { readonly rows: number; readonly run: string };
  /** Runs that sent rows of this run again, newest last. */
  readonly retries: readonly string[];
}

const RUNS_NAMED = 3;
/** File extensions of results that a job can read. */
const READABLE: ReadonlySet<string> = new Set(['.xlsx', '.csv']);

/** What to do about a run as a whole, in order. For a single row see `nextForRow`. Pure. */
export function nextSteps(facts: RunStepFacts, language: Language): readonly PageStep[] {
  const found = facts.run.kind === 'run' ? afterRun(facts) : afterCheck(facts);
  if (found.length === 0 && facts.counts.size > 0) found.push([message('html.step_none')]);
  return found.map(([text, ...commands]) => ({ text: render(text, language), commands }));
}

type Found = readonly [text: Message, ...commands: string[]];

function afterCheck({ run, counts }: RunStepFacts): Found[] {
  const found: Found[] = [];
  if (run.state === 'planning') found.push([message('html.step_resume_planning'), command('resume', run.id)]);
  const invalid = counts.get('invalid') ?? 0;
  const valid = counts.get('valid') ?? 0;
  if (invalid > 0)
    found.push([message('html.step_invalid', { rows: count(invalid) }), ...again('validate', run)]);
  if (valid === 0 || run.state === 'planning') return found;
  if (run.kind === 'plan' && run.state === 'planned')
    found.push([message('html.step_apply', { rows: count(valid) }), command('apply', run.id)]);
  if (run.kind === 'dry_run') {
    const send = command('run', run.jobFile, '--input', run.inputFile, '--connection', run.connection);
    found.push([message('html.step_send', { rows: count(valid) }), send]);
  }
  return found;
}

function afterRun(facts: RunStepFacts): Found[] {
  const { run, operation, counts, open, liveState, firstRows, retries, held, duplicates } = facts;
  const rowsOf = (status: Status): number => counts.get(status) ?? 0;
  const openOf = (status: Status): number => open.get(status) ?? 0;
  const found: Found[] = [];
  if (liveState === 'executing' || liveState === 'planned')
    return [[message('next.going_on', { run: run.id }), command('runs', 'show', run.id)]];
  const unfinished = run.state === 'planned' || run.state === 'executing';
  if (run.state === 'planning') return [[message('html.step_resume_planning'), command('resume', run.id)]];
  if (run.state === 'executed') found.push([message('html.step_resume_report'), command('resume', run.id)]);
  if (unfinished || (rowsOf('not_sent') > 0 && run.state !== 'invalid' && run.state !== 'completed')) {
    const rows = rowsOf('not_sent') + (unfinished ? rowsOf('unknown') : 0);
    found.push([message('html.step_resume', { rows: count(rows) }), command('resume', run.id)]);
  }
  if (retries.length > 0) {
    const newest = retries.slice(-RUNS_NAMED).map((retry) => command('runs', 'show', retry));
    found.push([message('html.step_taken'), ...newest]);
  }
  if (rowsOf('unknown') > 0 && !unfinished) found.push(resolveStep(facts));
  if (held) {
    found.push([
      message('html.step_held', { rows: count(held.rows) }),
      command('runs', 'show', held.run),
      command('resolve', held.run, '--verify'),
    ]);
  }
  if (openOf('failed') > 0 && !unfinished)
    found.push([message('html.step_failed', { rows: count(openOf('failed')) }), command('retry', run.id)]);
  // Running the whole file again would repeat rows that succeeded, unless keys prevent it.
  const repeats = repeatsHarm(operation, duplicates);
  const corrected = repeats ? [] : again('run', run);
  const invalid = rowsOf('invalid');
  if (invalid > 0) {
    const text = repeats ? 'html.step_invalid_repeats' : 'html.step_invalid';
    found.push([message(text, { rows: count(invalid) }), ...corrected]);
  }
  const rejected = openOf('rejected');
  if (rejected > 0) {
    const text = repeats ? 'html.step_rejected_repeats' : 'html.step_rejected';
    const retry = unfinished ? [] : [command('retry', run.id, '--include', 'rejected')];
    // Rejected and invalid rows are corrected together.
    found.push([message(text, { rows: count(rejected) }), ...(invalid > 0 ? [] : corrected), ...retry]);
  }
  const statuses = ['unknown', 'rejected', 'failed', 'invalid'] as const;
  const first = statuses.map((status) => firstRows.get(status)).find((row) => row !== undefined);
  if (first !== undefined)
    found.push([message('html.step_explain'), command('explain', run.id, String(first))]);
  return found;
}

function resolveStep({ run, counts, firstRows, verifiable, operation }: RunStepFacts): Found {
  const rows = counts.get('unknown') ?? 0;
  const rowOptions = ['--row', String(firstRows.get('unknown') ?? 0), '--as'];
  const order = operation.name.startsWith('order.') ? ['--license-order-id', 'ID'] : [];
  return [
    message(verifiable ? 'html.step_unknown_verify' : 'html.step_unknown_look', { rows: count(rows) }),
    ...(verifiable ? [command('resolve', run.id, '--verify')] : []),
    command('resolve', run.id, ...rowOptions, 'succeeded', ...order),
    command('resolve', run.id, ...rowOptions, 'failed'),
  ];
}

/** The command that runs the job on the run's own result, if a job can read that. */
function again(verb: 'run' | 'validate', { jobFile, output, connection }: Run): string[] {
  if (output === undefined || !READABLE.has(path.extname(output).toLowerCase())) return [];
  return [command(verb, jobFile, '--input', output, '--connection', connection)];
}

function command(...words: readonly string[]): string {
  return ['license-sync', ...words].map(shellWord).join(' ');
}
