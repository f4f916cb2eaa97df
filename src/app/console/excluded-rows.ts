import { message, render, renderText } from '../../errors/message.js';
import type { MessageSurface } from '../../errors/message-surface.js';
import type { Ledger } from '../../ledger/contract/ledger.js';
import type { RowResult } from '../../ledger/contract/report.js';
import type { Run } from '../../ledger/contract/runs.js';
import type { MapNode } from '../../model/map.js';
import type { Fault } from '../../model/row.js';
import { STATUSES, type Status } from '../../model/status.js';
import { unpackAny } from '../../run/settings.js';
import { cellAddress } from '../../util/spreadsheet-text.js';
import { faultText } from '../../workbook/cell-locations.js';

const ROWS_NAMED = 10;
/** Time limit of the search for reasons of excluded rows; the view then names the last row that was read. */
const SEARCH_MS = 1500;

/** Statuses that planning assigns. */
export const EXCLUDED_STATUSES: ReadonlySet<Status> = new Set(['invalid', 'skipped']);

export interface Reason {
  readonly reason: string;
  readonly status: string;
  count: number;
  readonly rows: number[];
}

/** Rows that aren't sent, by status and reason, the most frequent first. */
export async function excludedRows(
  ledger: Ledger,
  run: Run,
  {
    parts,
    isSent,
    language,
  }: {
    readonly parts: readonly { readonly step?: string | undefined; readonly run?: Run | undefined }[];
    readonly isSent: boolean;
    readonly language: MessageSurface;
  },
) {
  const until = performance.now() + SEARCH_MS;
  const found = new Map<string, Reason>();
  const seen = new Set<string>();
  // After sending, only these statuses mean that a row was excluded by the plan.
  const statuses = STATUSES.filter((it) => (isSent ? EXCLUDED_STATUSES.has(it) : it !== 'valid'));
  const { job } = unpackAny(run.settings);
  for (const { step, run: of } of parts) {
    if (!of) continue;
    const headers = headersOf('steps' in job ? job.steps.find((it) => it.name === step)?.map : job.map);
    const limits = { headers, language, seen, ...(step === undefined ? {} : { step }) };
    let after = 0;
    for (;;) {
      const { row, lookedTo } = await ledger.report.nextOf(of.id, statuses, { pendingAs: 'valid', after });
      if (row === undefined && lookedTo === undefined) break;
      after = lookedTo ?? row! - 1;
      if (row !== undefined) {
        for await (const page of ledger.report.rows(of.id, 'valid', after)) {
          for (const it of page) {
            if (!statuses.includes(it.status)) continue;
            // Counts that lack rows are reported as incomplete.
            if (found.size >= MOST_REASONS)
              return { skipped: mostFrequentFirst(found), skippedUntil: it.row - 1 };
            addReason(found, it, limits);
          }
          after = page.at(-1)?.row ?? after;
          if (!page.some((it) => statuses.includes(it.status)) || performance.now() > until) break;
        }
      }
      if (performance.now() > until) return { skipped: mostFrequentFirst(found), skippedUntil: after };
    }
  }
  return { skipped: mostFrequentFirst(found) };
}

function mostFrequentFirst<T extends { readonly count: number }>(
  found: ReadonlyMap<string, T>,
): readonly T[] {
  return [...found.values()].sort((a, b) => b.count - a.count);
}

const MOST_REASONS = 200;

interface ViewLimits {
  readonly headers: ReadonlyMap<string, string>;
  readonly language: MessageSurface;
  readonly step?: string;
  /** Row and reason, to count a reason of several steps once. */
  readonly seen: Set<string>;
}

function addReason(
  found: Map<string, Reason>,
  { row, status, faults, messages }: RowResult,
  { headers, language, step, seen }: ViewLimits,
): void {
  const [fault] = faults;
  const text = messages[0]?.text ?? '';
  const code = typeof text === 'string' ? undefined : text.code;
  // Reported for the step that found the row invalid.
  if (code === 'steps.invalid') return;
  const isOfStep = step !== undefined && !fault && code !== 'steps.together';
  const reason = fault ? faultByHeader(fault, headers, language) : renderText(text, language);
  // Errors name a different cell in every row, so they are grouped by kind.
  const kind = fault ? `${fault.message.code} ${fault.column ?? ''}` : `${isOfStep ? step : ''} ${reason}`;
  const key = `${status} ${kind}`;
  if (step !== undefined && !isOfStep) {
    if (seen.has(`${row} ${key}`)) return;
    seen.add(`${row} ${key}`);
  }
  const entry = found.get(key) ?? {
    reason: isOfStep ? `${step}: ${reason}` : reason,
    status,
    count: 0,
    rows: [],
  };
  entry.count += 1;
  if (entry.rows.length < ROWS_NAMED) entry.rows.push(row);
  found.set(key, entry);
}

/** The error text of the result, with the header of the mapped column instead of the field. */
function faultByHeader(fault: Fault, headers: ReadonlyMap<string, string>, language: MessageSurface): string {
  const header = fault.column === undefined ? undefined : headers.get(fault.field ?? '');
  if (fault.column === undefined || header === undefined) return faultText(fault, language);
  const cell = `${fault.sheet}!${cellAddress(fault.column, fault.row)}`;
  return render(
    message('imports.fault_cell', { header, cell, fault: render(fault.message, language) }),
    language,
  );
}

/** Headers of the mapped columns by field path. Steps may map the same field from different columns. */
export function headersOf(map: MapNode | undefined): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const add = (node: MapNode | undefined, path: readonly string[]): void => {
    if (node?.kind === 'column') found.set(path.join('.'), node.column);
    else if (node?.kind === 'branch') for (const [name, it] of node.fields) add(it, [...path, name]);
  };
  add(map, []);
  return found;
}
