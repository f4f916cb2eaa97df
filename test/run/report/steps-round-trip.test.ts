import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { explainedData } from '../../../src/app/explain.js';
import { render } from '../../../src/errors/message.js';
import { loadConnections, resolveConnection } from '../../../src/job/connections.js';
import { loadSendingJob } from '../../../src/job/load.js';
import type { RunKind } from '../../../src/ledger/contract/runs.js';
import { ALL_OPERATIONS } from '../../../src/platform/operations/catalogue.js';
import { differenceOf } from '../../../src/run/report/difference.js';
import { explainRow } from '../../../src/run/report/explain.js';
import type { RunEnd } from '../../../src/run/run-end.js';
import { startRun } from '../../../src/run/start-run.js';
import { loadWorkbook } from '../../../src/util/exceljs-private.js';
import { Fixture } from '../../support/job-runs.js';
import { readLines, readSheet } from '../../support/read-sheet.js';

const JOB = `version: 1
name: lock-customers
connection: sandbox
source: { file: in.csv }
run: { onInvalid: skip }
steps:
  - name: customer
    operation: enterprise.bind
    when: row["Customer ID"] == ""
    map:
      channelCode: Channel
      channelCustomerId: Customer No
      customerName: Customer
      branchName: { value: Branch }
      enterpriseName: Customer
      passwordMobile: Mobile
  - name: numbers
    operation: asset.numbers
    map: { size: Locks }
  - name: read
    operation: asset.list
    map: { enterpriseGlobalId: { from: customer.enterpriseGlobalId, else: Customer ID } }
`;
const STAND_IN = /given-[0-9a-f]{16}/;
const HEAD = 'Channel,Customer No,Customer,Mobile,Locks,Customer ID,customer.customerId';

let fixture: Fixture;

beforeEach(async () => {
  fixture = await Fixture.open();
  await fixture.file('job.yaml', JOB);
});

afterEach(async () => {
  await fixture.close();
});

async function carry(input: string, kind: RunKind = 'run', extension = '.xlsx'): Promise<RunEnd> {
  const file = path.join(fixture.folder, 'job.yaml');
  const loaded = await loadSendingJob(file, { env: {}, operations: ALL_OPERATIONS });
  const output = { file: path.join(fixture.folder, 'results', `{job}-{run}${extension}`) };
  const job = { ...loaded, output, source: { ...loaded.source, file: input } };
  const connections = await loadConnections(file, { env: {}, cwd: fixture.folder });
  return startRun(fixture.parts(), job, resolveConnection(connections, { job: job.connection }), kind);
}

async function sheet(...lines: readonly string[]): Promise<string> {
  return fixture.file('in.csv', [HEAD, ...lines, ''].join('\n'));
}

