import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { UNWATCHED } from '../../../src/app/context.js';
import { runJob } from '../../../src/app/run.js';
import { submitJob } from '../../../src/app/submit.js';
import { runWorker } from '../../../src/app/worker.js';
import type { Message } from '../../../src/errors/message.js';
import type { Ledger } from '../../../src/ledger/contract/ledger.js';
import { inspectServer, openLedger } from '../../../src/ledger/open.js';
import { readSpool } from '../../../src/ledger/postgres/spool.js';
import { rememberLedgerPatience, rememberLedgerReply } from '../../../src/util/ledger-address.js';
import { StopSignal } from '../../../src/util/stop-signal.js';
import { FakePlatform, ordersDone } from '../../support/fake-platform.js';
import { orderJob, orderRows } from '../../support/orders.js';
import { CutProxy, type Silence } from '../../support/postgres/cut-proxy.js';
import { type PostgresPlace, postgresPlace } from '../../support/postgres/shared-server.js';
import { until } from '../../support/until.js';

// Each of these waits has a limit: one that has none hangs here until the test's own time is over.

let folder: string;
let place: PostgresPlace;
let proxy: CutProxy;
let platform: FakePlatform;
const REPLY_MS = 1200;
const PATIENCE_MS = 1000;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'silent-'));
  place = await postgresPlace();
  proxy = await CutProxy.before(place.url);
  platform = await new FakePlatform(ordersDone).start();
  rememberLedgerReply(REPLY_MS);
  rememberLedgerPatience(PATIENCE_MS);
});

afterEach(async () => {
  rememberLedgerReply(undefined);
  rememberLedgerPatience(undefined);
  await proxy.stop();
  await platform.stop();
  await place.remove();
  await rm(folder, { recursive: true, force: true });
});

const reached = (query = ''): string => `${proxy.through(place.url)}${query}`;

async function fixture(query = '') {
  const settings = `version: 1\nledger: ${reached(query)}\nledgerPatience: ${PATIENCE_MS}ms\nworkers: { lease: 2s }\nconnections:\n  p: { baseUrl: "${platform.url}", appKey: app, token: { env: TOKEN } }\n`;
  await writeFile(path.join(folder, 'license-sync.yaml'), settings);
  const job = orderJob({ extra: 'connection: p\nrun: { concurrency: 8 }\n' });
  await writeFile(path.join(folder, 'orders.yaml'), job.replace('normal_recover_usbkey', 'cloud_account'));
  await writeFile(path.join(folder, 'orders.csv'), orderRows(20));
  const notes: Message[] = [];
  const stop = new StopSignal();
  const context = {
    env: { TOKEN: 'secret-of-the-test' },
    cwd: folder,
    language: 'en' as const,
    watch: UNWATCHED,
    stop,
    confirm: true as const,
    found: (it: Message) => notes.push(it),
  };
  return { context, notes, stop };
}

describe('a server that stops replying in the middle of a run', () => {
  /** Each request is answered once the server has stopped replying. @returns how many there were */
  function silentAfter(first: number): () => number {
    platform.answer = async (seen, count) => {
      if (count === first) proxy.silence = 'all';
      await until(() => proxy.silence === 'all');
      return ordersDone(seen);
    };
    return () => platform.seen.length;
  }

  /** The replies are in the spool file, and the next command imports them. */
  async function checkImported(replies: number, notes: Message[]): Promise<void> {
    const [file] = (await readdir(folder)).filter((it) => it.startsWith('.license-sync-replies-'));
    const { lines } = await readSpool(path.join(folder, file!));
    expect(lines.filter((it) => 'end' in it)).toHaveLength(replies);
    proxy.silence = 'none';
    const ledger = await openLedger(reached(), { note: (it) => notes.push(it) });
    const [run] = await ledger.runs.list(1);
    expect(notes.map((it) => it.code)).toContain('spool.taken_in');
    expect((await ledger.runs.counts(run!.id)).succeeded).toBe(replies);
    await ledger.close();
  }

  test('ends the run with exit code 5, with 8 requests in flight', async () => {
    const { context, notes } = await fixture();
    const replies = silentAfter(8);
    const ended = await runJob(context, 'orders.yaml', { kind: 'run' });
    expect(ended.exitCode).toBe(5);
    await checkImported(replies(), notes);
  });

  test('ends the worker with exit code 5', async () => {
    const { context, notes, stop } = await fixture();
    expect((await submitJob(context, 'orders.yaml', {})).exitCode).toBe(0);
    const replies = silentAfter(4);
    const working = runWorker({ ...context, stop }, { slots: 4, connections: 'p' });
    await expect(working).rejects.toMatchObject({ kind: 'internal' });
    await checkImported(replies(), notes);
  });
});

