import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { message } from '../../../src/errors/message.js';
import type { ItemOutcome } from '../../../src/model/item.js';
import type { JsonObject } from '../../../src/model/json.js';
import { RESULT_NAMES, STEP_RESULTS } from '../../../src/platform/operations/catalogue.js';
import { SILENT } from '../../../src/run/observer.js';
import { exportResult } from '../../../src/run/report/export-result.js';
import { openSource } from '../../../src/source/open-source.js';
import { openTable } from '../../../src/source/table.js';
import { Fixture } from '../../support/job-runs.js';
import { readLines, readSheet } from '../../support/read-sheet.js';
import { type Came, LEFT_OUT, onboardJob, STOPPED_BEFORE, stepsRun } from '../../support/steps-ledger.js';

const SHEET = [
  'Customer No,Channel,Locks,order.customerId',
  'C-1,CH,2,own 2',
  'C-2,CH,1,own 3',
  'C-3,CH,x,own 4',
  'C-4,CH,1,own 5',
  '',
].join('\n');

const BOUND: ItemOutcome = {
  status: 'succeeded',
  code: '0',
  columns: { customerId: 'K-1', enterpriseGlobalId: 'E-1' },
};
const NUMBERED: ItemOutcome = {
  status: 'succeeded',
  code: '0',
  columns: { recordCount: '2' },
  records: [{ assetNumber: 'L-001' }, { assetNumber: 'L-002' }] as unknown as JsonObject[],
};
const ORDERED: ItemOutcome = {
  status: 'succeeded',
  code: '0',
  licenseOrderId: 'LO-7',
  columns: { customerId: 'K-1' },
};
const REFUSED: ItemOutcome = { status: 'rejected', code: '13004', message: 'no more numbers' };
const BAD_SIZE: Came = {
  status: 'invalid',
  faults: [{ sheet: 'orders', row: 4, column: 3, field: 'size', message: message('ledger.bad_address') }],
};

let fixture: Fixture;
let input: string;

beforeEach(async () => {
  fixture = await Fixture.open();
  input = await fixture.file('orders.csv', SHEET);
});

afterEach(async () => {
  await fixture.close();
});

async function exported(id: string, name: string): Promise<string> {
  const parts = { ledger: fixture.ledger, language: 'en', observer: SILENT } as const;
  return exportResult(parts, (await fixture.ledger.runs.get(id))!, path.join(fixture.folder, name));
}

