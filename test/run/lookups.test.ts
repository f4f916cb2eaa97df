import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Run } from '../../src/ledger/contract/runs.js';
import { explainRow } from '../../src/run/report/explain.js';
import { resumeRun } from '../../src/run/start-run.js';
import { StopSignal } from '../../src/util/stop-signal.js';
import { workbook } from '../fixtures/workbook.js';
import { type Answer, FakePlatform, type Seen } from '../support/fake-platform.js';
import { Fixture } from '../support/job-runs.js';
import { readLines } from '../support/read-sheet.js';

let fixture: Fixture;
let platform: FakePlatform;

beforeEach(async () => {
  fixture = await Fixture.open();
  platform = await new FakePlatform(answered).start();
});

afterEach(async () => {
  await platform.stop();
  await fixture.close();
});

const customer = (number: string, more: object = {}) => ({
  customerId: `CU-${number}`,
  channelCode: 'CH',
  channelCustomerId: number,
  enterpriseGlobalId: `E-${number}`,
  enterpriseName: `Group ${number}`,
  isDefault: true,
  ...more,
});

const isQuery = ({ path }: Seen) => path.includes('/query');
const records = (data: unknown): Answer => ({ body: { code: 0, message: 'success', data } });

/** Knows every customer but those that begin with X; those that begin with D are there twice. */
function answered(seen: Seen): Answer {
  if (!isQuery(seen)) return { body: { code: 0, message: 'success', data: true } };
  const number = seen.query.get('channelCustomerId') ?? '';
  if (number.startsWith('X')) return records([]);
  if (number.startsWith('D')) {
    return records([
      customer(number, { isDefault: false, enterpriseName: 'Second' }),
      customer(number, { customerId: `CU-${number}-2`, enterpriseName: 'First' }),
    ]);
  }
  return records([customer(number)]);
}

const job = (more = '', settings = ''): string => `version: 1
name: names
operation: enterprise.update
source: { file: names.csv }
map:
  crmCustomerId:
    lookup: enterprise.query
    with: { channelCode: { value: CH }, channelCustomerId: No, defaultCustomer: { value: Y } }
    take: customerId
${more}
  customerName: Name
  branchName:
    lookup: enterprise.query
    with: { channelCode: { value: CH }, channelCustomerId: No, defaultCustomer: { value: Y } }
    onMany: first
    onNone: { value: none }
    take: enterpriseName
run: { onInvalid: skip, retries: 0${settings} }
`;

const rows = (numbers: readonly string[]): string =>
  `No,Name,Group\n${numbers.map((it, index) => `${it},Name ${it},${index % 2 ? 'First' : 'Second'}\n`).join('')}`;

async function run(numbers: readonly string[], file = job(), options: Parameters<Fixture['run']>[1] = {}) {
  await fixture.file('names.csv', rows(numbers));
  return fixture.run(await fixture.file('job.yaml', file), { connection: platform.connection(), ...options });
}

const asked = () => platform.seen.filter(isQuery).map(({ query }) => query.get('channelCustomerId'));
const messages = async (output: string | undefined): Promise<readonly string[]> =>
  (await readLines(output!, 'Results')).slice(1).map((it) => String(it[4] ?? ''));

