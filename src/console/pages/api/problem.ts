import { COMMON } from '../words/common.js';
import { say } from '../words/language.js';

/** What went wrong, as the console told it (RFC 9457), or as this page saw it. */
export interface ProblemDocument {
  readonly title: string;
  /** 0: no answer came. */
  readonly status: number;
  readonly detail?: string;
  readonly code?: string;
  readonly others?: readonly (string | { readonly detail?: string; readonly pointer?: string })[];
}

/** Thrown by every request that wasn't carried out, or of which that isn't known. */
export class RequestProblem extends Error {
  readonly problem: ProblemDocument;

  constructor(problem: ProblemDocument) {
    super(problem.detail ?? problem.title);
    this.problem = problem;
  }

  /** True where nobody knows whether the console took the request in: it has to be looked up before it is made again. */
  get unanswered(): boolean {
    const { status } = this.problem;
    return status === 0 || status === 502 || status === 504;
  }
}

export function noAnswer(): RequestProblem {
  return new RequestProblem({ title: say(COMMON.offline), status: 0, detail: say(COMMON.offline_detail) });
}

/** What a refused answer says; what isn't from the console is told as such. */
export async function problemOf(response: Response): Promise<RequestProblem> {
  try {
    const said: unknown = await response.json();
    if (isDocument(said)) return new RequestProblem({ ...said, status: response.status });
  } catch {
    // Not JSON: told below.
  }
  const detail = say(COMMON.unreadable_detail, { status: response.status });
  return new RequestProblem({ title: say(COMMON.unreadable), status: response.status, detail });
}

function isDocument(said: unknown): said is ProblemDocument {
  return typeof said === 'object' && said !== null && 'title' in said && typeof said.title === 'string';
}

/** True where the same request may be answered in a moment: no answer came, or the console or its ledger is busy. */
export function mayPass(error: unknown): boolean {
  if (!(error instanceof RequestProblem)) return false;
  const { status } = error.problem;
  return error.unanswered || status === 429 || status === 503;
}

/** Any error as a problem to show. */
export function problemFrom(error: unknown): ProblemDocument {
  if (error instanceof RequestProblem) return error.problem;
  return {
    title: say(COMMON.unreadable),
    status: 0,
    detail: error instanceof Error ? error.message : String(error),
  };
}
