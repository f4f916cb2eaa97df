import { request } from './client.js';
import { RequestProblem } from './problem.js';

/** Callbacks of an event stream. */
export interface EventListener {
  readonly event: (name: string, data: unknown) => void;
  /** The stream was rejected permanently. */
  readonly refused: (problem: RequestProblem) => void;
}

const MIN_RETRY_MS = 500;
const MAX_RETRY_MS = 10_000;

/**
 * Listens to an event stream until it is over or the signal is aborted. A broken stream is reconnected with
 * `Last-Event-ID`, at growing intervals, or at once when the browser is online again.
 */
export async function listen(path: string, listener: EventListener, signal: AbortSignal): Promise<void> {
  let last: string | undefined;
  let wait = MIN_RETRY_MS;
  while (!signal.aborted) {
    try {
      const headers = {
        accept: 'text/event-stream',
        ...(last === undefined ? {} : { 'last-event-id': last }),
      };
      const response = await request(path, { headers, signal });
      for await (const { id, name, data } of eventsIn(response)) {
        if (signal.aborted) return;
        wait = MIN_RETRY_MS;
        if (id !== undefined) last = id;
        listener.event(name, JSON.parse(data));
        if (name === 'over') return;
      }
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof RequestProblem && isFinal(error)) {
        listener.refused(error);
        return;
      }
    }
    if (signal.aborted) return;
    await pause(wait, signal);
    wait = Math.min(wait * 2, MAX_RETRY_MS);
  }
}

function isFinal({ problem: { status } }: RequestProblem): boolean {
  return status >= 400 && status < 500 && status !== 429 && status !== 408;
}

interface StreamedEvent {
  readonly id: string | undefined;
  readonly name: string;
  readonly data: string;
}

async function* eventsIn(response: Response): AsyncGenerator<StreamedEvent> {
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const blocks = (rest + value).split(/\r?\n\r?\n/);
      rest = blocks.pop() ?? '';
      for (const block of blocks) {
        const event = parsed(block);
        if (event) yield event;
      }
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

function parsed(block: string): StreamedEvent | undefined {
  let id: string | undefined;
  let name = 'message';
  const data: string[] = [];
  for (const line of block.split(/\r?\n/)) {
    const [, field = '', value = ''] = /^(\w+):? ?(.*)$/.exec(line) ?? [];
    if (field === 'id') id = value;
    else if (field === 'event') name = value;
    else if (field === 'data') data.push(value);
  }
  return data.length === 0 ? undefined : { id, name, data: data.join('\n') };
}

/** Ends early if the browser is online again or the signal is aborted. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      removeEventListener('online', end);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    addEventListener('online', end);
    signal?.addEventListener('abort', end);
  });
}