describe('the result of a job of steps', () => {
  it.each(['.xlsx', '.csv'])(
    'run again sends what was corrected, and copies the rest (%s)',
    async (extension) => {
      const input = await sheet('CH,C-1,One,138,2,,mine', 'CH,C-2,Two,139,many,,', 'CH,C-3,Three,137,1,,');
      const first = await carry(input, 'run', extension);
      expect(first).toMatchObject({ counts: { succeeded: 2, invalid: 1 }, exitCode: 1 });
      expect(first.steps?.map((it) => [it.name, it.counts])).toEqual([
        ['customer', { succeeded: 2, not_sent: 1 }],
        ['numbers', { succeeded: 2, invalid: 1 }],
        ['read', { succeeded: 2, not_sent: 1 }],
      ]);
      const [one, two] = await readSheet(first.output!);
      expect(one).toMatchObject({ status: 'succeeded', step: 'read', 'numbers.recordCount': '2' });
      expect(one?.['numbers.assetNumber']).toMatch(/^\d+; \d+$/);
      expect(two).toMatchObject({
        status: 'invalid',
        'numbers.status': 'invalid',
        'customer.status': 'not_sent',
      });
      expect(two?.['numbers.message']).toMatch(/^in!E3 size: /);

      const corrected = await correct(first.output!, 'many', '3');
      const again = await carry(corrected, 'run', extension);
      expect(again).toMatchObject({ counts: { succeeded: 1, skipped: 2 }, exitCode: 0 });
      expect(again.steps?.map((it) => it.requests)).toEqual([1, 1, 1]);
      const rows = await readSheet(again.output!);
      expect(rows[0]).toMatchObject({
        status: 'skipped',
        'customer.customerId': one?.['customer.customerId'],
        'numbers.assetNumber': one?.['numbers.assetNumber'],
      });
      expect(rows[1]?.['numbers.assetNumber']).toMatch(/^\d+; \d+; \d+$/);
      // The source's own columns are still its own, though one bears the name of a result.
      const [header = [], values = []] = await readLines(again.output!);
      expect(header.slice(-7)).toEqual(HEAD.split(','));
      expect(values.at(-1)).toBe('mine');
    },
  );

  it('marks an error once at its cell, whichever steps read it', async () => {
    const input = await sheet('CH,C-1,One,138,2,,', 'CH,C-2,Two,139,many,,');
    const { output } = await carry(input, 'dry_run');
    const ExcelWorkbook = await loadWorkbook();
    const book = new ExcelWorkbook();
    await book.xlsx.readFile(output!);
    const results = book.getWorksheet('Results')!;
    const column = (await readLines(output!))[0]!.indexOf('Locks') + 1;
    expect(JSON.stringify(results.getRow(3).getCell(column).note)).toContain('size');
    expect(results.getRow(2).getCell(column).note).toBeUndefined();
    const problems = await readLines(output!, 'Problems');
    expect(problems.flat().some((it) => it?.startsWith('numbers: ') || it?.startsWith('in!E3'))).toBe(true);
  });

  it('of a check and of a plan says for each step what would be sent', async () => {
    const input = await sheet('CH,C-1,One,138,2,,', 'CH,C-2,Two,139,1,ENT-9,');
    for (const kind of ['dry_run', 'plan'] as const) {
      const end = await carry(input, kind);
      expect(end).toMatchObject({ counts: { valid: 2 }, exitCode: 0 });
      const [one, two] = await readSheet(end.output!);
      expect(one).toMatchObject({ status: 'valid', step: 'customer', 'read.status': 'valid' });
      expect(two).toMatchObject({ status: 'valid', step: 'numbers', 'customer.status': 'skipped' });
      expect(one?.['numbers.assetNumber']).toBe('');
      const summary = new Map(
        (await readLines(end.output!, 'Summary')).map(([name, value]) => [name, value]),
      );
      expect(summary.get('mode')).toBe(kind === 'plan' ? 'plan' : 'dry run');
      expect(summary.get('customer.valid')).toBe('1');
      // What is still to come is named as such, wherever it is shown.
      const run = (await fixture.ledger.runs.get(end.run))!;
      const shown = [JSON.stringify(explainedData(await explainRow(fixture.ledger, run, 2), 'en'))];
      for await (const { text } of differenceOf(fixture.ledger, run, true)) shown.push(render(text));
      expect(shown.join('\n')).not.toMatch(STAND_IN);
      expect(shown[0]).toContain('<given>');
      expect(shown.slice(1).join('\n')).toContain('enterpriseGlobalId <given>');
    }
  });
});

/** A copy of a result in which one cell of the source's columns was corrected manually. */
async function correct(file: string, from: string, to: string): Promise<string> {
  const copy = path.join(fixture.folder, `corrected${path.extname(file)}`);
  if (file.endsWith('.csv')) {
    await writeFile(copy, (await readFile(file, 'utf8')).replace(`,${from},`, `,${to},`));
    return copy;
  }
  const ExcelWorkbook = await loadWorkbook();
  const book = new ExcelWorkbook();
  await book.xlsx.readFile(file);
  book.getWorksheet('Results')!.eachRow((row) =>
    row.eachCell((cell) => {
      if (cell.value === from) cell.value = to;
    }),
  );
  await book.xlsx.writeFile(copy);
  return copy;
}
