import { type Message, message, render, renderText } from '../errors/message.js';
import type { Answer, Inquiry, InquiryStop } from '../platform/client/inquiry.js';
import { operationNamed } from '../platform/operations/index.js';
import type { DriftVerdict } from './contract.js';
import { contradictions } from './contradictions.js';
import type { ComparedRequest, DriftStore } from './drift-store.js';
import { byName, judgeRow } from './judge-rows.js';
import type { Reconciliation } from './reconciliation.js';

/** Why not every request was made; undefined when all were. */
export type InquiryEnd =
  | { readonly kind: 'interrupted' }
  | { readonly kind: 'stopped'; readonly reason: Message };

/**
 * Makes every request of the store (or those whose rows actions touched), `concurrency` at a time, and gives each row
 * its verdict. The rows of a request without an answer become `error`, and it shows no extra records. When rows are
 * read again, such rows keep their earlier verdict, with a note.
 */
export async function askPlatform(
  asking: Reconciliation,
  inquiry: Inquiry,
  only: 'all' | 'touched',
): Promise<InquiryEnd | undefined> {
  const { store, job, observer, stop } = asking;
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
      const answer = await askOne(asking, inquiry, next, only === 'touched');
      done += 1;
      failing = answer.kind === 'none' ? failing + 1 : 0;
      if (answer.kind === 'none') {
        unanswered += 1;
        why = answer.detail;
      }
      observer.progress({ stage: 'execute', done, total });
      if (inquiry.stopped) end ??= { kind: 'stopped', reason: stopMessage(inquiry.stopped) };
      else if (failing >= job.run.stopAfterFailures) {
        end ??= { kind: 'stopped', reason: message('reconcile.too_many_failures', { count: failing, why }) };
      }
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, Math.min(job.run.concurrency, total)) }, worker));
  if (end) markUnasked(asking, last, only);
  else if (unanswered > 0) observer.warn(message('reconcile.unanswered', { count: unanswered, why }));
  return end;
}

/** The message of a stop. It doesn't offer resume: a comparison is run again. */
function stopMessage({ kind, why }: InquiryStop): Message {
  return message(kind === 'refused' ? 'reconcile.then_again' : 'reconcile.later_again', { why });
}

async function askOne(
  asking: Reconciliation,
  inquiry: Inquiry,
  { id, request }: ComparedRequest,
  again: boolean,
): Promise<Answer> {
  const { store, job, comparison, connection, language } = asking;
  const answer = await inquiry.ask(operationNamed(comparison.inquiry), request);
  if (answer.kind === 'none') {
    const detail = renderText(answer.detail, language);
    if (again) keepEarlierVerdicts(asking, id, message('reconcile.unread_again', { detail }));
    else makeErrors(store, id, message('reconcile.unread', { detail }));
    return answer;
  }
  const rows = store.rowsOf(id);
  // The request's fields are added to each record: a listed asset doesn't say which enterprise it belongs to.
  const records = answer.records.map((it) => ({ ...request, ...it }));
  const found = byName(records, request, comparison);
  const { named } = found;
  // If records share a name, each row may mean another of them.
  const contradicted = comparison.sharedNames ? new Map() : contradictions(rows, comparison, connection);
  for (const row of rows) {
    const before = again ? store.verdict(row.row) : undefined;
    const other = contradicted.get(row.row);
    const verdict: DriftVerdict = other
      ? { status: 'error', differences: [], message: message('reconcile.contradicted', { ...other }) }
      : judgeRow(row, found, comparison, connection);
    store.setVerdict(row.row, before ? { ...verdict, before } : verdict);
  }
  if (again) {
    for (const extra of store.extrasOf(id)) {
      if (!named.has(extra.id)) {
        const before = store.verdict(extra.line);
        const gone = { status: 'in_sync', differences: [], message: message('reconcile.gone') } as const;
        store.setVerdict(extra.line, before ? { ...gone, before } : gone);
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

function markUnasked(asking: Reconciliation, last: number, only: 'all' | 'touched'): void {
  const { store } = asking;
  for (let at = last; ; ) {
    const next = store.nextRequest(at, only);
    if (!next) return;
    if (only === 'all') makeErrors(store, next.id, message('reconcile.not_asked'));
    else keepEarlierVerdicts(asking, next.id, message('reconcile.not_asked_again'));
    at = next.id;
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
    ...store.extrasOf(request).map((it) => it.line),
  ];
  for (const line of lines) {
    const before = store.verdict(line);
    if (!before) continue;
    const said =
      before.message === undefined
        ? why
        : `${renderText(before.message, language)}; ${render(why, language)}`;
    store.setVerdict(line, { ...before, message: said });
  }
}
