import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { language } from '../words/language.js';
import { type GetOptions, getJson } from './client.js';
import { isTemporary, type ProblemDocument, problemFrom } from './problem.js';

/** The state of a query. The last value stays while the query is repeated. */
export interface QueryState<T> {
  /** Stays, possibly out of date, if repeating the query failed; then `problem` is set. */
  readonly value: T | undefined;
  readonly problem: ProblemDocument | undefined;
  readonly busy: boolean;
  /** Repeats the query. */
  readonly again: () => void;
}

interface Answer<T> {
  readonly key: string;
  readonly value?: T;
  readonly problem?: ProblemDocument;
  /** Time until the query is repeated automatically, in milliseconds. */
  readonly againIn?: number | undefined;
}

const RETRY_MS = 2000;

/**
 * Queries on mount, and again if `key` or the language changes. Responses of older queries are ignored. Temporary
 * failures are retried.
 * @param key identifies the query; undefined: no query yet
 * @param follow milliseconds until the query is repeated; undefined: it is not repeated
 */
export function useQuery<T>(
  key: string | undefined,
  load: (signal: AbortSignal) => Promise<T>,
  follow?: (value: T) => number | undefined,
): QueryState<T> {
  const [answer, setAnswer] = useState<Answer<T>>({ key: '' });
  const [busy, setBusy] = useState(key !== undefined);
  const [reloadCount, setReloadCount] = useState(0);
  const latest = useRef({ load, follow });
  latest.current = { load, follow };
  const currentLanguage = language.value;
  useEffect(() => {
    if (key === undefined) {
      setBusy(false);
      return;
    }
    const controller = new AbortController();
    setBusy(true);
    latest.current
      .load(controller.signal)
      .then((value) => () => ({ key, value, againIn: latest.current.follow?.(value) }))
      .catch((error: unknown) => (before: Answer<T>): Answer<T> => {
        const problem = problemFrom(error);
        if (!isTemporary(error)) return { key, problem };
        return { ...(before.key === key ? before : { key }), problem, againIn: RETRY_MS };
      })
      .then((next) => {
        if (controller.signal.aborted) return;
        setAnswer(next);
        setBusy(false);
      });
    return () => controller.abort();
  }, [key, reloadCount, currentLanguage]);
  const again = useCallback(() => setReloadCount((it) => it + 1), []);
  const current = answer.key === key ? answer : undefined;
  useEffect(() => {
    if (current?.againIn === undefined) return;
    let timer: ReturnType<typeof setTimeout>;
    const wait = (): void => {
      timer = setTimeout(() => (document.hidden ? wait() : again()), current.againIn);
    };
    wait();
    return () => clearTimeout(timer);
  }, [current, again]);
  return { value: current?.value, problem: current?.problem, busy, again };
}

/**
 * Queries a resource of the console, as `useQuery`.
 * @param path undefined: no query yet
 * @param also the query is repeated when it changes
 */
export function useResource<T>(
  path: string | undefined,
  {
    query,
    also,
    follow,
  }: Pick<GetOptions, 'query'> & {
    readonly also?: unknown;
    readonly follow?: (value: T) => number | undefined;
  } = {},
): QueryState<T> {
  const key = path === undefined ? undefined : JSON.stringify([path, query, also]);
  return useQuery(key, (signal) => getJson<T>(path ?? '', { query, signal }), follow);
}
