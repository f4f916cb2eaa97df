import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RunEnd } from '../../src/run/run-end.js';
import { FakePlatform, ordersDone } from '../support/fake-platform.js';
import { Fixture } from '../support/job-runs.js';
import { orderJob } from '../support/orders.js';
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

const HEADER = 'Order,Customer,Asset,Nodes,Remark,\r\n';
const LINES = [
  'SO-1,One,A1,5,,',
  'SO-2,"Two" Ltd,A2,5,,',
  'SO-3,5" pipes,A3,5,,',
  'SO-4,Four,A4,1,000,,late',
  'SO-5,Five,A5',
  'SO-6, "Six, Ltd" ,A6,5,,',
  'SO-7,Seven,A7,5,,shifted',
  'SO-8,#N/A,A8,5,,',
  'SO-9,Nine,A9,########,,',
  'SO-10,Ten,A10,5,,',
];

async function run(
  file: string,
  onInvalid: 'abort' | 'skip',
  extension: '.xlsx' | '.csv' = '.xlsx',
): Promise<RunEnd> {
  return fixture.run(await fixture.file('job.yaml', orderJob()), {
    connection: platform.connection(),
    input: file,
    extension,
    set: ['run.retries=0', `run.onInvalid=${onInvalid}`],
  });
}

const sent = (): string[] => platform.seen.map(({ body }) => String(body.channelOrderId)).sort();

describe('lines of a text file that are invalid', () => {
  it('are all reported under abort, and nothing is sent', async () => {
    const end = await run(await fixture.file('orders.csv', `${HEADER}${LINES.join('\r\n')}\r\n`), 'abort');
    expect(sent()).toEqual([]);
    expect(end.counts).toEqual({ invalid: 7, not_sent: 3 });
    const messages = (await readSheet(end.output ?? '')).map((it) => it.message ?? '');
    expect(messages.map((it) => it.split(':')[0])).toEqual([
      ...['', 'orders!B3', 'orders!B4', 'orders!G5', 'orders!D6 limitConcurrent'],
      ...['', 'orders!F8', 'orders!B9 customerName', 'orders!D10 limitConcurrent', ''],
    ]);
  });

  it.each(['.xlsx', '.csv'] as const)(
    'are excluded under skip, the good ones go, and stay invalid in the %s result until they are fixed',
    async (extension) => {
      const file = await fixture.file('orders.csv', `${HEADER}${LINES.join('\r\n')}\r\n`);
      const first = await run(file, 'skip', extension);
      expect(sent()).toEqual(['SO-1', 'SO-10', 'SO-6']);
      expect(first.counts).toEqual({ invalid: 7, succeeded: 3 });
      const rows = await readSheet(first.output ?? '');
      expect(rows.map((it) => it.Order)).toEqual(LINES.map((it) => it.split(',')[0]));
      expect(rows[5]).toMatchObject({ Customer: 'Six, Ltd', status: 'succeeded' });
      const again = await run(first.output ?? '', 'skip', extension);
      // What only its quotes were wrong with shows as it is understood, and goes as it is shown.
      expect(sent()).toEqual(['SO-1', 'SO-10', 'SO-2', 'SO-3', 'SO-6']);
      expect(again.counts).toEqual({ invalid: 5, succeeded: 2, skipped: 3 });
      const third = await run(again.output ?? '', 'skip', extension);
      expect(third.counts).toEqual({ invalid: 5, skipped: 5 });
    },
  );

  it('withhold the orders around them where their key is not certain', async () => {
    const header = 'Customer,Order,Asset,Nodes\n';
    const lines = [
      'One,SO-1,A1,5',
      'Two, Ltd,SO-2,A2,5',
      'Two,SO-2,A3,5',
      'Three,SO-3,A4,5',
      'Three,SO-4,A5" x,5',
    ];
    const end = await run(await fixture.file('orders.csv', `${header}${lines.join('\n')}\n`), 'skip');
    // Row 3 may be the rest of SO-1 or the begin of SO-2; the key of row 6 stands before what is wrong with it.
    expect(sent()).toEqual(['SO-3']);
    const rows = await readSheet(end.output ?? '');
    expect(rows.map((it) => it.status)).toEqual(['invalid', 'invalid', 'invalid', 'succeeded', 'invalid']);
    expect(rows[0]?.message).toContain('row 3');
    expect(rows[2]?.message).toContain('row 3');
  });

  it('leave empty cells below them without a value to take', async () => {
    const job = orderJob().replace(
      'source: { file: orders.csv }',
      'source: { file: orders.csv, fillDown: [Order, Customer] }',
    );
    const lines = ['SO-1,One,A1,5', 'SO-2,"Two" x,A2,5', ',,A3,5', ',Two,A4,5', 'SO-3,Three,A5,5', ',,A6,5'];
    const end = await fixture.run(await fixture.file('job.yaml', job), {
      connection: platform.connection(),
      input: await fixture.file('orders.csv', `Order,Customer,Asset,Nodes\n${lines.join('\n')}\n`),
      set: ['run.retries=0', 'run.onInvalid=skip'],
    });
    expect(sent()).toEqual(['SO-1', 'SO-3']);
    expect(JSON.stringify(platform.seen.map((it) => it.body))).not.toMatch(/A[234]/);
    const rows = await readSheet(end.output ?? '');
    expect(rows.map((it) => it.status)).toEqual([
      ...['succeeded', 'invalid', 'invalid', 'invalid', 'succeeded', 'succeeded'],
    ]);
    expect(rows[2]?.message).toContain('orders!A4: this empty cell takes the value above it');
  });

  it('withhold the other rows of their order', async () => {
    const lines = [
      'SO-1,One,A1,5,,',
      'SO-2,Two,A2,5,,',
      'SO-2,Two,A3" x,5,,',
      'SO-3,Three,A4,5,,',
      'SO-2,Two,A5,5,,',
    ];
    const end = await run(await fixture.file('orders.csv', `${HEADER}${lines.join('\r\n')}\r\n`), 'skip');
    expect(sent()).toEqual(['SO-1', 'SO-3']);
    const rows = await readSheet(end.output ?? '');
    expect(rows.map((it) => it.status)).toEqual(['succeeded', 'invalid', 'invalid', 'succeeded', 'invalid']);
    expect(rows[1]?.message).toContain('orders!C4');
  });
});
