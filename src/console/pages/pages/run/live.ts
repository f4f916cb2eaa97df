import { useEffect, useRef, useState } from 'preact/hooks';
import { isUnderWay } from '../../../../model/under-way.js';
import { listen } from '../../api/events.js';
import type { RunDetailAnswer, RunNews } from '../../api/runs.js';

const HEARD_AGAIN_MS = 1500;

interface LiveRun {
  /** The latest news; undefined before the first. */
  readonly news: RunNews | undefined;
  readonly connected: boolean;
}

/**
 * The news of a run under way. A page that nobody looks at hears nothing, because browsers give all pages of one address
 * six connections together; it goes on from the last event when it is looked at again.
 * @param changed called when the run has come to another state, or ended: what may be done with it is another then
 */
export function useLiveRun(run: RunDetailAnswer | undefined, changed: () => void): LiveRun {
  const [news, setNews] = useState<RunNews>();
  const [connected, setConnected] = useState(true);
  const latest = useRef({ state: run?.state, changed });
  latest.current = { state: run?.state, changed };
  const id = run !== undefined && isUnderWay(run.state, run.kind) ? run.run : undefined;
  useEffect(() => {
    setNews(undefined);
    if (id === undefined) return;
    let controller = new AbortController();
    let later: ReturnType<typeof setTimeout> | undefined;
    const hear = (): void => {
      clearTimeout(later);
      controller.abort();
      controller = new AbortController();
      if (document.hidden) return;
      const listener = {
        event: (name: string, data: unknown) => {
          if (name === 'run') setNews(data as RunNews);
          if (name !== 'over') return;
          latest.current.changed();
          // Somebody may have gone on with it before the page has looked: then there is more to hear.
          later = setTimeout(hear, HEARD_AGAIN_MS);
        },
        connected: setConnected,
        refused: () => latest.current.changed(),
      };
      void listen(`/runs/${encodeURIComponent(id)}/events`, listener, controller.signal);
    };
    hear();
    document.addEventListener('visibilitychange', hear);
    return () => {
      clearTimeout(later);
      controller.abort();
      document.removeEventListener('visibilitychange', hear);
    };
  }, [id]);
  useEffect(() => {
    if (news !== undefined && news.state !== latest.current.state) latest.current.changed();
  }, [news?.state]);
  // What is told of a run that is over comes with the run: an event may be late.
  return { news: id === undefined ? undefined : news, connected };
}

const SOON_MS = 700;
const LATER_MS = 5000;
const SOON_LOOKS = 12;

/**
 * Looks from time to time at a run that waits for somebody, because another person, or a worker, may go on with it; and
 * often after an act, as it takes a moment until what was begun shows.
 * @param turn changes with every act
 */
export function useLookAgain(run: RunDetailAnswer | undefined, again: () => void, turn: number): void {
  const waits = run !== undefined && run.state !== 'completed' && !isUnderWay(run.state, run.kind);
  useEffect(() => {
    if (!waits) return;
    let looks = 0;
    let timer: ReturnType<typeof setTimeout>;
    const look = (): void => {
      looks += 1;
      if (!document.hidden) again();
      timer = setTimeout(look, looks < SOON_LOOKS ? SOON_MS : LATER_MS);
    };
    timer = setTimeout(look, SOON_MS);
    return () => clearTimeout(timer);
  }, [waits, again, turn]);
}
