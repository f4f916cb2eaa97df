import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Message } from '../../src/errors/message.js';
import { SILENT } from '../../src/run/observer.js';
import { exportResult } from '../../src/run/report/export-result.js';
import { retryRun } from '../../src/run/retry.js';
import { StopSignal } from '../../src/util/stop-signal.js';
import { type Answer, ordersDone, type Seen } from '../support/fake-platform.js';
import { orderJob, orderRows } from '../support/orders.js';
import { readSheet } from '../support/read-sheet.js';
import { InboxFixture, NUMBERS_JOB } from './inbox-fixture.js';

let here: InboxFixture;

beforeEach(async () => {
  here = await InboxFixture.open();
});

afterEach(async () => {
  await here.close();
});

const orderOf = (seen: Seen): string => String(seen.body.channelOrderId);
const REFUSED: Answer = { body: { code: 13004, message: 'no', cause: 'no' } };

/** Answers by order; the others are executed. */
function answering(answers: Record<string, Answer>): void {
  here.platform.answer = (seen) => answers[orderOf(seen)] ?? ordersDone(seen);
}

describe('an input folder', () => {
  it('runs each file by itself, in the order of names, and moves it next to its result', async () => {
    await here.drop('b.csv', orderRows(2, 1));
    await here.drop('a.csv', orderRows(2, 3));
    await here.drop('B.csv', orderRows(1, 5));
    await here.drop('a10.csv', orderRows(1, 6));
    await here.drop('notes.txt', 'not for us');
    const end = await here.run();
    expect(end).toMatchObject({ status: 'completed', exitCode: 0, moved: [], left: [] });
    expect(end.runs.map((it) => path.basename(it.input))).toEqual(['B.csv', 'a.csv', 'a10.csv', 'b.csv']);
    expect(new Set(end.runs.map((it) => it.end.run)).size).toBe(4);
    expect(new Set(here.sent().slice(1, 3))).toEqual(new Set(['SO-3', 'SO-4']));
    expect(await here.files()).toEqual([
      'done/B-RUN.xlsx',
      'done/B.csv',
      'done/a-RUN.xlsx',
      'done/a.csv',
      'done/a10-RUN.xlsx',
      'done/a10.csv',
      'done/b-RUN.xlsx',
      'done/b.csv',
      'notes.txt',
    ]);
    const [, second] = end.runs;
    expect(second?.end.movedTo).toBe(here.at('done/a.csv'));
    expect(await readSheet(second?.end.output ?? '')).toHaveLength(2);
    expect((await here.fixture.ledger.runs.get(second?.end.run ?? ''))?.output).toBe(second?.end.output);
    expect(await here.run()).toMatchObject({ runs: [], moved: [], left: [], exitCode: 0 });
  });

  it('runs a file in done again if its content was changed after it was taken', async () => {
    await here.drop('a.csv', orderRows(2, 1));
    await here.run();
    await writeFile(here.at('done/a.csv'), orderRows(3, 1));
    const warned: string[] = [];
    const observer = { ...SILENT, warn: (it: Message) => void warned.push(it.code) };
    const end = await here.run({ parts: { observer } });
    expect(warned).toContain('inbox.done_changed');
    expect(end).toMatchObject({ exitCode: 0, left: [] });
    expect(end.runs.map((it) => it.end.counts)).toEqual([{ skipped: 2, succeeded: 1 }]);
    expect(here.sent().map(String).sort()).toEqual(['SO-1', 'SO-2', 'SO-3']);
    expect(await here.run()).toMatchObject({ runs: [], moved: [], left: [], exitCode: 0 });
  });

  it('only reports a changed file in done where nothing recognises rows that were sent', async () => {
    await here.job(NUMBERS_JOB);
    here.platform.answer = () => ({ body: { code: 0, data: ['8100000001'] } });
    await here.drop('a.csv', 'size\n1\n');
    await here.run();
    const sent = here.platform.seen.length;
    await writeFile(here.at('done/a.csv'), 'size\r\n1\r\n');
    const warned: string[] = [];
    const observer = { ...SILENT, warn: (it: Message) => void warned.push(it.code) };
    expect(await here.run({ parts: { observer } })).toMatchObject({ runs: [], moved: [] });
    expect(warned).toContain('inbox.done_changed_stays');
    expect(here.platform.seen).toHaveLength(sent);
  });

  it('leaves a file in done alone whose time alone was changed', async () => {
    await here.drop('a.csv', orderRows(1, 1));
    await here.run();
    await writeFile(here.at('done/a.csv'), orderRows(1, 1));
    expect(await here.run()).toMatchObject({ runs: [], moved: [], left: [], exitCode: 0 });
    expect(await here.files()).toContain('done/a.csv');
  });

  it('moves what did not succeed to failed, with its result, and continues with the next', async () => {
    answering({ 'SO-1': REFUSED });
    await here.drop('1-refused.csv', orderRows(2, 1));
    await here.drop('2-invalid.csv', orderRows(2, 11).replace('A11,5', 'A11,five'));
    await here.drop('3-unreadable.csv', 'Order,Customer,Asset,Nodes\n"never closed\n');
    await here.drop('4-other.csv', 'some,other,columns\n1,2,3\n');
    await here.drop('5-good.csv', orderRows(1, 21));
    const end = await here.run();
    expect(end.runs.map((it) => [it.end.exitCode, it.end.status])).toEqual([
      [1, 'completed'],
      [3, 'invalid'],
      [3, 'invalid'],
      // A column that the job names and the file lacks.
      [2, 'invalid'],
      [0, 'completed'],
    ]);
    expect(await here.files()).toEqual([
      'done/5-good-RUN.xlsx',
      'done/5-good.csv',
      'failed/1-refused-RUN.xlsx',
      'failed/1-refused.csv',
      'failed/2-invalid-RUN.xlsx',
      'failed/2-invalid.csv',
      'failed/3-unreadable.csv',
      'failed/4-other.csv',
    ]);
    expect(end.exitCode).toBe(2);
    expect(end.runs.map((it) => it.error !== undefined)).toEqual([false, false, true, true, false]);
    expect(here.sent().sort()).toEqual(['SO-1', 'SO-2', 'SO-21']);
    expect(await here.run()).toMatchObject({ runs: [], moved: [] });
  });

  it('writes the result where the job says, and moves the input still', async () => {
    await here.job(
      `${orderJob().replace('file: orders.csv', 'file: inbox/*.csv')}output: { file: "out/{job}-{input}-{run}.csv" }\n`,
    );
    await here.drop('a.csv', orderRows(1));
    const end = await here.run();
    const run = end.runs[0]?.end;
    expect(run?.output).toBe(path.join(here.fixture.folder, 'jobs', 'out', `orders-a-${run?.run}.csv`));
    expect(await here.files()).toEqual(['done/a.csv']);
  });

  it('reports each run as soon as it is over, before the next is begun', async () => {
    const reported: string[] = [];
    here.platform.answer = (seen) => {
      reported.push(orderOf(seen));
      return ordersDone(seen);
    };
    await here.drop('a.csv', orderRows(1, 1));
    await here.drop('b.csv', orderRows(1, 2));
    await here.run({
      wish: {
        ended: async ({ input, end }) => {
          reported.push(path.basename(end.movedTo ?? input));
        },
      },
    });
    expect(reported).toEqual(['SO-1', 'a.csv', 'SO-2', 'b.csv']);
  });

  it('checks every file of a dry run and touches none', async () => {
    await here.drop('a.csv', orderRows(2, 1));
    await here.drop('b.csv', orderRows(1, 3).replace(',5', ',five'));
    const end = await here.run({ wish: { kind: 'dry_run' } });
    expect(end.runs.map((it) => it.end.counts)).toEqual([{ valid: 2 }, { invalid: 1 }]);
    expect(end).toMatchObject({ status: 'invalid', exitCode: 3, moved: [], left: [] });
    expect(await here.files()).toEqual(['a.csv', 'b.csv']);
    expect(path.dirname(end.runs[0]?.end.output ?? '')).toBe(path.join(here.fixture.folder, 'results'));
    expect(here.sent()).toEqual([]);
  });

  it.each([
    ['a folder that is not there', 'inbox.no_folder', 'nowhere/*.csv', ''],
    ['a file in place of the folder', 'inbox.not_a_folder', 'job.yaml/*', ''],
    ['one result for all', 'inbox.shared_result', 'inbox/*.csv', 'output: { file: out/all.xlsx }\n'],
    ['results that come back', 'inbox.result_in_inbox', 'inbox/*', 'output: { file: "inbox/{run}.csv" }\n'],
  ])('refuses %s before anything is sent', async (_what, code, pattern, more) => {
    await here.drop('a.csv', orderRows(1));
    await here.job(`${orderJob().replace('file: orders.csv', `file: "${pattern}"`)}${more}`);
    await expect(here.run()).rejects.toMatchObject({ kind: 'usage', detail: { code } });
    expect(here.sent()).toEqual([]);
    expect(await here.files()).toEqual(['a.csv']);
  });

  it('refuses to begin where files could not be moved afterwards', async () => {
    await here.drop('a.csv', orderRows(1));
    await writeFile(here.at('failed'), 'in the way');
    await expect(here.run()).rejects.toMatchObject({ detail: { code: 'inbox.not_a_folder' } });
    expect(here.sent()).toEqual([]);
  });
});

