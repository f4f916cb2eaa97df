import type { AppContext } from '../../src/app/context.js';
import { UNWATCHED } from '../../src/app/context.js';
import { runJob } from '../../src/app/run.js';
import { StopSignal } from '../../src/util/stop-signal.js';
import { startConsole, type TestConsole } from './console.js';

/** A console with somebody signed in who makes runs. */
export interface RunsDesk {
  readonly folder: string;
  readonly origin: string;
  /** Of who is signed in: `name=value`. */
  readonly cookie: string;
  /** For use cases beside the console, over the same ledger. */
  readonly app: AppContext;
  /** @param at below `/api/v1` */
  ask(method: 'GET' | 'POST', at: string, body?: object, headers?: Record<string, string>): Promise<Response>;
  /** The JSON of an answer that must be a good one. */
  get(at: string): Promise<unknown>;
  /** Runs or plans `orders.yaml` beside the console; gives the id. */
  run(kind: 'run' | 'plan'): Promise<string>;
  /** Sends a plan of so many items to the sandbox. */
  sends(plan: string, items: number): Promise<void>;
  /** Resolves when the run has ended. */
  over(run: string): Promise<void>;
  /** Resolves when its news are so. */
  until(run: string, isSo: (news: { done: number }) => boolean): Promise<void>;
  addPerson: TestConsole['addPerson'];
  close(): Promise<void>;
}

export interface HeardEvent {
  readonly id: string | undefined;
  readonly event: string;
  readonly data: { readonly done: number };
}

export async function runsDesk(start: Parameters<typeof startConsole>[0] = {}): Promise<RunsDesk> {
  const console = await startConsole({
    ...start,
    env: { ...process.env, ...start.env } as Record<string, string>,
  });
  const cookie = await console.signIn();
  const { folder, origin } = console;
  const app: AppContext = {
    env: process.env,
    cwd: folder,
    language: 'en',
    ...(start.ledger === undefined ? {} : { ledger: start.ledger }),
  };
  const desk: RunsDesk = {
    folder,
    origin,
    cookie,
    app,
    ask: (method, at, body, headers = {}) =>
      console.ask(`/api/v1${at}`, {
        method,
        headers: {
          cookie,
          origin,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    async get(at) {
      const answer = await desk.ask('GET', at);
      const text = await answer.text();
      if (answer.status !== 200) throw new Error(`${at}: ${answer.status} ${text}`);
      return JSON.parse(text);
    },
    async run(kind) {
      const context = { ...app, watch: UNWATCHED, stop: new StopSignal(), confirm: true };
      const carried = await runJob(context, 'orders.yaml', { kind });
      if (carried.kind === 'failed') throw carried.error;
      return String(carried.summary.run);
    },
    async sends(plan, items) {
      const sent = await desk.ask('POST', `/plans/${plan}/send`, { items, connection: 'sandbox' });
      if (sent.status !== 202) throw new Error(`${sent.status} ${await sent.text()}`);
    },
    async over(run) {
      await eventsOf(desk, run);
    },
    async until(run, isSo) {
      for await (const it of heard(desk, run)) if (it.event === 'run' && isSo(it.data)) return;
      throw new Error(`${run} ended before it was so`);
    },
    addPerson: (...person) => console.addPerson(...person),
    close: () => console.close(),
  };
  return desk;
}

/** All that is heard of a run until its stream ends. */
export async function eventsOf(desk: RunsDesk, run: string, last?: string): Promise<readonly HeardEvent[]> {
  const all: HeardEvent[] = [];
  for await (const it of heard(desk, run, last)) all.push(it);
  return all;
}

async function* heard(desk: RunsDesk, run: string, last?: string): AsyncGenerator<HeardEvent> {
  const headers: Record<string, string> = last === undefined ? {} : { 'last-event-id': last };
  const answer = await desk.ask('GET', `/runs/${run}/events`, undefined, headers);
  if (answer.status !== 200) throw new Error(`${answer.status} ${await answer.text()}`);
  let rest = '';
  for await (const chunk of answer.body!.pipeThrough(new TextDecoderStream())) {
    const blocks = (rest + chunk).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const event = /^event: (.*)$/m.exec(block)?.[1];
      const data = /^data: (.*)$/m.exec(block)?.[1];
      if (event === undefined || data === undefined) continue;
      yield { id: /^id: (.*)$/m.exec(block)?.[1], event, data: JSON.parse(data) as { done: number } };
    }
  }
}
