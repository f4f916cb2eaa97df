import { useRef, useState } from 'preact/hooks';
import { isTemporary, type ProblemDocument, problemFrom, RequestProblem } from './problem.js';

/** An action that the user starts. */
interface PageAction<A extends readonly unknown[]> {
  readonly busy: boolean;
  /** No response was received: the outcome is being looked up. */
  readonly checkingOutcome: boolean;
  readonly problem: ProblemDocument | undefined;
  /** Executes the action. A second call while it is running does nothing, so that a double click has one effect. */
  readonly run: (...args: A) => Promise<void>;
}

/**
 * @param execute executes the action
 * @param checkExecuted for actions that must not be executed twice: looks up whether the action was executed if no
 * response was received. It is called until the console replies; until then the action stays busy
 */
export function useAction<A extends readonly unknown[]>(
  execute: (...args: A) => Promise<void>,
  checkExecuted?: (...args: A) => Promise<boolean>,
): PageAction<A> {
  const [busy, setBusy] = useState(false);
  const [checkingOutcome, setCheckingOutcome] = useState(false);
  const [problem, setProblem] = useState<ProblemDocument>();
  // A ref, because a state is updated by the next render only, which is too late for a double click.
  const running = useRef(false);
  const run = async (...args: A): Promise<void> => {
    if (running.current) return;
    running.current = true;
    setBusy(true);
    setProblem(undefined);
    try {
      await execute(...args);
    } catch (error) {
      setProblem(problemFrom(error));
      if (checkExecuted && error instanceof RequestProblem && error.unanswered) {
        setCheckingOutcome(true);
        try {
          if (await pollExecuted(() => checkExecuted(...args))) setProblem(undefined);
        } catch (checkError) {
          // The outcome is still unknown. The problem must not say that the action was not executed.
          setProblem(problemFrom(checkError));
        }
      }
    } finally {
      running.current = false;
      setCheckingOutcome(false);
      setBusy(false);
    }
  };
  return { busy, checkingOutcome, problem, run };
}

const POLL_INTERVAL_MS = 2000;

/** Repeats the lookup until there is a reply. @throws if the lookup is rejected */
async function pollExecuted(checkExecuted: () => Promise<boolean>): Promise<boolean> {
  for (;;) {
    try {
      return await checkExecuted();
    } catch (error) {
      if (!isTemporary(error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
    }
  }
}
