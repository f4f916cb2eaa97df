import { signal } from '@preact/signals';
import type { z } from 'zod';
import type { changedCellsSchema } from '../../routes/import-schemas.js';
import { t } from '../words/language.js';

/** The last request got no response from the console. The frame reports it, in place of problems of single requests. */
export const offline = signal(false);

/** Time of the last response of the console. */
export const lastContact = signal(new Date());

/** An error, as reported by the console (RFC 9457) or detected by the page. */
export interface ProblemDocument {
  readonly title: string;
  /** 0: no response. */
  readonly status: number;
  readonly detail?: string;
  readonly code?: string;
  /** Cells that other users changed, with their current texts. */
  readonly cells?: z.infer<typeof changedCellsSchema>;
  readonly others?: readonly (string | { readonly detail?: string; readonly pointer?: string })[];
}

/** Thrown by requests that failed or whose outcome is unknown. */
export class RequestProblem extends Error {
  readonly problem: ProblemDocument;

  constructor(problem: ProblemDocument) {
    super(problem.detail ?? problem.title);
    this.problem = problem;
  }

  /** True if the outcome of the request is unknown; it must be looked up before the request is sent again. */
  get unanswered(): boolean {
    const { status } = this.problem;
    return status === 0 || status === 502 || status === 504;
  }
}

export function noAnswer(): RequestProblem {
  offline.value = true;
  return new RequestProblem({ title: t('common.offline'), status: 0, detail: t('common.offline_detail') });
}

const GATEWAY_STATUSES: ReadonlySet<number> = new Set([502, 503, 504]);

/** The problem in an error response; a response that is not from the console gets a general problem. */
export async function problemOf(response: Response): Promise<RequestProblem> {
  try {
    const body: unknown = await response.json();
    if (isDocument(body)) return new RequestProblem({ ...body, status: response.status });
  } catch {
    // Not JSON: a general problem is returned.
  }
  // A proxy in front of the console has no connection to it.
  if (GATEWAY_STATUSES.has(response.status)) return noAnswer();
  const detail = t('common.unreadable_detail', { status: response.status });
  return new RequestProblem({ title: t('common.unreadable'), status: response.status, detail });
}

function isDocument(body: unknown): body is ProblemDocument {
  return typeof body === 'object' && body !== null && 'title' in body && typeof body.title === 'string';
}

/** True if the same request may succeed in a moment: no response, or the console or its ledger is busy. */
export function isTemporary(error: unknown): boolean {
  if (!(error instanceof RequestProblem)) return false;
  const { status } = error.problem;
  return error.unanswered || status === 429 || status === 503;
}

export function problemFrom(error: unknown): ProblemDocument {
  if (error instanceof RequestProblem) return error.problem;
  return {
    title: t('common.unreadable'),
    status: 0,
    detail: error instanceof Error ? error.message : String(error),
  };
}
