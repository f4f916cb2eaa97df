import { language } from '../words/language.js';
import { noAnswer, problemOf } from './problem.js';

const API = '/api/v1';

let signedOut: () => void = () => {};

/** @param heard called when an answer says that nobody is signed in any more */
export function whenSignedOut(heard: () => void): void {
  signedOut = heard;
}

interface AskOptions {
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly signal?: AbortSignal;
}

/** `GET`: what the console answers. @throws RequestProblem */
export async function ask<T>(path: string, { query = {}, signal }: AskOptions = {}): Promise<T> {
  return (await (await request(path + queryText(query), { signal })).json()) as T;
}

/** A write. @param body sent as JSON; @throws RequestProblem, whose `unanswered` says that it may have been carried out */
export async function act<T>(
  method: 'POST' | 'PUT' | 'DELETE',
  path: string,
  body?: unknown,
  { signal }: { readonly signal?: AbortSignal } = {},
): Promise<T> {
  const headers = new Headers({ 'x-act': actId() });
  if (body !== undefined) headers.set('content-type', 'application/json');
  const response = await request(path, {
    method,
    signal,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return (response.status === 204 ? undefined : await response.json().catch(() => undefined)) as T;
}

/** Names an act, so that a request which the browser itself repeats is one act to the console. */
function actId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (it) =>
    it.toString(16).padStart(2, '0'),
  ).join('');
}

/** @param path below `/api/v1`; a 401 of any of them means that nobody is signed in any more */
export async function request(
  path: string,
  init: RequestInit & { signal?: AbortSignal | undefined } = {},
): Promise<Response> {
  const headers = new Headers(init.headers);
  headers.set('accept-language', language.value);
  // Next steps are told as buttons, not as commands.
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
  if (response.status === 401 && path !== '/session') signedOut();
  throw problem;
}

function queryText(query: NonNullable<AskOptions['query']>): string {
  const given = Object.entries(query).filter(([, it]) => it !== undefined && it !== '');
  const text = new URLSearchParams(given.map(([name, it]) => [name, String(it)])).toString();
  return text === '' ? '' : `?${text}`;
}

/** An address to load from, for links; names of runs and files stand in it as they are. */
export function apiAddress(path: string): string {
  return API + path;
}