describe('a server that does not reply at the start', () => {
  const MOMENTS: readonly (readonly [Silence, string])[] = [
    ['connect', ''],
    ['tls', '&sslmode=require'],
    ['tls', '&sslmode=prefer'],
    ['login', ''],
  ];
  test.each(MOMENTS)(
    'silent from %s on (%s): a run and a worker end with exit code 5',
    async (silence, query) => {
      const { context, stop } = await fixture(query);
      proxy.silence = silence;
      const ended = await runJob(context, 'orders.yaml', { kind: 'run' });
      expect(ended).toMatchObject({ exitCode: 5, failure: { code: 'ledger.server_unreachable' } });
      const input = { slots: 2, connections: 'p' };
      const working = runWorker({ ...context, stop }, input);
      await expect(working).rejects.toMatchObject({ kind: 'internal', code: 'ledger.server_unreachable' });
      expect(platform.seen).toEqual([]);
    },
  );

  test('a server that can be reached again is used: a command that starts waits for it', async () => {
    await fixture();
    rememberLedgerPatience(600_000);
    proxy.refuse();
    const notes: Message[] = [];
    const note = (it: Message): void => {
      notes.push(it);
      proxy.open();
    };
    await (await openLedger(reached(), { note })).close();
    expect(notes.map((it) => it.code)).toEqual(['ledger.waits_for_server']);
  });

  test('a look at the server ends, too', async () => {
    await fixture();
    proxy.silence = 'connect';
    await expect(inspectServer(reached(), {})).rejects.toMatchObject({ code: 'ledger.server_unreachable' });
  });
});

describe('an open ledger whose server stops replying', () => {
  let ledger: Ledger;

  beforeEach(async () => {
    await fixture();
    ledger = await openLedger(reached());
  });

  const CLOSED: readonly (readonly [string, () => Promise<unknown>])[] = [
    ['with nothing in progress', async () => {}],
    ['while it listens', async () => ledger.queue!.changed(() => {})],
    ['with a lock', async () => ledger.lock('job', 'connection', 'r1')],
    ['with an engine', async () => serve(new AbortController().signal)],
  ];
  test.each(CLOSED)('is closed, %s', async (_, before) => {
    await before();
    proxy.silence = 'all';
    await ledger.close();
  });

  const serve = async (leaving: AbortSignal) => {
    await ledger.queue!.ready();
    const how = {
      scopes: ['sandbox'],
      concurrency: 2,
      hungry: async () => {},
      execute: async () => {},
      leaving,
    };
    return ledger.queue!.work.serve(how);
  };

  test("lets a worker's engine end", async () => {
    const leaving = new AbortController();
    const engine = await serve(leaving.signal);
    proxy.silence = 'all';
    leaving.abort();
    await engine.stop();
    await ledger.close();
  });

  test('is refused to the engine of a worker, and is used again when it replies', async () => {
    proxy.silence = 'all';
    await expect(ledger.queue!.ready()).rejects.toMatchObject({
      kind: 'internal',
      code: 'ledger.server_gone',
    });
    proxy.silence = 'none';
    await until(() =>
      ledger.runs.list(1).then(
        () => true,
        () => false,
      ),
    );
    await ledger.close();
  });
});
