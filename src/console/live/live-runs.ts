import type { AppContext } from '../../app/context.js';
import { Carriers } from '../carrying/carriers.js';
import type { House } from '../house.js';
import { LiveRun, type NumberedNews } from './live-run.js';

/** So that what stands between doesn't take the stream for dead. */
const HEARTBEAT_MS = 15_000;

/** The runs that somebody looks at. */
export class LiveRuns {
  readonly #runs = new Map<string, LiveRun>();
  readonly #house: House;

  /** There is one in a console: `context.house.single(LiveRuns.of)`. */
  static readonly of = (house: House): LiveRuns => new LiveRuns(house);

  private constructor(house: House) {
    this.#house = house;
  }

  /**
   * A run's news as server-sent events: `run` with the whole of it each time, at last `over`; then the stream ends.
   * @param last the id of the event that was heard last: that one isn't told again
   */
  stream(context: AppContext, id: string, last: string | undefined): Response {
    const live = this.#of(context, id);
    const text = new TextEncoder();
    let end = (): void => {};
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        const write = (it: string): void => controller.enqueue(text.encode(it));
        const heartbeat = setInterval(() => write(': \n\n'), HEARTBEAT_MS).unref();
        let stopListening = (): void => {};
        const closing = (): void => close();
        const { closing: signal } = this.#house;
        end = () => {
          end = () => {};
          clearInterval(heartbeat);
          stopListening();
          signal.removeEventListener('abort', closing);
          if (!live.isHeard) this.#drop(id, live);
        };
        const close = (): void => {
          end();
          try {
            controller.close();
          } catch {
            // The client has left.
          }
        };
        signal.addEventListener('abort', closing);
        write('retry: 1000\n\n');
        let isOver = false;
        stopListening = live.listen(({ id: number, news, over }: NumberedNews) => {
          // One who can't keep up is told the newest: each holds all.
          const isLate = (controller.desiredSize ?? 0) < -8;
          if (number !== last && (!isLate || over))
            write(`id: ${number}\nevent: run\ndata: ${JSON.stringify(news)}\n\n`);
          if (!over) return;
          write(
            `id: ${number}\nevent: over\ndata: ${JSON.stringify({ state: news.state, counts: news.counts })}\n\n`,
          );
          isOver = true;
          // `stopListening` isn't there yet where it was over at once.
          queueMicrotask(close);
        });
        if (isOver) stopListening();
      },
      cancel: () => end(),
    });
    return new Response(body, {
      headers: {
        'content-type': 'text/event-stream',
        'cache-control': 'no-store',
        'x-accel-buffering': 'no',
      },
    });
  }

  #of(context: AppContext, id: string): LiveRun {
    const known = this.#runs.get(id);
    const carried = this.#house.single(Carriers.of).of(id);
    // One that was begun before somebody went on with the run doesn't hear the child that carries it now.
    if (known && !known.isOver && (carried === undefined || known.begunWith === carried)) return known;
    if (known?.isOver) known.end();
    // What is told depends on nobody: only who may look on is asked for each stream.
    const { as: _, ...app } = context;
    const live = new LiveRun(app, id, carried);
    this.#runs.set(id, live);
    return live;
  }

  /** Kept for a moment: a page that is loaded again goes on where it was. */
  #drop(id: string, live: LiveRun): void {
    const later = setTimeout(() => {
      if (live.isHeard) return;
      if (this.#runs.get(id) === live) this.#runs.delete(id);
      live.end();
    }, KEPT_MS);
    later.unref();
    if (this.#house.closing.aborted) live.end();
  }
}

const KEPT_MS = 10_000;
