import { language } from '../words/language.js';
import { noAnswer, problemOf } from './problem.js';

const API = '/api/v1';

let onSignedOut: () => void = () => {};

/** @param listener called if a response reports that the session has ended */
export function whenSignedOut(listener: () => void): void {
  onSignedOut = listener;
}

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

/** @param path below `/api/v1`; a 401 of any path except `/session` means that the session has ended */
export async function request(
  path: string,
  init: RequestInit & { signal?: AbortSignal | undefined } = {},
): Promise<Response> {
  const headers = new Headers(init.headers);
  headers.set('accept-language', language.value);
  // Problems then name buttons of the page in place of commands.
  headers.set('x-words', 'page');
  if (!headers.has('accept')) headers.set('accept', 'application/json');
  let response: Response;
  try {
    response = await fetch(API + path, { ...init, headers, signal: init.signal ?? null });
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw noAnswer();
  }
  if (response.ok) return response;
  const problem = await problemOf(response);
  if (response.status === 401 && path !== '/session') onSignedOut();
  throw problem;
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
