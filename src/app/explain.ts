import { type Message, render, renderText } from '../errors/message.js';
import type { MessageSurface } from '../errors/message-surface.js';
import { correctedMessage } from '../run/report/corrected-cells.js';
import { explainRow, type RowExplanation } from '../run/report/explain.js';
import type { ExplainedStep } from '../run/report/explain-steps.js';
import type { ExplainedRequest } from '../run/report/explained-requests.js';
import { resultMessage } from '../run/report/result-message.js';
import { cellAddress } from '../util/spreadsheet-text.js';
import { type AppContext, wordsOf } from './context.js';
import { resolutionData } from './runs.js';
import { runNamed, withLedger } from './with-ledger.js';

type CellsAsRead = Extract<RowExplanation['source'], { readonly kind: 'cells' }>;

/** `explain`: one row's history, from the ledger and the stored copy of the input. */
export function explain(context: AppContext, run: string, row: number): Promise<RowExplanation> {
  return withLedger(context, async ({ ledger }) =>
    explainRow(ledger, await runNamed(ledger, run), row, context.env),
  );
}

/** The same as plain data. */
export async function explainData(context: AppContext, run: string, row: number) {
  return explainedData(await explain(context, run, row), wordsOf(context));
}

/** The history as plain data, texts in the language. */
export function explainedData(it: RowExplanation, language: MessageSurface) {
  const { run, result, source, audit } = it;
  return {
    run: run.id,
    state: it.liveState,
    operation: run.operation,
    connection: run.connection,
    input: run.inputFile,
    row: result.row,
    ...(source.kind === 'cells'
      ? { sheet: source.sheet, cells: source.cells, ...correctedData(source) }
      : { cellsMissing: render(source.reason, language) }),
    status: result.status,
    licenseOrderId: result.licenseOrderId,
    code: result.code,
    message: resultMessage(result, language),
    columns: result.columns,
    ...(it.lookups.length > 0 ? { lookups: it.lookups.map((lookup) => lookupData(lookup, language)) } : {}),
    requests: it.requests.map(requestData),
    ...(it.steps && { steps: it.steps.map((step) => stepData(step, language)) }),
    audit: audit.map((line) => resolutionData(line, language)),
    ...(it.undone.length > 0 ? { undone: it.undone } : {}),
    next: render(it.next, language),
  };
}

export function correctionsView({ corrected }: Pick<CellsAsRead, 'corrected'>): readonly Message[] {
  return corrected.map(correctedMessage);
}

function correctedData({ corrected }: Pick<CellsAsRead, 'corrected'>) {
  if (corrected.length === 0) return {};
  return {
    corrected: corrected.map(({ row, column, header, before, text, who, at }) => ({
      address: cellAddress(column, row),
      header,
      before,
      text,
      who,
      at: at === undefined ? undefined : new Date(at).toISOString(),
    })),
  };
}

function stepData(step: ExplainedStep, language: MessageSurface) {
  const { name, operation, run, result } = step;
  return {
    name,
    operation: operation.name,
    run,
    status: result.status,
    licenseOrderId: result.licenseOrderId,
    code: result.code,
    message: resultMessage(result, language),
    taken: step.taken,
    returned: Object.fromEntries(step.returned.map((it) => [it.name, it.value])),
    requests: step.requests.map(requestData),
    audit: step.audit.map((line) => resolutionData(line, language)),
  };
}

function requestData({ attempts, ...request }: ExplainedRequest) {
  return {
    ...request,
    sent: attempts.some((attempt) => attempt.sent === true || attempt.endedAt === undefined),
    attempts: attempts.map((attempt) => ({
      attempt: attempt.attempt,
      startedAt: new Date(attempt.startedAt).toISOString(),
      ...(attempt.endedAt === undefined ? {} : { durationMs: attempt.endedAt - attempt.startedAt }),
      nonce: attempt.nonce,
      httpStatus: attempt.httpStatus,
      event: attempt.event ?? 'open',
      sent: attempt.sent,
      reply: attempt.reply,
    })),
  };
}

function lookupData(it: RowExplanation['lookups'][number], language: MessageSurface) {
  const { askedAt, detail, ...others } = it;
  const lookup = { ...others, askedAt: new Date(askedAt).toISOString() };
  return detail === undefined ? lookup : { ...lookup, detail: renderText(detail, language) };
}
