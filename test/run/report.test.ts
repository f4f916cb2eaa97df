import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Ledger } from '../../src/ledger/contract/ledger.js';
import type { RowResult } from '../../src/ledger/contract/report.js';
import { SILENT } from '../../src/run/observer.js';
import { exportResult } from '../../src/run/report/export-result.js';
import { Fixture } from '../support/job-runs.js';
import { orderJob } from '../support/orders.js';

const ROWS = 1200;

let fixture: Fixture;
let run: string;

beforeEach(async () => {
  fixture = await Fixture.open();
  const lines = Array.from({ length: ROWS }, (_, index) => `SO-${index},Customer ${index},${index},5`);
  await fixture.file('orders.csv', ['Order,Customer,Asset,Nodes', ...lines, ''].join('\n'));
  const job = orderJob().replace('operation:', 'connection: sandbox\noperation:');
  const end = await fixture.run(await fixture.file('job.yaml', job), { dryRun: true });
  expect(end.counts).toEqual({ valid: ROWS });
  run = end.run;
});

afterEach(async () => {
  await fixture.close();
});

/** The ledger, its results passed through `change` and reported in other pages. */
function ledgerTelling(change: (results: RowResult[]) => RowResult[], pageSizes: readonly number[]): Ledger {
  const { inputs, plan, report, lookups, stateFolder } = fixture.ledger;
  const rows: Ledger['report']['rows'] = async function* (...wanted) {
    const all: RowResult[] = [];
    for await (const page of report.rows(...wanted)) all.push(...page);
    const results = change(all);
    for (let from = 0, page = 0; from < results.length; page += 1) {
      const size = pageSizes[page % pageSizes.length]!;
      yield results.slice(from, from + size);
      from += size;
    }
  };
  return { inputs, plan, lookups, stateFolder, report: { rows } } as unknown as Ledger;
}

async function written(ledger: Ledger): Promise<string[]> {
  const wanted = path.join(fixture.folder, 'again.csv');
  const parts = { ledger, language: 'en', observer: SILENT } as const;
  const file = await exportResult(parts, (await fixture.ledger.runs.get(run))!, wanted);
  return (await readFile(file, 'utf8')).trim().split('\r\n');
}

describe('the result of a run', () => {
  it.each([[[1]], [[7, 500, 1]], [[5000]]])('has every row, in pages of %j', async (pageSizes) => {
    const [, ...lines] = await written(ledgerTelling((all) => all, pageSizes));
    expect(lines).toHaveLength(ROWS);
    lines.forEach((line, index) => {
      expect(line.startsWith(`${index + 2},valid,`)).toBe(true);
      expect(line.endsWith(`,SO-${index},Customer ${index},${index},5`)).toBe(true);
    });
  });

  it.each([
    ['lacks the last row', (all: RowResult[]) => all.slice(0, -1), ROWS + 1],
    ['lacks one in the middle', (all: RowResult[]) => all.filter(({ row }) => row !== 500), 500],
    ['knows no row', () => [], 2],
    ['has a row more', (all: RowResult[]) => [...all, { ...all.at(-1)!, row: ROWS + 2 }], ROWS + 2],
  ])('is not written where the ledger %s', async (_, change, row) => {
    for (const pageSizes of [[400], [10_000]]) {
      await expect(written(ledgerTelling(change, pageSizes))).rejects.toMatchObject({
        kind: 'internal',
        detail: { code: 'run.row_unaccounted', params: { row } },
      });
    }
  });

  it('is reported as none where the input was refused before its rows were read', async () => {
    const job = orderJob()
      .replace('operation:', 'connection: sandbox\noperation:')
      .replace(/Customer$/m, 'Client');
    await expect(fixture.run(await fixture.file('refused.yaml', job), { dryRun: true })).rejects.toThrow(
      'Client',
    );
    run = (await fixture.ledger.runs.last(['dry_run']))!.id;
    await expect(written(fixture.ledger)).rejects.toMatchObject({
      kind: 'usage',
      detail: { code: 'run.not_planned', params: { run } },
      others: [{ code: 'mapping.column_missing' }],
    });
  });
});
