import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { language } from '../words/language.js';
import { mayPass, type ProblemDocument, problemFrom } from './problem.js';

/** What was asked of the console, as far as it has answered. What was there stays while it is asked again. */
export interface AskedAnswer<T> {
  /** Stays, older than it should be, where asking again was refused for the moment: `problem` says so. */
  readonly value: T | undefined;
  readonly problem: ProblemDocument | undefined;
  readonly busy: boolean;
  /** Asks again. */
  readonly again: () => void;
  /** Puts a newer value in place, such as the answer of a write. */
  readonly put: (value: T) => void;
}

interface Answer<T> {
  readonly of: string;
  readonly value?: T;
  readonly problem?: ProblemDocument;
  /** Asked again by itself, after so many milliseconds. */
  readonly againIn?: number | undefined;
}

const AFTER_REFUSAL_MS = 2000;

/**
 * Asks when the page is drawn, and again when `key` or the language changes; an older answer never replaces a newer one.
 * Where the console has no answer for the moment it is asked until it has one.
 * @param key what is asked for; undefined: nothing, yet
 * @param follow milliseconds until it is asked again, of what changes by itself; undefined: it doesn't any more
 */
export function useAsked<T>(
  key: string | undefined,
  ask: (signal: AbortSignal) => Promise<T>,
  follow?: (value: T) => number | undefined,
): AskedAnswer<T> {
  const [answer, setAnswer] = useState<Answer<T>>({ of: '' });
  const [busy, setBusy] = useState(key !== undefined);
  const [turn, setTurn] = useState(0);
  const latest = useRef({ ask, follow });
  latest.current = { ask, follow };
  const spoken = language.value;
  useEffect(() => {
    if (key === undefined) {
      setBusy(false);
      return;
    }
    const controller = new AbortController();
    setBusy(true);
    latest.current
      .ask(controller.signal)
      .then((value) => () => ({ of: key, value, againIn: latest.current.follow?.(value) }))
      .catch((error: unknown) => (before: Answer<T>): Answer<T> => {
        const problem = problemFrom(error);
        if (!mayPass(error)) return { of: key, problem };
        return { ...(before.of === key ? before : { of: key }), problem, againIn: AFTER_REFUSAL_MS };
      })
      .then((next) => {
        if (controller.signal.aborted) return;
        setAnswer(next);
        setBusy(false);
      });
    return () => controller.abort();
  }, [key, turn, spoken]);
  const again = useCallback(() => setTurn((it) => it + 1), []);
  const put = useCallback((value: T) => setAnswer({ of: key ?? '', value }), [key]);
  const own = answer.of === key ? answer : undefined;
  useEffect(() => {
    if (own?.againIn === undefined) return;
    let timer: ReturnType<typeof setTimeout>;
    const wait = (): void => {
      timer = setTimeout(() => (document.hidden ? wait() : again()), own.againIn);
    };
    wait();
    return () => clearTimeout(timer);
  }, [own, again]);
  return { value: own?.value, problem: own?.problem, busy, again, put };
}
