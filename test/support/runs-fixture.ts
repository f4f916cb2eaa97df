import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { AppContext } from '../../src/app/context.js';
import { UNWATCHED } from '../../src/app/context.js';
import { runJob } from '../../src/app/run.js';
import type { State } from '../../src/platform/simulated/state.js';
import { seed } from '../../src/sandbox/seed.js';
import { type Sandbox, startFilledSandbox } from '../../src/sandbox/serve.js';
import { StopSignal } from '../../src/util/stop-signal.js';
import { startConsole, type TestConsole } from './console.js';
import { postgresPlace } from './postgres/shared-server.js';

/** A console with a user signed in who makes runs. */
export interface RunsFixture {
  readonly folder: string;
  readonly origin: string;
  /** Of who is signed in: `name=value`. */
  readonly cookie: string;
  /** For use cases next to the console, over the same ledger. */
  readonly app: AppContext;
  /** @param at below `/api/v1` */
  ask(method: 'GET' | 'POST', at: string, body?: object, headers?: Record<string, string>): Promise<Response>;
  /** The JSON of an answer that must be a good one. */
  get(at: string): Promise<unknown>;
  /** Runs or plans `orders.yaml` next to the console; gives the id. */
  run(kind: 'run' | 'plan', as?: AppContext['as']): Promise<string>;
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

export async function runsFixture(start: Parameters<typeof startConsole>[0] = {}): Promise<RunsFixture> {
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
  const fixture: RunsFixture = {
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
      const answer = await fixture.ask('GET', at);
      const text = await answer.text();
      if (answer.status !== 200) throw new Error(`${at}: ${answer.status} ${text}`);
      return JSON.parse(text);
    },
    async run(kind, as) {
      const context = {
        ...app,
        ...(as ? { as } : {}),
        watch: UNWATCHED,
        stop: new StopSignal(),
        confirm: true,
      };
      const carried = await runJob(context, 'orders.yaml', { kind });
      if (carried.kind === 'failed') throw carried.error;
      return String(carried.summary.run);
    },
    async sends(plan, items) {
      const sent = await fixture.ask('POST', `/plans/${plan}/send`, { items, connection: 'sandbox' });
      if (sent.status !== 202) throw new Error(`${sent.status} ${await sent.text()}`);
    },
    async over(run) {
      await eventsOf(fixture, run);
    },
    async until(run, isSo) {
      for await (const it of heard(fixture, run)) if (it.event === 'run' && isSo(it.data)) return;
      throw new Error(`${run} ended before it was so`);
    },
    addPerson: (...person) => console.addPerson(...person),
    close: () => console.close(),
  };
  return fixture;
}

/** A fixture next to a platform that can be looked into. */
export interface FilledFixture extends RunsFixture {
  readonly platform: Sandbox;
  /** What the platform has; a test may change it behind the program's back. */
  readonly state: State;
}

/** Which ledger a filled fixture has. */
export const LEDGER_KINDS = ['SQLite', 'PostgreSQL'] as const;

/** What a filled fixture's connection reads from its `token.txt`. */
const TOKEN = 'token-of-the-platform';

/**
 * A fixture whose platform is a sandbox with the usual customers and assets, asked over the network. Closing it closes all.
 * @param job `orders.yaml`, which reads `locks.csv`
 * @param sheet that file
 */
export async function filledFixture({
  kind,
  connection = 'sandbox',
  job,
  sheet,
}: {
  readonly kind: (typeof LEDGER_KINDS)[number];
  readonly connection?: string;
  readonly job: string;
  readonly sheet: string;
}): Promise<FilledFixture> {
  const closing: (() => Promise<unknown>)[] = [];
  const close = async (): Promise<void> => {
    for (const it of closing.splice(0).reverse()) await it();
  };
  try {
    let state: State | undefined;
    const platform = await startFilledSandbox({ token: TOKEN }, (it) => {
      state = it;
      seed(it);
    });
    closing.push(() => platform.close());
    const place = kind === 'SQLite' ? undefined : await postgresPlace();
    if (place) closing.push(() => place.remove());
    const settings = `version: 1
defaultConnection: ${connection}
connections:
  ${connection}: { baseUrl: "${platform.url}", appKey: app, token: { file: token.txt } }
`;
    const fixture = await runsFixture({ settings, ...(place ? { ledger: place.url } : {}) });
    closing.push(() => fixture.close());
    const file = (name: string): string => path.join(fixture.folder, name);
    await writeFile(file('token.txt'), TOKEN, { mode: 0o600 });
    await writeFile(file('orders.yaml'), job);
    await writeFile(file('locks.csv'), sheet);
    return { ...fixture, platform, state: state!, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** All events of a run until its stream ends. */
export async function eventsOf(
  fixture: RunsFixture,
  run: string,
  last?: string,
): Promise<readonly HeardEvent[]> {
  const all: HeardEvent[] = [];
  for await (const it of heard(fixture, run, last)) all.push(it);
  return all;
}

async function* heard(fixture: RunsFixture, run: string, last?: string): AsyncGenerator<HeardEvent> {
  const headers: Record<string, string> = last === undefined ? {} : { 'last-event-id': last };
  const answer = await fixture.ask('GET', `/runs/${run}/events`, undefined, headers);
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