describe('lookups', () => {
  it('are asked once for each distinct request, whatever asks for it, and fill the fields', async () => {
    const end = await run(['1', '2', '3']);
    expect(end).toMatchObject({ counts: { succeeded: 3 }, lookups: 3, requests: 3 });
    expect(asked().sort()).toEqual(['1', '2', '3']);
    const sent = platform.seen.filter((it) => !isQuery(it)).map(({ body }) => body);
    expect(sent).toContainEqual({ crmCustomerId: 'CU-2', customerName: 'Name 2', branchName: 'Group 2' });
    const summary = await readLines(end.output!, 'Summary');
    expect(summary).toContainEqual(['lookups', '3']);
    expect(summary.flat()).not.toContain('lookups without a valid reply');
  });

  it('a number is asked for by its digits, whatever its format shows, and is the same key as their text', async () => {
    const text = (at: string, it: string) => `<c r="${at}" t="inlineStr"><is><t>${it}</t></is></c>`;
    const rows = [
      text('A1', 'No') + text('B1', 'Name'),
      `<c r="A2" s="1"><v>1003</v></c>${text('B2', 'one')}`,
      text('A3', '1003') + text('B3', 'one'),
      `<c r="A4" s="2"><v>1004</v></c>${text('B4', 'two')}`,
    ];
    const sheet = rows.map((it, at) => `<row r="${at + 1}">${it}</row>`).join('');
    const input = await fixture.file('n.xlsx', workbook({ sheet, formats: ['#,##0.00', '000000'] }));
    const end = await fixture.run(await fixture.file('job.yaml', job()), {
      input,
      connection: platform.connection(),
    });
    expect(end).toMatchObject({ counts: { succeeded: 3 }, lookups: 2 });
    expect(asked().sort()).toEqual(['001004', '1003']);
  });

  it('what is not there, or there twice, is an error of the first column that `with` names', async () => {
    const end = await run(['1', 'X7', 'D8']);
    expect(end.counts).toEqual({ succeeded: 1, invalid: 2 });
    const [, none, twice] = await messages(end.output);
    expect(none).toMatch(
      /^names!A3 crmCustomerId: enterprise\.query \(channelCode: CH, channelCustomerId: X7, .* found nothing/,
    );
    expect(twice).toMatch(
      /^names!A4 crmCustomerId: .*channelCustomerId: D8.* found 2 records.*CU-D8, CU-D8-2/,
    );
  });

  it.each([
    ['another customer', { channelCustomerId: 'C-999' }],
    ['another channel', { channelCode: 'CH2' }],
    ['a longer number', { channelCustomerId: '20' }],
    ['other leading zeros', { channelCustomerId: '02' }],
    ['no key', { channelCustomerId: null }],
  ])('a record of %s is an error of the cell, and nothing of it is sent', async (_, change) => {
    const other = customer('2', { customerId: 'CU-999', ...change });
    platform.answer = (seen) => {
      const number = seen.query.get('channelCustomerId');
      if (!isQuery(seen) || number === '1') return answered(seen);
      return records(number === '3' ? [other, customer('3')] : [other]);
    };
    const end = await run(['1', '2', '3']);
    expect(end.counts).toEqual({ succeeded: 2, invalid: 1 });
    expect((await messages(end.output))[1]).toMatch(
      /^names!A3 crmCustomerId: .*which does not belong to the request/,
    );
    const sent = platform.seen.filter((it) => !isQuery(it)).map(({ body }) => body.crmCustomerId);
    expect(sent.sort()).toEqual(['CU-1', 'CU-3']);
    expect(JSON.stringify(sent)).not.toContain('999');
  });

  it.each(['null', '0', '', 'undefined'])('an id %j is not taken', async (customerId) => {
    platform.answer = (seen) => (isQuery(seen) ? records([customer('1', { customerId })]) : answered(seen));
    const end = await run(['1']);
    expect(end.counts).toEqual({ invalid: 1 });
    expect(platform.seen.filter((it) => !isQuery(it))).toEqual([]);
  });

  it('a condition chooses among the records; one that leaves none reports it', async () => {
    const where = '    where: record["enterpriseName"] == row["Group"]';
    const end = await run(['D1', 'D2', '3'], job(where));
    expect(end.counts).toEqual({ succeeded: 2, invalid: 1 });
    const sent = platform.seen.filter((it) => !isQuery(it)).map(({ body }) => body.crmCustomerId);
    expect(sent.sort()).toEqual(['CU-D1', 'CU-D2-2']);
    expect((await messages(end.output))[2]).toContain('does not meet the condition');
  });

  it('a condition that cannot be worked out is an error of its cell, naming the record', async () => {
    const end = await run(['D1'], job('    where: int(record["enterpriseName"]) > 0'));
    expect(end.counts).toEqual({ invalid: 1 });
    expect((await messages(end.output))[0]).toMatch(/^names!A2 crmCustomerId: .*for record 1 of the reply/);
  });

  it('a reply that is invalid after all retries is an error of its cell, naming what came', async () => {
    platform.answer = (seen) =>
      isQuery(seen) && seen.query.get('channelCustomerId') === '2'
        ? { status: 500, body: {} }
        : answered(seen);
    const end = await run(['1', '2', '2', '3']);
    expect(end).toMatchObject({ counts: { succeeded: 2, invalid: 2 }, exitCode: 1 });
    expect((await messages(end.output))[1]).toMatch(/names!A3 crmCustomerId: .*got no valid reply.*500/);
    expect(asked().filter((it) => it === '2')).toHaveLength(1);
    expect(await readLines(end.output!, 'Summary')).toContainEqual(['lookups without a valid reply', '1']);
  });

  it('401 ends the planning at once: exit 2, nothing sent', async () => {
    platform.answer = () => ({ status: 401, body: {} });
    const error = await run(['1', '2', '3'], job('', ', concurrency: 1')).catch((it: unknown) => it);
    expect(error).toMatchObject({ exitCode: 2, code: 'lookup.refused' });
    expect(platform.seen).toHaveLength(1);
  });

  it('a platform that does not respond stops the planning, resumable: what was answered is not asked again', async () => {
    platform.answer = (seen) => {
      const away = isQuery(seen) && Number(seen.query.get('channelCustomerId')) > 2;
      return away ? 'reset' : answered(seen);
    };
    const file = job('', ', concurrency: 1, stopAfterFailures: 2');
    const end = await run(['1', '2', '3', '4', '5'], file);
    expect(end).toMatchObject({
      status: 'stopped',
      exitCode: 4,
      reason: { code: 'lookup.too_many_failures' },
    });
    expect(asked()).toEqual(['1', '2', '3', '4']);
    platform.answer = answered;
    platform.seen.length = 0;
    const whole = await ledgerRun(end.run);
    const connection = platform.connection();
    const resumed = await resumeRun(fixture.parts(), whole, (settings) => ({ ...settings, connection }));
    expect(resumed.counts).toEqual({ succeeded: 5 });
    expect(asked().sort()).toEqual(['3', '4', '5']);
  });

  it('a run that was stopped by Ctrl-C while it asked keeps no answer that did not come', async () => {
    const stop = new StopSignal();
    platform.answer = (seen, count) => {
      if (count === 2) stop.stop({ kind: 'interrupted' });
      return answered(seen);
    };
    const end = await run(['1', '2', '3', '4'], job('', ', concurrency: 1'), { parts: { stop } });
    expect(end.status).toBe('interrupted');
    expect((await fixture.ledger.lookups.counts(end.run)).unanswered).toBe(0);
  });

  it('a new run asks again', async () => {
    await run(['1']);
    await run(['1'], job(), { dryRun: true, set: ['safety.duplicates=send'] });
    expect(asked()).toEqual(['1', '1']);
  });

  it('explain shows the answer that each field came from', async () => {
    const end = await run(['1', 'D2']);
    const { lookups } = await explainRow(fixture.ledger, await ledgerRun(end.run), 2);
    expect(lookups.map(({ field, records: found, record }) => [field, found, record?.customerId])).toEqual([
      ['crmCustomerId', 1, 'CU-1'],
      ['branchName', 1, 'CU-1'],
    ]);
    const twice = await explainRow(fixture.ledger, await ledgerRun(end.run), 3);
    expect(twice.lookups.map(({ field, record }) => [field, record?.customerId])).toEqual([
      ['crmCustomerId', undefined],
      ['branchName', 'CU-D2'],
    ]);
  });

  it('rows keep their order and all are there, also where hundreds wait for answers', async () => {
    platform.answer = async (seen) => {
      if (isQuery(seen)) await new Promise((resolve) => setTimeout(resolve, Math.random() * 10));
      return answered(seen);
    };
    const numbers = Array.from({ length: 400 }, (_, index) => `${index % 37}x${index}`);
    const end = await run(numbers, job('', ', concurrency: 8'), { dryRun: true, extension: '.csv' });
    expect(end).toMatchObject({ counts: { valid: 400 }, lookups: 400 });
    const bodies: unknown[] = [];
    for await (const { body } of fixture.ledger.plan.bodies(end.run))
      bodies.push((body as { crmCustomerId: string }).crmCustomerId);
    expect(bodies).toEqual(numbers.map((it) => `CU-${it}`));
  });
});

async function ledgerRun(id: string): Promise<Run> {
  return (await fixture.ledger.runs.get(id))!;
}
