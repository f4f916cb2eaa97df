import { readFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FakePlatform, ordersDone } from '../support/fake-platform.js';
import { Fixture } from '../support/job-runs.js';
import { orderJob, orderRows } from '../support/orders.js';
import { readSheet } from '../support/read-sheet.js';

let fixture: Fixture;
let platform: FakePlatform;

beforeEach(async () => {
  fixture = await Fixture.open();
  platform = await new FakePlatform(ordersDone).start();
});

afterEach(async () => {
  await platform.stop();
  await fixture.close();
});

async function run(
  rows: string,
  change: {
    readonly job?: string;
    readonly set?: readonly string[];
    readonly input?: string;
    readonly extension?: '.csv';
  } = {},
) {
  await fixture.file('orders.csv', rows);
  const job = await fixture.file('job.yaml', change.job ?? orderJob());
  return fixture.run(job, {
    connection: platform.connection(),
    set: ['run.timeout=2s', ...(change.set ?? [])],
    ...(change.input === undefined ? {} : { input: change.input }),
    ...(change.extension === undefined ? {} : { extension: change.extension }),
  });
}

describe('items that were there before', () => {
  it('sends nothing when a finished file is run again, under another name and in another order', async () => {
    await run(orderRows(5));
    const [header = '', ...lines] = orderRows(5).trim().split('\n');
    const copy = await fixture.file('copy.csv', `${[header, ...lines.reverse()].join('\n')}\n`);
    const end = await run(orderRows(5), { input: copy });
    expect(end).toMatchObject({ counts: { skipped: 5 }, requests: 0, exitCode: 0 });
    expect(platform.seen).toHaveLength(5);
    expect((await readSheet(end.output ?? ''))[0]?.message).toMatch(/already succeeded with this/);
  });

  describe('orders without a number of their own, edited in a result', () => {
    const job = orderJob().replace(/ {2}channelOrderId: .*\n/, '');
    const lines = 'Order,Customer,Asset,Nodes\nSO-1,C,A2,5\nSO-1,C,A1,3\nSO-2,C,A3,5\n';
    const edited = async (output: string, change: (text: string) => string) => {
      const input = await fixture.file('edited.csv', change(await readFile(output, 'utf8')));
      return run(lines, { job, input });
    };

    it('are not ordered a second time', async () => {
      const { output, run: first } = await run(lines, { job, extension: '.csv' });
      expect(platform.seen).toHaveLength(2);
      const end = await edited(output!, (text) => text.replace(',A1,3', ',A1,4'));
      expect(end).toMatchObject({
        counts: { skipped: 1, invalid: 2 },
        requests: 0,
        exitCode: 3,
      });
      expect((await readSheet(end.output!))[0]!.message).toContain(
        `row 2 of run ${first} succeeded, but with other content`,
      );
      // Rows of their own, because the cells that name their run are empty.
      const rows = await edited(output!, (text) => text.replace(',A1,3', ',A1,4').replaceAll(first, ''));
      expect(rows).toMatchObject({ counts: { succeeded: 2, skipped: 1 } });
    });

    it('are not ordered a second time while they are unknown', async () => {
      platform.answer = (seen) => (seen.body.orderList ? 'reset' : ordersDone(seen));
      const { output, run: first } = await run(lines, { job, extension: '.csv' });
      platform.answer = ordersDone;
      const end = await edited(output!, (text) => text.replace(',A3,5', ',A3,6'));
      expect(end).toMatchObject({ counts: { skipped: 3 }, requests: 0, exitCode: 6 });
      expect((await readSheet(end.output!))[2]!.message).toContain(`license-sync resolve ${first} --row 4`);
    });
  });

  describe('rows of a result whose key was edited', () => {
    const lines = 'Order,Customer,Asset,Nodes\nSO-1,C,A1,5\nSO-2,C,A2,5\n';
    const edited = async (output: string) => {
      const text = (await readFile(output, 'utf8')).replace(',SO-1,', ',SO-9,');
      return run(lines, { input: await fixture.file('edited.csv', text) });
    };

    it('are not sent if they succeeded', async () => {
      const { output, run: first } = await run(lines, { extension: '.csv' });
      const end = await edited(output!);
      expect(end).toMatchObject({ counts: { skipped: 1, invalid: 1 }, requests: 0, exitCode: 3 });
      expect((await readSheet(end.output!))[0]!.message).toContain(
        `row 2 of run ${first} succeeded, but with`,
      );
    });

    it('are not sent while they are unknown', async () => {
      platform.answer = (seen) => (seen.body.orderList ? 'reset' : ordersDone(seen));
      const { output } = await run(lines, { extension: '.csv' });
      platform.answer = ordersDone;
      expect(await edited(output!)).toMatchObject({ counts: { skipped: 2 }, requests: 0, exitCode: 6 });
    });

    it('are sent if they were rejected', async () => {
      platform.answer = () => ({ body: { code: '20001', message: 'no' } });
      const { output } = await run(lines, { extension: '.csv' });
      platform.answer = ordersDone;
      expect(await edited(output!)).toMatchObject({ counts: { succeeded: 2 } });
    });

    it('are known by their keys in a result without the columns that name their run', async () => {
      const { output } = await run(lines, { extension: '.csv' });
      const text = (await readFile(output!, 'utf8'))
        .replace(',run,', ',,')
        .replace(/,\d{8}-\d{6}-\w{6},/g, ',,');
      const input = await fixture.file('edited.csv', text);
      expect(await run(lines, { input })).toMatchObject({ counts: { skipped: 2 }, requests: 0, exitCode: 0 });
    });
  });

  describe('orders of several rows, sorted otherwise since', () => {
    const lines = ['SO-1,C,A2,5', 'SO-1,C,A1,3', 'SO-2,C,A3,5', 'SO-1,C,A1,4'];
    const sheet = (rows: readonly string[]): string => `Order,Customer,Asset,Nodes\n${rows.join('\n')}\n`;
    const sortings: readonly (readonly string[])[] = [[...lines].reverse(), [...lines].sort()];
    const withoutNumber = orderJob().replace(/ {2}channelOrderId: .*\n/, '');

    it.each([
      ['by their number', orderJob()],
      ['by their content', withoutNumber],
      ['by their content, one asset a row', withoutNumber.replace(/ {6}each: \[Asset\]\n/, '')],
      ['by their number, one asset a row', orderJob().replace(/ {6}each: \[Asset\]\n/, '')],
    ])('are known %s, and nothing is sent', async (_, job) => {
      await run(sheet(lines), { job });
      expect(platform.seen).toHaveLength(2);
      for (const rows of sortings) {
        const end = await run(sheet(rows), { job });
        expect(end).toMatchObject({ counts: { skipped: 4 }, requests: 0, exitCode: 0 });
      }
      const corrected = await run(sheet(sortings[0]!).replace('A2,5', 'A2,6'), { job });
      expect(corrected.counts).toMatchObject(
        job === orderJob() || job.includes('channelOrderId') ? { invalid: 3 } : { succeeded: 3 },
      );
    });

    it('are two of the same in one file', async () => {
      const rows = [...lines, 'SO-3,C,A1,4', 'SO-3,C,A2,5', 'SO-3,C,A1,3'];
      const end = await run(sheet(rows), { job: withoutNumber });
      expect(end).toMatchObject({ counts: { invalid: 6, not_sent: 1 }, exitCode: 3, requests: 0 });
    });

    it('are not parted, nor treated as others, by invisible characters', async () => {
      const job = orderJob().replace('each: [Order]', 'each: [Order, Customer]');
      const seen = ['SO-1,Li Ming,A1,5', 'SO-1,Li Ming,A2,5'];
      const unseen = ['SO-1,Li\u200b Ming,A1,5', 'SO-1,Li Ming,A2,5'];
      const first = await run(sheet(unseen), { job });
      expect(first).toMatchObject({ counts: { succeeded: 2 }, requests: 1 });
      const end = await run(sheet(seen), { job });
      expect(end).toMatchObject({ counts: { skipped: 2 }, requests: 0 });
    });

    it('are known as an earlier version of the program kept them', async () => {
      const { plan } = fixture.ledger;
      const addItems = plan.addItems.bind(plan);
      const spy = vi.spyOn(plan, 'addItems').mockImplementation((of, items) => {
        const content = items.content.map((it) => it.split('~')[0]!);
        return addItems(of, { ...items, content, key: content });
      });
      await run(sheet(lines), { job: withoutNumber });
      spy.mockRestore();
      const end = await run(sheet(lines), { job: withoutNumber });
      expect(end).toMatchObject({ counts: { skipped: 4 }, requests: 0, exitCode: 0 });
    });
  });

  it('blocks an order whose content has changed since', async () => {
    const first = await run(orderRows(2));
    const end = await run(orderRows(2).replace('Customer 2,', 'Customer Two,'), {
      set: ['run.onInvalid=skip'],
    });
    expect(end).toMatchObject({ counts: { skipped: 1, invalid: 1 }, exitCode: 1, requests: 0 });
    expect((await readSheet(end.output ?? ''))[1]?.message).toContain(first.run);
  });

  it('blocks an order that an earlier run left unknown, and reports it by its exit code', async () => {
    platform.answer = () => 'reset';
    const first = await run(orderRows(1));
    expect(first.exitCode).toBe(6);
    platform.answer = ordersDone;
    const end = await run(orderRows(2));
    expect(end).toMatchObject({ counts: { skipped: 1, succeeded: 1 }, exitCode: 6 });
    expect((await readSheet(end.output ?? ''))[0]?.message).toContain(first.run);
    expect(platform.seen).toHaveLength(2);
  });

  it('sends again what was rejected, and what duplicates: send asks for', async () => {
    platform.answer = () => ({ body: { code: '13004', message: 'no', cause: '' } });
    await run(orderRows(1));
    platform.answer = ordersDone;
    expect(await run(orderRows(1))).toMatchObject({ counts: { succeeded: 1 } });
    expect(await run(orderRows(1), { set: ['safety.duplicates=send'] })).toMatchObject({
      counts: { succeeded: 1 },
    });
    expect(platform.seen).toHaveLength(3);
  });

  it('stops before sending anything when the job says duplicates: abort', async () => {
    await run(orderRows(1));
    const end = await run(orderRows(3), { set: ['safety.duplicates=abort'] });
    expect(end).toMatchObject({ status: 'stopped', exitCode: 4, requests: 0 });
    expect(platform.seen).toHaveLength(1);
  });

  it('refuses both rows where one file names an item twice', async () => {
    const job = orderJob().replace('    each: [Order]\n', '');
    const end = await run(`${orderRows(2)}SO-1,Customer 1b,A9,5\n`, { job });
    expect(end).toMatchObject({ status: 'invalid', exitCode: 3, counts: { invalid: 2, not_sent: 1 } });
    const lines = await readSheet(end.output ?? '');
    expect(lines[0]?.message).toContain('row 4');
    expect(lines[2]?.message).toContain('row 2');
    expect(platform.seen).toHaveLength(0);
  });

  it('takes a result workbook as input: what succeeded is skipped, what was corrected is sent', async () => {
    platform.answer = (seen) =>
      seen.body.channelOrderId === 'SO-2'
        ? { body: { code: '13004', message: 'bad', cause: '' } }
        : ordersDone(seen);
    const first = await run(orderRows(3));
    expect(first.counts).toEqual({ succeeded: 2, rejected: 1 });
    platform.answer = ordersDone;
    const again = await run(orderRows(3), { input: first.output ?? '' });
    expect(again.counts).toEqual({ skipped: 2, succeeded: 1 });
    expect(Object.keys((await readSheet(again.output ?? ''))[0] ?? {})).toEqual([
      'row',
      'status',
      'licenseOrderId',
      'code',
      'message',
      'customerId',
      'attempts',
      'run',
      'Order',
      'Customer',
      'Asset',
      'Nodes',
    ]);
  });

  it('does not send again what may be through, even with duplicates: send', async () => {
    platform.answer = () => ({ status: 500, body: {} });
    expect(await run(orderRows(1))).toMatchObject({ counts: { unknown: 1 } });
    platform.answer = ordersDone;
    const end = await run(orderRows(1), { set: ['safety.duplicates=send'] });
    expect(end).toMatchObject({ counts: { skipped: 1 }, exitCode: 6, requests: 0 });
  });

  it('marks the cells of a key that stands twice', async () => {
    const job = orderJob().replace('    each: [Order]\n', '');
    const end = await run(`${orderRows(1)}SO-1,Customer 1b,A9,5\n`, { job });
    expect((await readSheet(end.output ?? ''))[0]?.message).toMatch(/^orders!A2: the same item as row 3/);
  });
});