describe('a run that can be resumed', () => {
  it('leaves its file where it is; the next start resumes it and moves it then', async () => {
    await here.drop('a.csv', orderRows(4));
    await here.drop('b.csv', orderRows(1, 11));
    const stop = new StopSignal();
    here.platform.answer = (seen, count) => {
      if (count === 2) stop.stop({ kind: 'interrupted' });
      return ordersDone(seen);
    };
    const set = ['run.concurrency=1'];
    const first = await here.run({ set, parts: { stop } });
    expect(first).toMatchObject({ exitCode: 130, status: 'interrupted', moved: [] });
    expect(first.left.map((it) => [path.basename(it.file), it.reason.code])).toEqual([
      ['a.csv', 'inbox.stays'],
      ['b.csv', 'inbox.not_begun'],
    ]);
    expect(await here.files()).toEqual(['a.csv', 'b.csv', 'failed/a-RUN.xlsx']);
    const second = await here.run({ set });
    expect(second.runs[0]?.end).toMatchObject({ run: first.runs[0]?.end.run, counts: { succeeded: 4 } });
    expect(await here.files()).toEqual(['done/a-RUN.xlsx', 'done/a.csv', 'done/b-RUN.xlsx', 'done/b.csv']);
    expect(here.sent().sort()).toEqual(['SO-1', 'SO-11', 'SO-2', 'SO-3', 'SO-4']);
  });

  it('is stopped by a limit of one file, and the other files have their turn; raised limits let it continue', async () => {
    await here.drop('a.csv', orderRows(3));
    await here.drop('b.csv', orderRows(1, 11));
    const first = await here.run({ set: ['safety.maxItems=2'] });
    expect(first.runs.map((it) => it.end.exitCode)).toEqual([4, 0]);
    expect(first).toMatchObject({ exitCode: 4, status: 'stopped' });
    expect(await here.files()).toEqual(['a.csv', 'done/b-RUN.xlsx', 'done/b.csv', 'failed/a-RUN.xlsx']);
    expect(here.sent()).toEqual(['SO-11']);
    const second = await here.run({ set: ['safety.maxItems=3'] });
    expect(second.runs[0]?.end.counts).toEqual({ succeeded: 3 });
    expect(await here.files()).toEqual(['done/a-RUN.xlsx', 'done/a.csv', 'done/b-RUN.xlsx', 'done/b.csv']);
  });

  it('ends the series when a refused token stopped it: the next file would fare no better', async () => {
    here.platform.answer = () => ({ status: 401, body: {} });
    await here.drop('a.csv', orderRows(2, 1));
    await here.drop('b.csv', orderRows(2, 11));
    const end = await here.run({ set: ['run.concurrency=1'] });
    expect(end).toMatchObject({ exitCode: 4, status: 'stopped' });
    expect(end.runs).toHaveLength(1);
    expect(end.left.map((it) => it.reason.code)).toEqual(['inbox.stays', 'inbox.not_begun']);
    here.platform.answer = ordersDone;
    expect((await here.run()).runs.map((it) => it.end.counts)).toEqual([{ succeeded: 2 }, { succeeded: 2 }]);
    expect(await here.files()).toHaveLength(4);
  });
});

