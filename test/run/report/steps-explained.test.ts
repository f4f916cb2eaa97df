import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { explainedData } from '../../../src/app/explain.js';
import { explainedText } from '../../../src/cli/commands/explain.js';
import type { ItemOutcome } from '../../../src/model/item.js';
import type { JsonObject } from '../../../src/model/json.js';
import { explainRow, type RowExplanation } from '../../../src/run/report/explain.js';
import { Fixture } from '../../support/job-runs.js';
import { type Came, LEFT_OUT, onboardJob, STOPPED_BEFORE, stepsRun } from '../../support/steps-ledger.js';

const BOUND: ItemOutcome = { status: 'succeeded', code: '0', columns: { customerId: 'K-1' } };
const NUMBERED: ItemOutcome = {
  status: 'succeeded',
  records: [{ assetNumber: 'L-001' }, { assetNumber: 'L-002' }] as unknown as JsonObject[],
};
const UNKNOWN: ItemOutcome = { status: 'unknown', message: 'no answer' };

let fixture: Fixture;

beforeEach(async () => {
  fixture = await Fixture.open();
});

afterEach(async () => {
  await fixture.close();
});

async function explained(came: readonly Came[], row = 2): Promise<RowExplanation> {
  const input = await fixture.file('orders.csv', 'Customer No,Channel,Locks\nC-1,CH,2\n');
  const isLeft = came.includes('pending');
  const run = await stepsRun(fixture, onboardJob(input), { 2: came }, { goesOn: isLeft });
  if (isLeft) await fixture.ledger.runs.patch(run, { state: 'stopped' });
  return explainRow(fixture.ledger, (await fixture.ledger.runs.get(run))!, row);
}

describe('the story of a row of a run of several steps', () => {
  it('reports the cells once, then each step with its request, what it took and what it returned', async () => {
    const it = await explained([BOUND, NUMBERED, UNKNOWN]);
    const data = explainedData(it, 'en');
    expect(data).toMatchObject({ run: 'whole', operation: 'steps', row: 2, status: 'unknown', requests: [] });
    expect(data.steps?.map(({ name, run, status }) => [name, run, status])).toEqual([
      ['customer', 'whole-customer', 'succeeded'],
      ['numbers', 'whole-numbers', 'succeeded'],
      ['order', 'whole-order', 'unknown'],
    ]);
    expect(data.steps?.[0]?.returned).toEqual({ customerId: 'K-1' });
    expect(data.steps?.[1]?.returned).toEqual({ assetNumber: 'L-001; L-002' });
    expect(data.steps?.[2]?.taken).toEqual([
      { field: 'customerId', from: 'customer.customerId', value: 'K-1' },
      { field: 'assetNos', from: 'numbers.assetNumber', value: 'L-001; L-002' },
    ]);
    expect(data.steps?.[2]?.requests).toMatchObject([{ batch: 1, sent: true, attempts: [{ attempt: 1 }] }]);
    expect(data.next).toContain('license-sync resolve whole --row 2 --as');
    for (const language of ['en', 'zh'] as const) {
      const text = explainedText(it, language);
      expect(text.match(/Customer No/g)).toHaveLength(1);
      expect(text).toContain('    customerId: customer.customerId = K-1');
      expect(text).not.toContain('undefined');
    }
  });

  it.each<readonly [string, readonly Came[], RegExp]>([
    [
      'is refused in a step',
      [BOUND, { status: 'rejected', message: 'no' }, STOPPED_BEFORE],
      /rejected it.*retry whole/,
    ],
    ['is left out of all', [LEFT_OUT, LEFT_OUT, LEFT_OUT], /to be excluded.*run the file again/],
    [
      'is invalid in a later step',
      [STOPPED_BEFORE, STOPPED_BEFORE, { status: 'invalid' }],
      /^Correct what the message/,
    ],
    ['got through', [LEFT_OUT, NUMBERED, BOUND], /confirmed it. Running the file again skips it/],
    ['has numbers as its last step', [BOUND, NUMBERED, 'pending'], /license-sync resume whole/],
  ])('says what to do where it %s', async (_, came, next) => {
    expect(explainedData(await explained(came), 'en').next).toMatch(next);
  });

  it('names the nearest rows where the run has no such row', async () => {
    await expect(explained([BOUND, NUMBERED, UNKNOWN], 7)).rejects.toMatchObject({
      detail: { code: 'explain.no_such_row', params: { run: 'whole', row: 7, nearest: '2' } },
    });
  });
});
