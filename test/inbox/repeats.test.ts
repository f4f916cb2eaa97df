import { rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { InboxEnd } from '../../src/inbox/inbox.js';
import { SILENT } from '../../src/run/observer.js';
import { retryRun } from '../../src/run/retry.js';
import { StopSignal } from '../../src/util/stop-signal.js';
import { type Answer, ordersDone } from '../support/fake-platform.js';
import { orderJob, orderRows } from '../support/orders.js';
import { InboxFixture, NUMBERS_JOB } from './inbox-fixture.js';

let here: InboxFixture;

beforeEach(async () => {
  here = await InboxFixture.open();
});

afterEach(async () => {
  await here.close();
});

const REFUSED: Answer = { body: { code: 13004, message: 'no', cause: 'no' } };
const NUMBERS: Answer = { body: { code: 0, message: 'ok', data: ['8600000001'] } };

/** The outcome of the files that were only moved. */
function movedOf(end: InboxEnd): unknown[] {
  return end.moved.map(({ file, movedTo, run, reason, exitCode }) => ({
    file: path.basename(file),
    to: movedTo && path.relative(here.inbox, movedTo),
    run,
    code: reason.code,
    exitCode,
  }));
}

describe('the same bytes laid there again', () => {
  it('are not run when they succeeded; the message names the run, whatever the name', async () => {
    await here.drop('a.csv', orderRows(2));
    const [first] = (await here.run()).runs;
    const run = first?.end.run;
    await here.drop('a.csv', orderRows(2));
    await here.drop('other.csv', orderRows(2));
    const end = await here.run();
    expect(end).toMatchObject({ runs: [], exitCode: 0, status: 'completed' });
    expect(movedOf(end)).toEqual([
      { file: 'a.csv', to: 'done/a-2.csv', run, code: 'inbox.repeat', exitCode: 0 },
      { file: 'other.csv', to: 'done/other.csv', run, code: 'inbox.repeat', exitCode: 0 },
    ]);
    expect(here.sent()).toHaveLength(2);
  });

  it.each([
    ['send', 4, { runs: 1, moved: 0, exitCode: 0 }],
    ['abort', 2, { runs: 0, moved: 1, exitCode: 4 }],
  ])('safety.duplicates: %s', async (duplicates, sent, wanted) => {
    await here.drop('a.csv', orderRows(2));
    await here.run();
    await here.drop('a.csv', orderRows(2));
    const end = await here.run({ set: [`safety.duplicates=${duplicates}`] });
    expect({ runs: end.runs.length, moved: end.moved.length, exitCode: end.exitCode }).toEqual(wanted);
    expect(here.sent()).toHaveLength(sent);
    expect(await here.files()).toContain(duplicates === 'send' ? 'done/a-2.csv' : 'failed/a.csv');
  });

  it('are run again where rows did not succeed, and keys keep the others from being sent', async () => {
    here.platform.answer = (seen) => (seen.body.channelOrderId === 'SO-2' ? REFUSED : ordersDone(seen));
    await here.drop('a.csv', orderRows(3));
    expect((await here.run()).exitCode).toBe(1);
    here.platform.answer = ordersDone;
    await rename(here.at('failed/a.csv'), here.at('a.csv'));
    const end = await here.run();
    expect(end.runs[0]?.end.counts).toEqual({ skipped: 2, succeeded: 1 });
    expect(here.sent().filter((it) => it === 'SO-2')).toHaveLength(2);
    expect(here.sent()).toHaveLength(4);
    expect(await here.files()).toContain('done/a.csv');
  });

  it('are not run again where nothing would keep rows from being sent twice', async () => {
    await here.job(NUMBERS_JOB);
    here.platform.answer = (_seen, count) => (count === 1 ? REFUSED : NUMBERS);
    await here.drop('a.csv', 'size\n1\n1\n');
    const [first] = (await here.run()).runs;
    expect(first?.end.exitCode).toBe(1);
    await here.drop('again.csv', 'size\n1\n1\n');
    const end = await here.run();
    const run = first?.end.run;
    expect(movedOf(end)).toEqual([
      { file: 'again.csv', to: 'failed/again.csv', run, code: 'inbox.repeat_unguarded', exitCode: 1 },
    ]);
    expect(end.exitCode).toBe(1);
    expect(here.platform.seen).toHaveLength(2);
    await here.drop('again.csv', 'size\n1\n1\n');
    expect((await here.run({ set: ['safety.duplicates=send'] })).runs).toHaveLength(1);
    expect(here.platform.seen).toHaveLength(4);
  });

  it('are run when nothing of them was sent before, keys or not', async () => {
    await here.job(NUMBERS_JOB.replace('size: size', 'size: Amount'));
    here.platform.answer = () => NUMBERS;
    await here.drop('a.csv', 'size\n1\n');
    expect((await here.run()).exitCode).toBe(2);
    await here.job(NUMBERS_JOB);
    await rename(here.at('failed/a.csv'), here.at('a.csv'));
    expect((await here.run()).runs.map((it) => it.end.counts)).toEqual([{ succeeded: 1 }]);
  });

  it('count for their own job, operation and platform only', async () => {
    await here.job(NUMBERS_JOB);
    here.platform.answer = () => NUMBERS;
    await here.drop('a.csv', 'size\n1\n');
    await here.run();
    await here.drop('b.csv', 'size\n1\n');
    const other = here.platform.connection({ platform: 'other' });
    expect((await here.run({ wish: { connection: other } })).runs).toHaveLength(1);
    await here.job(NUMBERS_JOB.replace('name: numbers', 'name: others'));
    await here.drop('c.csv', 'size\n1\n');
    expect((await here.run()).runs).toHaveLength(1);
    await here.job(
      'version: 1\nname: numbers\noperation: asset.lock\nsource: { file: inbox/*.csv }\nmap: { assetNums: size, operatorIdentity: { value: me } }\n',
    );
    here.platform.answer = () => ({ body: { code: 0, message: 'ok', data: [{ assetNum: '1', status: 1 }] } });
    await here.drop('d.csv', 'size\n1\n');
    expect((await here.run()).runs).toHaveLength(1);
  });

  it('are resumed where a run of them by name was interrupted', async () => {
    const rows = orderRows(4);
    await here.fixture.file('mine.csv', rows);
    const stop = new StopSignal();
    here.platform.answer = (seen, count) => {
      if (count === 2) stop.stop({ kind: 'interrupted' });
      return ordersDone(seen);
    };
    const single = await here.fixture.run(path.join(here.fixture.folder, 'jobs', 'job.yaml'), {
      connection: here.platform.connection(),
      input: path.join(here.fixture.folder, 'mine.csv'),
      set: ['run.concurrency=1'],
      parts: { stop },
    });
    expect(single.status).toBe('interrupted');
    await here.drop('a.csv', rows);
    const end = await here.run();
    expect(end.runs[0]?.end).toMatchObject({ run: single.run, counts: { succeeded: 4 } });
    expect(await here.files()).toEqual(['done/a.csv']);
    expect(here.sent()).toHaveLength(4);
  });

  it('wait for a retry that was cut short', async () => {
    here.platform.answer = () => REFUSED;
    await here.drop('a.csv', orderRows(2));
    const [first] = (await here.run({ set: ['run.concurrency=1'] })).runs;
    const parent = await here.fixture.ledger.runs.get(first?.end.run ?? '');
    const stop = new StopSignal();
    here.platform.answer = (seen) => {
      stop.stop({ kind: 'interrupted' });
      return ordersDone(seen);
    };
    const retry = await retryRun(here.fixture.parts({ stop }), parent!, {
      include: new Set(['rejected']),
      connection: here.platform.connection(),
      change: (it) => ({ ...it, job: { ...it.job, run: { ...it.job.run, concurrency: 1 } } }),
    });
    expect(retry).toMatchObject({ status: 'interrupted' });
    await here.drop('a.csv', orderRows(2));
    const end = await here.run();
    expect(end).toMatchObject({ runs: [], moved: [], exitCode: 4 });
    expect(end.left[0]?.reason).toMatchObject({ code: 'inbox.retry_open' });
    expect(await here.files()).toContain('a.csv');
  });
});

describe('a file that its run left behind', () => {
  const OUT = 'output: { file: "../out/{run}.csv" }\n';

  /** Something is where the folder for the moved file should be created, once the run has begun. */
  async function leaveBehind(folder: 'done' | 'failed', answer: Answer | undefined): Promise<InboxEnd> {
    const warned: string[] = [];
    here.platform.answer = async (seen) => {
      await writeFile(here.at(folder), 'in the way');
      return answer ?? ordersDone(seen);
    };
    await here.job(orderJob({ extra: OUT }).replace('file: orders.csv', 'file: inbox/*.csv'));
    await here.drop('a.csv', orderRows(1));
    const warn = (it: { readonly code: string }): void => {
      warned.push(it.code);
    };
    const end = await here.run({ parts: { observer: { ...SILENT, warn } } });
    expect(warned).toEqual(['inbox.not_moved']);
    await rm(here.at(folder));
    here.platform.answer = ordersDone;
    return end;
  }

  it.each([
    ['done', undefined, 0],
    ['failed', REFUSED, 1],
  ] as const)('is in %s after the next start, and nothing is sent', async (folder, answer, exitCode) => {
    const first = await leaveBehind(folder, answer);
    expect(first.exitCode).toBe(exitCode);
    expect(first.runs[0]?.end.movedTo).toBeUndefined();
    const run = first.runs[0]?.end.run;
    const end = await here.run({ set: ['safety.duplicates=send'] });
    expect(movedOf(end)).toEqual([
      { file: 'a.csv', to: `${folder}/a.csv`, run, code: 'inbox.left_over', exitCode },
    ]);
    expect(here.sent()).toHaveLength(1);
    // Laid there again after it was moved, it is another drop.
    await here.drop('a.csv', orderRows(1));
    expect((await here.run({ set: ['safety.duplicates=send'] })).runs).toHaveLength(1);
  });

  it('is another file when something else was laid in its place', async () => {
    await leaveBehind('failed', REFUSED);
    await here.drop('a.csv', orderRows(1, 7));
    const end = await here.run();
    expect(end.moved).toEqual([]);
    expect(end.runs.map((it) => it.end.counts)).toEqual([{ succeeded: 1 }]);
    expect(here.sent()).toEqual(['SO-1', 'SO-7']);
  });

  it('is forgotten when another user took it away', async () => {
    await leaveBehind('failed', REFUSED);
    await rm(here.at('a.csv'));
    await here.run();
    await here.drop('a.csv', orderRows(1));
    expect((await here.run()).runs.map((it) => it.end.counts)).toEqual([{ succeeded: 1 }]);
  });
});

describe('a file that changes while its run continues', () => {
  it('stays for the next time when another one took its place', async () => {
    const warned: string[] = [];
    here.platform.answer = async (seen) => {
      if (here.platform.seen.length === 1) await here.drop('a.csv', orderRows(1, 7));
      return ordersDone(seen);
    };
    await here.drop('a.csv', orderRows(1));
    const warn = (it: { readonly code: string }): void => {
      warned.push(it.code);
    };
    const first = await here.run({ parts: { observer: { ...SILENT, warn } } });
    expect(warned).toEqual(['inbox.replaced']);
    expect(first.runs[0]?.end.movedTo).toBeUndefined();
    expect(await here.files()).toEqual(['a.csv', 'done/a-RUN.xlsx']);
    expect((await here.run()).runs[0]?.end.counts).toEqual({ succeeded: 1 });
    expect(here.sent()).toEqual(['SO-1', 'SO-7']);
    expect(await here.files()).toEqual(['done/a-RUN.xlsx', 'done/a-RUN.xlsx', 'done/a.csv']);
  });

  it('is still moved when only its time changed, and nothing fails when it was taken away', async () => {
    here.platform.answer = async (seen) => {
      if (seen.body.channelOrderId === 'SO-1') await here.drop('a.csv', orderRows(1));
      else await rm(here.at('b.csv'));
      return ordersDone(seen);
    };
    await here.drop('a.csv', orderRows(1));
    await here.drop('b.csv', orderRows(1, 2));
    expect((await here.run()).exitCode).toBe(0);
    expect(await here.files()).toEqual(['done/a-RUN.xlsx', 'done/a.csv', 'done/b-RUN.xlsx']);
  });
});