describe('what keeps every file from its end', () => {
  it('a result that cannot be written ends the series; the next start writes it and moves the file', async () => {
    here.platform.answer = async (seen) => {
      await writeFile(here.at('done'), 'in the way');
      return ordersDone(seen);
    };
    await here.drop('a.csv', orderRows(2, 1));
    await here.drop('b.csv', orderRows(1, 11));
    const first = await here.run();
    expect(first.runs.map((it) => it.end)).toMatchObject([
      { exitCode: 5, counts: { succeeded: 2 }, reason: { code: 'run.report_failed' } },
    ]);
    expect(first.left.map((it) => it.reason.code)).toEqual(['inbox.stays', 'inbox.not_begun']);
    expect(first.exitCode).toBe(5);
    await rm(here.at('done'));
    here.platform.answer = ordersDone;
    const second = await here.run();
    expect(second).toMatchObject({ exitCode: 0, left: [] });
    expect(second.runs[0]?.end.run).toBe(first.runs[0]?.end.run);
    expect(await here.files()).toEqual(['done/a-RUN.xlsx', 'done/a.csv', 'done/b-RUN.xlsx', 'done/b.csv']);
    expect(here.sent().sort()).toEqual(['SO-1', 'SO-11', 'SO-2']);
  });

  it('a token that is not to be had ends it before anything is sent; nothing is moved', async () => {
    await here.drop('a.csv', orderRows(1, 1));
    await here.drop('b.csv', orderRows(1, 2));
    const connection = here.platform.connection({ token: { kind: 'env', name: 'NO_SUCH_VARIABLE_HERE' } });
    const first = await here.run({ wish: { connection } });
    expect(first).toMatchObject({ exitCode: 2, status: 'stopped', moved: [] });
    expect(first.runs).toHaveLength(1);
    expect(first.runs[0]?.error).toMatchObject({ kind: 'usage' });
    expect(await here.files()).toEqual(['a.csv', 'b.csv']);
    expect((await here.run()).runs.map((it) => it.end.counts)).toEqual([{ succeeded: 1 }, { succeeded: 1 }]);
    expect(await here.runs()).toHaveLength(2);
  });

  it('a key that the connection lacks is reported at once, as for any run', async () => {
    await here.drop('a.csv', orderRows(1));
    const { appKey: _, ...connection } = here.platform.connection();
    await expect(here.run({ wish: { connection } })).rejects.toMatchObject({
      detail: { code: 'run.needs_app_key' },
    });
    expect(await here.runs()).toHaveLength(0);
    expect((await here.run()).exitCode).toBe(0);
  });
});

