import { STATUS_CODES } from 'node:http';
import { z } from 'zod';
import { failureOf } from '../app/failure.js';
import { CellsChangedError } from '../app/imports/correct-import.js';
import { type Message, render } from '../errors/message.js';
import type { MessageSurface } from '../errors/message-surface.js';
import { type ErrorKind, ProductError } from '../errors/product-error.js';
import { changedCellsSchema } from './routes/import-schemas.js';

/** RFC 9457, with the same codes and texts as the command line. */
export const problemSchema = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  code: z.string(),
  others: z.array(z.string()).optional(),
  cells: changedCellsSchema.optional(),
});

/** A request rejected for a reason of the web layer, in addition to the errors of use cases. */
export class WebRefusal extends ProductError {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    detail: Message,
    { headers = {}, others = [] }: { headers?: Record<string, string>; others?: readonly Message[] } = {},
  ) {
    super('usage', detail, { others });
    this.status = status;
    this.headers = headers;
  }
}

const STATUS_OF_KIND: Readonly<Record<ErrorKind, number>> = {
  usage: 400,
  input: 422,
  safety: 409,
  internal: 500,
};

/** Codes with a more specific HTTP status than their kind. */
const STATUS_OF_CODE: Readonly<Record<string, number>> = {
  'run.no_such_run': 404,
  'imports.no_such_import': 404,
  'imports.no_such_upload': 404,
  'imports.not_checked': 409,
  'imports.job_exists': 409,
  'imports.columns_changed': 409,
  'imports.too_large': 413,
  'imports.too_slow': 408,
  'ledger.none_there': 404,
  'explain.no_such_row': 404,
  'run.plan_used': 409,
  'run.plan_begun': 409,
  'run.plan_changed': 409,
  'run.plan_too_old': 409,
  'run.not_a_plan': 409,
  'run.nothing_to_resume': 409,
  'run.pruned': 409,
  'retry.unfinished': 409,
  'retry.not_a_run': 409,
  'team.not_carried': 409,
  'ledger.run_going_on': 409,
  'ledger.another_run_going_on': 409,
  'send.items_differ': 409,
  'send.connection_differs': 409,
  'send.number_required': 409,
  'send.not_carried_here': 409,
  'send.not_under_way': 409,
  'people.not_allowed': 403,
  'people.token_required': 403,
  'people.token_unknown': 401,
  'people.token_expired': 401,
  'people.person_gone': 401,
  'ledger.server_gone': 503,
  'ledger.server_unreachable': 503,
};

function statusOf(error: unknown): number {
  if (error instanceof WebRefusal) return error.status;
  if (!(error instanceof ProductError)) return 500;
  return STATUS_OF_CODE[error.code] ?? STATUS_OF_KIND[error.kind];
}

/** The response for an error. An internal error is logged for the operator; the client gets a general text only. */
export function problemOf(error: unknown, language: MessageSurface, log: (text: string) => void): Response {
  const status = statusOf(error);
  const { code, text, others } = failureOf(error, language);
  const isInternal = !(error instanceof ProductError);
  if (isInternal) log(text);
  const detail = isInternal ? render({ code: 'console.fault', params: {} }, language) : text;
  const body = {
    type: `urn:license-sync:${code}`,
    title: STATUS_CODES[status] ?? String(status),
    status,
    detail,
    code,
    ...(others.length > 0 && !isInternal ? { others } : {}),
    ...(error instanceof CellsChangedError
      ? { cells: error.cells.map((it) => ({ ...it, at: new Date(it.at).toISOString() })) }
      : {}),
  };
  return new Response(JSON.stringify(body), {
    status,
    headers: {
      'content-type': 'application/problem+json',
      ...(error instanceof WebRefusal ? error.headers : {}),
    },
  });
}
