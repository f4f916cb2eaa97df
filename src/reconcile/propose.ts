import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { message, render } from '../errors/message.js';
import type { Job, ReconcileAction } from '../model/job.js';
import type { JsonObject } from '../model/json.js';
import type { Row } from '../model/row.js';
import { writeRows } from '../source/rows/write.js';
import { EventLoopTurns } from '../util/event-loop.js';
import { actionFields, actionHeaders, actionRow, recordPaths } from './action-rows.js';
import { expectationOf, keyOf } from './bind.js';
import { type BoundWhen, bindWhen } from './bind-when.js';
import type { DriftVerdict } from './contract.js';
import type { Reconciliation } from './reconciliation.js';

/** An action that applies to at least one row. */
export interface ProposedAction {
  /** Counted from 1, as in the job file. */
  readonly action: number;
  readonly job: Job;
}

/** The folder with the sources of actions, by run, until the actions' runs have copies of them. */
export function actionsFolder(stateFolder: string): string {
  return path.join(stateFolder, 'actions');
}

/**
 * Finds the rows that an action applies to, notes them, and writes them as the source of a job of its own, with columns
 * for what is expected and found. undefined when there are none, or nothing is to be carried out.
 */
export async function propose(proposing: Reconciliation, index: number): Promise<ProposedAction | undefined> {
  const { run, job, input, comparison, store, stateFolder } = proposing;
  const action = job.actions[index]!;
  const headers = actionHeaders(input.table.headers, recordPaths(actionFields(comparison)));
  let touched = 0;
  const rows = async function* (): AsyncGenerator<readonly Row[]> {
    for await (const chosen of chosenRows(proposing, action, index)) {
      const page = chosen.map(({ line, row, verdict }) => {
        const expected = expectedOf(store.body(line));
        const place = { sheet: input.table.sheet.name, line, row };
        return actionRow(place, headers, {
          expected,
          actual: verdict.status === 'missing' ? {} : (verdict.actual ?? {}),
        });
      });
      touched += page.length;
      yield page;
    }
  };
  if (!proposing.apply) {
    for await (const _ of rows());
    return undefined;
  }
  const folder = path.join(actionsFolder(stateFolder), run);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = path.join(folder, `${index + 1}.rows`);
  const { name } = input.table.sheet;
  await writeRows(file, { sheet: name, headerRow: input.table.headerRow, headers, rows: rows() });
  return touched === 0 ? undefined : { action: index + 1, job: actionJob(proposing, index, file) };
}

/** What a row says of its record: the key and the expected fields. */
function expectedOf(body: JsonObject | undefined): JsonObject {
  return body ? { ...keyOf(body), ...expectationOf(body) } : {};
}

interface Chosen {
  readonly line: number;
  /** Absent for an extra record. */
  readonly row: Row | undefined;
  readonly verdict: DriftVerdict;
}

/** The rows or extra records that have the action's status and meet its condition. */
async function* chosenRows(
  proposing: Reconciliation,
  action: ReconcileAction,
  index: number,
): AsyncGenerator<readonly Chosen[]> {
  const { input, store } = proposing;
  const when = bindWhen(proposing.job, action, input.table, proposing.comparison);
  const wanted = (line: number, row: Row | undefined): Chosen[] => {
    const verdict = store.verdict(line);
    if (verdict?.status !== action.on) return [];
    return holds(proposing, when, { line, row, verdict }, index) ? [{ line, row, verdict }] : [];
  };
  if (action.on !== 'extra') {
    const turns = new EventLoopTurns();
    for await (const chunk of input.reader.plain()) {
      const chosen: Chosen[] = [];
      for (const row of chunk) {
        if (turns.isDue) await turns.take();
        chosen.push(...wanted(row.number, row));
      }
      yield chosen;
    }
    return;
  }
  for (const extras of store.extras()) yield extras.flatMap(({ line }) => wanted(line, undefined));
}

function holds(
  { store, job, language }: Reconciliation,
  when: BoundWhen | undefined,
  { line, row, verdict }: Chosen,
  index: number,
): boolean {
  const operation = job.actions[index]!.operation;
  if (when) {
    const expected = expectedOf(store.body(line));
    const result = when(row, expected, verdict.status === 'missing' ? {} : (verdict.actual ?? {}));
    if (!result.ok) {
      const params = { condition: job.actions[index]!.when?.source ?? '', detail: result.detail };
      const text = render(message('reconcile.when_undecided', params), language);
      store.note(line, { action: index + 1, operation, status: 'not_decided', message: text });
    }
    if (!result.ok || !result.value) return false;
  }
  store.note(line, { action: index + 1, operation, status: 'proposed', message: '' });
  return true;
}

function actionJob({ job, input, output }: Reconciliation, index: number, file: string): Job {
  const { operation, map, batch } = job.actions[index]!;
  const suffix = `${index + 1}-${operation.replaceAll(/[._]/g, '-')}`;
  const { dir, name, ext } = path.parse(output);
  return {
    file: job.file,
    sha256: job.sha256,
    name: `${job.name}-${suffix}`,
    operation,
    source: {
      file,
      headerRow: input.table.headerRow,
      encoding: 'auto',
      delimiter: 'auto',
      hiddenRows: 'include',
    },
    map,
    batch,
    run: job.run,
    safety: job.safety,
    output: { file: path.join(dir, `${name}-${suffix}${ext}`) },
  };
}
