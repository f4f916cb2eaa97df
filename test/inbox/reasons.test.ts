import { rename } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Answer, ordersDone, type Seen } from '../support/fake-platform.js';
import { orderJob, orderRows } from '../support/orders.js';
import { InboxFixture, NUMBERS_JOB } from './inbox-fixture.js';

let here: InboxFixture;

beforeEach(async () => {
  here = await InboxFixture.open();
});

afterEach(() => here.close());

const REFUSED: Answer = { body: { code: '13004', message: 'no such product', cause: '' } };
const answering =
  (answers: Record<string, Answer>) =>
  (seen: Seen): Answer =>
    answers[String(seen.body.channelOrderId)] ?? ordersDone(seen);

describe('next to a file in failed is its reason', () => {
  it('with what is wrong, what to do and the run, in both languages', async () => {
    here.platform.answer = answering({ 'SO-1': REFUSED, 'SO-2': 'reset' });
    await here.drop('a.csv', orderRows(3));
    const end = await here.run();
    expect(await here.reasons()).toEqual(['failed/a.csv.reason.txt']);
    const text = await here.read('failed/a.csv.reason.txt');
    const run = end.runs[0]?.end.run ?? '';
    for (const said of [
      'a.csv',
      run,
      'exit code 6',
      'rows 3: succeeded 1, rejected 1, unknown 1',
      'no such product',
      'row 2',
      `license-sync resolve ${run} --verify`,
      'rejected or invalid (1 row): correct it in the file',
      '被放入 failed 的原因',
      '退出码 6',
      `可向平台查询：license-sync resolve ${run} --verify`,
      end.runs[0]?.end.output ?? '-',
    ]) {
      expect(text).toContain(said);
    }
  });

  it('where the file as a whole was refused', async () => {
    await here.drop('a.csv', 'Order,Customer,Asset,Nodes\n"never closed\n');
    await here.drop('b.csv', 'some,other,columns\n1,2,3\n');
    await here.run();
    expect(await here.reasons()).toEqual(['failed/a.csv.reason.txt', 'failed/b.csv.reason.txt']);
    const [a, b] = await Promise.all(['a', 'b'].map((it) => here.read(`failed/${it}.csv.reason.txt`)));
    expect(a).toMatch(/reason: .*quotation mark/);
    expect(b).toMatch(/reason: .*Order/);
    expect(b).toContain('nothing of it was sent');
    expect(b).toContain('未发送');
  });

  it('where it was only moved, being a repeat that is refused', async () => {
    await here.job(NUMBERS_JOB);
    here.platform.answer = () => REFUSED;
    await here.drop('a.csv', 'size\n1\n');
    await here.run();
    await rename(here.at('failed/a.csv'), here.at('a.csv'));
    const end = await here.run();
    expect(end.moved).toHaveLength(1);
    const text = await here.read('failed/a.csv.reason.txt');
    expect(text).toContain('has sent exactly this file');
  });

  it('by the name that it got there, and none next to what succeeded', async () => {
    here.platform.answer = answering({ 'SO-1': REFUSED });
    for (const rows of [1, 2]) {
      await here.drop('a.csv', orderRows(rows));
      await here.run();
    }
    await here.drop('good.csv', orderRows(1, 7));
    await here.run();
    expect(await here.reasons()).toEqual(['failed/a-2.csv.reason.txt', 'failed/a.csv.reason.txt']);
  });

  it('is no input for a job that takes text files', async () => {
    await here.job(orderJob().replace('file: orders.csv', 'file: "inbox/*.csv*"'));
    here.platform.answer = answering({ 'SO-1': REFUSED });
    await here.drop('a.csv', orderRows(1));
    await here.run();
    expect(await here.run()).toMatchObject({ runs: [], left: [] });
  });
});