describe('what follows later', () => {
  it('a retry writes its result next to the first one, an export at the given path', async () => {
    answering({ 'SO-1': REFUSED });
    await here.drop('a.csv', orderRows(2));
    const [first] = (await here.run()).runs;
    here.platform.answer = ordersDone;
    const parent = await here.fixture.ledger.runs.get(first?.end.run ?? '');
    const end = await retryRun(here.fixture.parts(), parent!, {
      include: new Set(['rejected']),
      connection: here.platform.connection(),
      change: (it) => it,
    });
    expect(end).toMatchObject({ exitCode: 0, counts: { succeeded: 1 } });
    expect(await here.files()).toEqual(['done/a-RUN.xlsx', 'failed/a-RUN.xlsx', 'failed/a.csv']);
    const again = path.join(here.fixture.folder, 'again.csv');
    expect(await exportResult(here.fixture.parts(), parent!, again)).toBe(again);
  });

  it('a run whose order is unknown is finished: failed, exit 6, and withheld when the file is put there again', async () => {
    answering({ 'SO-1': 'reset' });
    await here.drop('a.csv', orderRows(2));
    expect((await here.run()).exitCode).toBe(6);
    expect(await here.files()).toEqual(['failed/a-RUN.xlsx', 'failed/a.csv']);
    here.platform.answer = ordersDone;
    await here.drop('a.csv', orderRows(2));
    const again = await here.run();
    expect(again.exitCode).toBe(6);
    expect(again.runs[0]?.end.counts).toEqual({ skipped: 2 });
    expect(await here.files()).toContain('failed/a-2.csv');
    expect(here.sent().filter((it) => it === 'SO-1')).toHaveLength(1);
  });

  it('files without keys are run whatever they are called, once', async () => {
    await here.job(NUMBERS_JOB);
    here.platform.answer = () => ({ body: { code: 0, message: 'ok', data: ['8600000001'] } });
    await here.drop('a.csv', 'size\n1\n');
    await here.drop('b.csv', 'size\n1\n');
    const end = await here.run();
    expect(end.runs).toHaveLength(1);
    expect(end.moved.map((it) => [path.basename(it.movedTo ?? ''), it.reason.code])).toEqual([
      ['b.csv', 'inbox.repeat'],
    ]);
    expect(here.platform.seen).toHaveLength(1);
  });
});
