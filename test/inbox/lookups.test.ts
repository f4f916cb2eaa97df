import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Seen } from '../support/fake-platform.js';
import { InboxFixture } from './inbox-fixture.js';

const JOB = `version: 1
name: names
operation: enterprise.update
source: { file: inbox/*.csv }
map:
  crmCustomerId:
    lookup: enterprise.query
    with: { channelCode: { value: CH }, channelCustomerId: No, defaultCustomer: { value: Y } }
    take: customerId
  customerName: No
  branchName: { value: Branch }
`;

let here: InboxFixture;

beforeEach(async () => {
  here = await InboxFixture.open();
  await here.job(JOB);
  here.platform.answer = (seen) => {
    const number = seen.query.get('channelCustomerId') ?? '';
    const records = number.startsWith('X') ? [] : [record(number)];
    return { body: { code: 0, message: 'success', data: isQuery(seen) ? records : true } };
  };
});

afterEach(async () => {
  await here.close();
});

const record = (number: string) => ({
  channelCode: 'CH',
  channelCustomerId: number,
  customerId: `CU-${number}`,
});
const isQuery = ({ path }: Seen): boolean => path.includes('/query');
const asked = () => here.platform.seen.filter(isQuery).map(({ query }) => query.get('channelCustomerId'));
const sent = () => here.platform.seen.filter((it) => !isQuery(it)).map(({ body }) => body.crmCustomerId);

describe('files of a folder whose job looks up', () => {
  it('are each asked for by themselves, once for each customer', async () => {
    await here.drop('a.csv', 'No\nC1\nC2\n');
    await here.drop('b.csv', 'No\nC2\nC3\n');
    const end = await here.run();
    expect(end).toMatchObject({ exitCode: 0, status: 'completed' });
    expect(asked()).toEqual(['C1', 'C2', 'C2', 'C3']);
    expect(sent().sort()).toEqual(['CU-C1', 'CU-C2', 'CU-C2', 'CU-C3']);
    expect(await here.files()).toEqual(['done/a-RUN.xlsx', 'done/a.csv', 'done/b-RUN.xlsx', 'done/b.csv']);
  });

  it('that name whom the platform does not know are moved away, with what was asked next to them; nothing is sent', async () => {
    await here.drop('a.csv', 'No\nC1\nX9\n');
    const end = await here.run();
    expect(end.exitCode).toBe(3);
    expect(sent()).toEqual([]);
    expect(await here.files()).toEqual(['failed/a-RUN.xlsx', 'failed/a.csv']);
    const [reason] = await here.reasons();
    const text = await here.read(reason!);
    expect(text).toContain('A3');
    expect(text).toContain('channelCustomerId: X9');
  });

  it('are left for another time where the platform does not respond', async () => {
    const { answer } = here.platform;
    here.platform.answer = (seen) => (isQuery(seen) ? { status: 401, body: {} } : answer(seen, 0));
    await here.drop('a.csv', 'No\nC1\n');
    const end = await here.run();
    expect(end.exitCode).not.toBe(0);
    expect(sent()).toEqual([]);
    const files = await here.files();
    here.platform.answer = answer;
    if (files[0] !== 'a.csv') await here.drop('a.csv', 'No\nC1\n');
    expect(await here.run()).toMatchObject({ exitCode: 0 });
    expect(sent()).toEqual(['CU-C1']);
  });
});
