import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { language } from '../words/language.js';
import { type ProblemDocument, problemFrom } from './problem.js';

/** What was asked of the console, as far as it has answered. What was there stays while it is asked again. */
export interface AskedAnswer<T> {
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
}

/**
 * Asks when the page is drawn, and again when `key` or the language changes; an older answer never replaces a newer one.
 * @param key what is asked for; undefined: nothing, yet
 */
export function useAsked<T>(
  key: string | undefined,
  ask: (signal: AbortSignal) => Promise<T>,
): AskedAnswer<T> {
  const [answer, setAnswer] = useState<Answer<T>>({ of: '' });
  const [busy, setBusy] = useState(key !== undefined);
  const [turn, setTurn] = useState(0);
  const latest = useRef(ask);
  latest.current = ask;
  const spoken = language.value;
  useEffect(() => {
    if (key === undefined) {
      setBusy(false);
      return;
    }
    const controller = new AbortController();
    setBusy(true);
    latest
      .current(controller.signal)
      .then((value) => ({ of: key, value }))
      .catch((error: unknown) => ({ of: key, problem: problemFrom(error) }))
      .then((next: Answer<T>) => {
        if (controller.signal.aborted) return;
        setAnswer(next);
        setBusy(false);
      });
    return () => controller.abort();
  }, [key, turn, spoken]);
  const again = useCallback(() => setTurn((it) => it + 1), []);
  const put = useCallback((value: T) => setAnswer({ of: key ?? '', value }), [key]);
  const own = answer.of === key;
  return {
    value: own ? answer.value : undefined,
    problem: own ? answer.problem : undefined,
    busy,
    again,
    put,
  };
}