describe('the result of a run of several steps', () => {
  it('has a line for each source row, with what each step came to and returned', async () => {
    const run = await stepsRun(fixture, onboardJob(input), {
      2: [BOUND, NUMBERED, ORDERED],
      3: [BOUND, REFUSED, STOPPED_BEFORE],
      4: [STOPPED_BEFORE, BAD_SIZE, STOPPED_BEFORE],
      5: [LEFT_OUT, NUMBERED, 'pending'],
    });
    const file = await exported(run, 'result.xlsx');
    const lines = await readLines(file);
    expect(lines[0]).toEqual([
      ...['row', 'status', 'licenseOrderId', 'step'],
      ...['customer.status', 'customer.code', 'customer.message', 'customer.customerId'],
      ...['customer.enterpriseGlobalId', 'customer.enterpriseName', 'customer.isDefault'],
      ...['numbers.status', 'numbers.code', 'numbers.message', 'numbers.recordCount', 'numbers.assetNumber'],
      ...['order.status', 'order.code', 'order.message', 'order.licenseOrderId', 'order.customerId'],
      ...['Customer No', 'Channel', 'Locks', 'order.customerId'],
    ]);
    const results = await readSheet(file);
    expect(results[0]).toMatchObject({
      row: '2',
      status: 'succeeded',
      licenseOrderId: 'LO-7',
      step: 'order',
      'customer.status': 'succeeded',
      'customer.customerId': 'K-1',
      'numbers.assetNumber': 'L-001; L-002',
      'order.licenseOrderId': 'LO-7',
      'order.customerId': 'K-1',
      'Customer No': 'C-1',
    });
    expect(lines[1]!.at(-1)).toBe('own 2');
    expect(results[1]).toMatchObject({
      ...{ status: 'rejected', step: 'numbers', licenseOrderId: '' },
      ...{ 'numbers.code': '13004', 'numbers.message': 'no more numbers', 'order.status': 'not_sent' },
    });
    expect(results[2]).toMatchObject({ status: 'invalid', step: 'customer', 'numbers.status': 'invalid' });
    expect(results[2]!['numbers.message']).toMatch(/^orders!C4 size: /);
    expect(results[3]).toMatchObject({ status: 'not_sent', step: 'order', 'customer.status': 'skipped' });
  });

  it('reports records with their step, and in Summary what each step did', async () => {
    const run = await stepsRun(fixture, onboardJob(input), {
      2: [BOUND, NUMBERED, ORDERED],
      3: [BOUND, NUMBERED, ORDERED],
      4: [BOUND, REFUSED, STOPPED_BEFORE],
      5: [LEFT_OUT, NUMBERED, ORDERED],
    });
    const file = await exported(run, 'result.xlsx');
    expect(await readLines(file, 'Records')).toEqual([
      ['row', 'step', 'assetNumber'],
      ...[2, 3, 5].flatMap((row) => ['L-001', 'L-002'].map((it) => [`${row}`, 'numbers', it])),
    ]);
    const summary = new Map((await readLines(file, 'Summary')).map(([label, value]) => [label, value]));
    expect(Object.fromEntries(summary)).toMatchObject({
      ...{ run: 'whole', operation: 'steps', mode: 'run', rows: '4', succeeded: '3', rejected: '1' },
      ...{ requests: '10', retries: '0' },
      ...{ 'customer.run': 'whole-customer', 'customer.operation': 'enterprise.bind' },
      ...{ 'customer.succeeded': '3', 'customer.skipped': '1', 'customer.requests': '3' },
      ...{ 'numbers.rejected': '1', 'order.not_sent': '1', 'order.requests': '3', 'order.retries': '0' },
    });
  });

  it.each(['again.xlsx', 'again.csv'])(
    'is input of the same job again, its own columns set aside (%s)',
    async (name) => {
      const came = [BOUND, NUMBERED, ORDERED];
      const run = await stepsRun(fixture, onboardJob(input), { 2: came, 3: came, 4: came, 5: came });
      const source = await openSource(await exported(run, name));
      try {
        const wanted = { headerRow: 1, resultColumns: RESULT_NAMES, stepResults: STEP_RESULTS };
        const table = await openTable(source, { ...wanted, sheet: 'orders' });
        expect(table.fromResult).toBe(true);
        expect(table.headers.map((it) => it.text)).toEqual(SHEET.split('\n')[0]!.split(','));
      } finally {
        await source.close();
      }
    },
  );

  it('has the same columns and values as lines of JSON', async () => {
    const came = [BOUND, NUMBERED, ORDERED];
    const run = await stepsRun(fixture, onboardJob(input), { 2: came, 3: came, 4: came, 5: came });
    const [first] = (await readFile(await exported(run, 'result.ndjson'), 'utf8')).split('\n');
    expect(JSON.parse(first!)).toMatchObject({
      ...{ row: 2, status: 'succeeded', step: 'order', 'numbers.assetNumber': 'L-001; L-002' },
      ...{ 'order.customerId': 'K-1', 'order.customerId (2)': 'own 2' },
    });
  });

  it('counts what no step was planned for yet as not sent, and is no result where a planned step lacks a row', async () => {
    const partly = await stepsRun(fixture, onboardJob(input), {
      2: [BOUND, NUMBERED, undefined],
      3: [BOUND, NUMBERED, 'pending'],
      4: [BOUND, REFUSED, undefined],
      5: [BOUND, NUMBERED, undefined],
    });
    const results = await readSheet(await exported(partly, 'partly.xlsx'));
    expect(results.map((it) => `${it.status} ${it.step} ${it['order.status']}`)).toEqual([
      'not_sent order not_sent',
      'not_sent order not_sent',
      'rejected numbers not_sent',
      'not_sent order not_sent',
    ]);
    const lacking = await stepsRun(
      fixture,
      onboardJob(input),
      { 2: [BOUND, NUMBERED, ORDERED] },
      { id: 'lacking' },
    );
    await expect(exported(lacking, 'lacking.xlsx')).rejects.toMatchObject({
      detail: { code: 'run.row_unaccounted', params: { row: 3 } },
    });
    await fixture.ledger.plan.addVerdicts('lacking-customer', [{ row: 3, status: 'skipped' }]);
    await expect(exported(lacking, 'lacking.xlsx')).rejects.toMatchObject({
      detail: { code: 'run.row_unaccounted', params: { row: 3 } },
    });
  });
});
