import { language } from '../words/language.js';
import { lastContact, noAnswer, offline, problemOf, RequestProblem } from './problem.js';

const API = '/api/v1';

/** The session that the requests of this page belong to. */
export const pageSession: {
  /** The user who loaded the page. The console rejects requests of the page if another user is signed in. */
  who?: string | undefined;
  /** Called if a response reports that the session has ended; resolves when the same user is signed in again. */
  renewed: () => Promise<void>;
} = { renewed: () => Promise.resolve() };

export interface GetOptions {
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly signal?: AbortSignal;
}

/** `GET`. @throws RequestProblem */
export async function getJson<T>(path: string, { query = {}, signal }: GetOptions = {}): Promise<T> {
  return (await (await request(path + queryText(query), { signal })).json()) as T;
}

/** A write. @param body sent as JSON; @throws RequestProblem; if `unanswered`, the write may have been executed */
export async function sendJson<T>(
  method: 'POST' | 'PUT' | 'DELETE',
  path: string,
  body?: unknown,
  { signal }: { readonly signal?: AbortSignal } = {},
): Promise<T> {
  const headers = new Headers({ 'x-act': newActionId() });
  if (body !== undefined) headers.set('content-type', 'application/json');
  const response = await request(path, {
    method,
    signal,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return (response.status === 204 ? undefined : await response.json().catch(() => undefined)) as T;
}

/** An id for the `X-Act` header: the console executes a write that the browser repeats only once. */
function newActionId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (it) =>
    it.toString(16).padStart(2, '0'),
  ).join('');
}

/** Headers of every request of a page. */
export function pageHeaders(init?: HeadersInit): Headers {
  const headers = new Headers(init);
  headers.set('accept-language', language.value);
  // Problems then name buttons of the page in place of commands.
  headers.set('x-words', 'page');
  if (pageSession.who !== undefined) headers.set('x-user', encodeURIComponent(pageSession.who));
  return headers;
}

/**
 * Repeats a request that the console rejected because the session has ended, when the user is signed in again. Writes
 * too: the console had executed nothing.
 */
export async function withSession<T>(send: () => Promise<T>): Promise<T> {
  const { who } = pageSession;
  try {
    return await send();
  } catch (error) {
    if (!(error instanceof RequestProblem) || error.problem.status !== 401) throw error;
    await pageSession.renewed();
    // The user signed out, and another signed in.
    if (pageSession.who !== who) throw error;
    return send();
  }
}

/** @param path below `/api/v1`; a 401 of any path except `/session` means that the session has ended */
export function request(
  path: string,
  init: RequestInit & { signal?: AbortSignal | undefined } = {},
): Promise<Response> {
  return path === '/session' ? requestOnce(path, init) : withSession(() => requestOnce(path, init));
}

async function requestOnce(
  path: string,
  init: RequestInit & { signal?: AbortSignal | undefined },
): Promise<Response> {
  const headers = pageHeaders(init.headers);
  if (!headers.has('accept')) headers.set('accept', 'application/json');
  if (path === '/session') headers.delete('x-user');
  let response: Response;
  try {
    response = await fetch(API + path, { ...init, headers, signal: init.signal ?? null });
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw noAnswer();
  }
  const problem = response.ok ? undefined : await problemOf(response);
  if (problem?.problem.status === 0) throw problem;
  offline.value = false;
  lastContact.value = new Date();
  if (problem) throw problem;
  return response;
}

function queryText(query: NonNullable<GetOptions['query']>): string {
  const defined = Object.entries(query).filter(([, it]) => it !== undefined && it !== '');
  const text = new URLSearchParams(defined.map(([name, it]) => [name, String(it)])).toString();
  return text === '' ? '' : `?${text}`;
}

/** The address of an API path, for links. Ids in the path must be encoded already. */
export function apiAddress(path: string): string {
  return API + path;
}
