import { useRef, useState } from 'preact/hooks';
import { mayPass, type ProblemDocument, problemFrom, RequestProblem } from './problem.js';

/** An act that a person starts. */
export interface PageAct<A extends readonly unknown[]> {
  readonly busy: boolean;
  /** No answer came: what became of the act is being looked up. */
  readonly looking: boolean;
  readonly problem: ProblemDocument | undefined;
  /** Carries it out; a second call does nothing while the first is under way, so that a double click is one click. */
  readonly run: (...args: A) => Promise<void>;
  readonly forget: () => void;
}

/**
 * @param carry does it
 * @param lookUp where an act must not happen twice: asks what became of it when no answer came. It is asked until the
 *   console answers; true: it was carried out. Until then the act stays busy and can't be started again
 */
export function useAct<A extends readonly unknown[]>(
  carry: (...args: A) => Promise<void>,
  lookUp?: (...args: A) => Promise<boolean>,
): PageAct<A> {
  const [busy, setBusy] = useState(false);
  const [looking, setLooking] = useState(false);
  const [problem, setProblem] = useState<ProblemDocument>();
  // A state is seen by the next drawing only: a double click comes before it.
  const under = useRef(false);
  const run = async (...args: A): Promise<void> => {
    if (under.current) return;
    under.current = true;
    setBusy(true);
    setProblem(undefined);
    try {
      await carry(...args);
    } catch (error) {
      setProblem(problemFrom(error));
      if (lookUp && error instanceof RequestProblem && error.unanswered) {
        setLooking(true);
        try {
          if (await becameOf(() => lookUp(...args))) setProblem(undefined);
        } catch (unknown) {
          // Nobody knows still: that is what is told, and not that it was not done.
          setProblem(problemFrom(unknown));
        }
      }
    } finally {
      under.current = false;
      setLooking(false);
      setBusy(false);
    }
  };
  return { busy, looking, problem, run, forget: () => setProblem(undefined) };
}

const BETWEEN_LOOKS_MS = 2000;

/** Asks until there is an answer, because without one nobody knows. @throws where looking it up is refused */
async function becameOf(lookUp: () => Promise<boolean>): Promise<boolean> {
  for (;;) {
    try {
      return await lookUp();
    } catch (error) {
      if (!mayPass(error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, BETWEEN_LOOKS_MS));
    }
  }
}
