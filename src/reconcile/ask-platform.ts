import { type Message, message, render, renderText } from '../errors/message.js';
import type { Answer, Inquiry } from '../platform/client/inquiry.js';
import { operationNamed } from '../platform/operations/catalogue.js';
import type { ComparedRequest, DriftStore } from './drift-store.js';
import type { Reconciliation } from './input.js';
import { byName, contradictions, judgeRow } from './judge-rows.js';
import type { DriftVerdict } from './services.js';

/** Why not all requests were sent; undefined if all were. */
export type InquiryEnd =
  | { readonly kind: 'interrupted' }
  | { readonly kind: 'stopped'; readonly reason: Message };

/**
 * Sends every request of the store (or those whose rows actions touched), at most `concurrency` at a time, and sets
 * each row's verdict. Rows of a request without a reply become `error`, and extra records are not determined for it. If
 * rows are read again, such rows keep their earlier verdict, with a note.
 */
export async function queryPlatform(
  reconciliation: Reconciliation,
  inquiry: Inquiry,
  only: 'all' | 'touched',
): Promise<InquiryEnd | undefined> {
  const { store, job, observer, stop } = reconciliation;
  const total = store.requestCount(only);
  let last = 0;
  let done = 0;
  let failing = 0;
  let unanswered = 0;
  let why: Message | string = '';
  let end: InquiryEnd | undefined;
  const worker = async (): Promise<void> => {
    for (;;) {
      if (stop.cause) end ??= { kind: 'interrupted' };
      if (end) return;
      const next = store.nextRequest(last, only);
      if (!next) return;
      last = next.id;
      const answer = await queryOne(reconciliation, inquiry, next, only === 'touched');
      done += 1;
      failing = answer.kind === 'none' ? failing + 1 : 0;
      if (answer.kind === 'none') {
        unanswered += 1;
        why = answer.detail;
      }
      observer.progress({ stage: 'execute', done, total });
      if (inquiry.stopped) {
        // It does not offer resume, because a comparison is started again.
        const { kind, why } = inquiry.stopped;
        const reason = message(kind === 'refused' ? 'reconcile.then_again' : 'reconcile.later_again', {
          why,
        });
        end ??= { kind: 'stopped', reason };
      } else if (failing >= job.run.stopAfterFailures) {
        end ??= { kind: 'stopped', reason: message('reconcile.too_many_failures', { count: failing, why }) };
      }
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, Math.min(job.run.concurrency, total)) }, worker));
  if (end) markNotRequested(reconciliation, last, only);
  else if (unanswered > 0) observer.warn(message('reconcile.unanswered', { count: unanswered, why }));
  return end;
}

async function queryOne(
  reconciliation: Reconciliation,
  inquiry: Inquiry,
  { id, request }: ComparedRequest,
  again: boolean,
): Promise<Answer> {
  const { store, job, comparison, connection, language } = reconciliation;
  const answer = await inquiry.ask(operationNamed(comparison.inquiry), request);
  if (answer.kind === 'none') {
    const detail = renderText(answer.detail, language);
    if (again) keepEarlierVerdicts(reconciliation, id, message('reconcile.unread_again', { detail }));
    else makeErrors(store, id, message('reconcile.unread', { detail }));
    return answer;
  }
  const rows = store.rowsOf(id);
  // The request's fields are added to each record, because a listed asset does not name its enterprise.
  const records = answer.records.map((record) => ({ ...request, ...record }));
  const found = byName(records, request, comparison);
  const { named } = found;
  // If records share a name, each row may refer to a different record.
  const contradicted = comparison.sharedNames ? new Map() : contradictions(rows, comparison, connection);
  for (const row of rows) {
    const before = again ? store.verdict(row.row) : undefined;
    const contradiction = contradicted.get(row.row);
    const verdict: DriftVerdict = contradiction
      ? { status: 'error', differences: [], message: message('reconcile.contradicted', { ...contradiction }) }
      : judgeRow(row, found, comparison, connection);
    store.setVerdict(row.row, before ? { ...verdict, before } : verdict);
  }
  if (again) {
    for (const extra of store.extrasOf(id)) {
      if (!named.has(extra.id)) {
        const before = store.verdict(extra.line);
        const absent = { status: 'in_sync', differences: [], message: message('reconcile.gone') } as const;
        store.setVerdict(extra.line, before ? { ...absent, before } : absent);
      }
    }
    return answer;
  }
  if (job.extra === 'ignore') return answer;
  for (const [name, { label, records }] of named) {
    const [record] = records;
    if (record && !store.knows(name)) store.addExtra({ id: name, request: id, label, record });
  }
  return answer;
}

function markNotRequested(reconciliation: Reconciliation, last: number, only: 'all' | 'touched'): void {
  const { store } = reconciliation;
  for (let after = last; ; ) {
    const next = store.nextRequest(after, only);
    if (!next) return;
    if (only === 'all') makeErrors(store, next.id, message('reconcile.not_asked'));
    else keepEarlierVerdicts(reconciliation, next.id, message('reconcile.not_asked_again'));
    after = next.id;
  }
}

function makeErrors(store: DriftStore, request: number, why: Message): void {
  for (const { row } of store.rowsOf(request)) {
    store.setVerdict(row, { status: 'error', differences: [], message: why });
  }
}

/** Keeps the verdicts from before the actions, with a note why they were not read again. */
function keepEarlierVerdicts({ store, language }: Reconciliation, request: number, why: Message): void {
  const lines = [
    ...store.rowsOf(request).map(({ row }) => row),
    ...store.extrasOf(request).map((extra) => extra.line),
  ];
  for (const line of lines) {
    const before = store.verdict(line);
    if (!before) continue;
    const text =
      before.message === undefined
        ? why
        : `${renderText(before.message, language)}; ${render(why, language)}`;
    store.setVerdict(line, { ...before, message: text });
  }
}
