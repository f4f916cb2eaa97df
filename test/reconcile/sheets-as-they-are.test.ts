import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { SILENT } from '../../src/run/observer.js';
import { type Sandbox, startSandbox } from '../../src/sandbox/serve.js';
import { workbook } from '../fixtures/workbook.js';
import { Fixture } from '../support/job-runs.js';
import { readLines, readSheet } from '../support/read-sheet.js';
import { reconcileJob, sandboxAt } from '../support/reconcile-fixture.js';

let fixture: Fixture;
let sandbox: Sandbox;

beforeEach(async () => {
  fixture = await Fixture.open();
  sandbox = await startSandbox({});
});

afterEach(async () => {
  await sandbox.close();
  await fixture.close();
});

const job = (source: string): string => `version: 1
name: locks
reconcile: asset
source: { file: locks.csv${source} }
key: { enterpriseGlobalId: Enterprise, assetNum: Lock }
expect: { locked: Locked }
`;

describe('a comparison reads its sheet as a run does', () => {
  const LINES = [
    'Enterprise,Lock,Locked,Note',
    'E1,8000000001,N,',
    ',8000000002,N,',
    ',,,by Li',
    ',,2,合计',
    'E1,8000000003,N,',
  ];

  async function compared(source: string): Promise<{ lines: string[]; warned: string[] }> {
    await fixture.file('locks.csv', `${LINES.join('\n')}\n`);
    const warned: string[] = [];
    const end = await reconcileJob(fixture, await fixture.file('job.yaml', job(source)), {
      connection: await sandboxAt(fixture, sandbox.url),
      parts: {
        observer: { ...SILENT, warn: ({ code, params }) => void warned.push(`${code} ${params.rows}`) },
      },
    });
    const lines = (await readSheet(end.output ?? '')).map((it) => `${it.row} ${it.status} ${it.Enterprise}`);
    return { lines, warned };
  }

  test('totals and notes are skipped with warnings, a row without a key is an error', async () => {
    const { lines, warned } = await compared('');
    expect(lines).toEqual(['2 missing E1', '3 error ', '4 skipped ', '5 skipped ', '6 missing E1']);
    expect(warned).toEqual(['source.notes_skipped 4', 'source.totals_skipped 5']);
  });

  test('fillDown and until hold', async () => {
    const { lines } = await compared(`, fillDown: [Enterprise], until: 'row["Note"] == "合计"'`);
    expect(lines).toEqual(['2 missing E1', '3 missing E1', '4 skipped ', '5 skipped ', '6 error E1']);
  });

  test('a row that was skipped as hidden is skipped in the comparison of its result, saved as .csv', async () => {
    const text = (cells: readonly string[], row: number): string =>
      cells.map((it, at) => `<c r="${'ABC'[at]}${row}" t="inlineStr"><is><t>${it}</t></is></c>`).join('');
    const sheet = [
      ['Enterprise', 'Lock', 'Locked'],
      ['E1', '8000000001', 'N'],
      ['E1', '8000000002', 'N'],
    ]
      .map((cells, at) => `<row r="${at + 1}"${at === 2 ? ' hidden="1"' : ''}>${text(cells, at + 1)}</row>`)
      .join('');
    await fixture.file('locks.xlsx', workbook({ sheet }));
    const connection = await sandboxAt(fixture, sandbox.url);
    const compare = async (file: string): Promise<string[][]> => {
      const changed = job(', hiddenRows: skip').replace('locks.csv', file);
      const end = await reconcileJob(fixture, await fixture.file('job.yaml', changed), { connection });
      return readLines(end.output ?? '');
    };
    const lines = await compare('locks.xlsx');
    expect(lines.slice(1).map((it) => it[1])).toEqual(['missing', 'skipped']);
    const asText = lines.map((it) => Array.from(it, (cell = '') => `"${cell}"`).join(',')).join('\n');
    await fixture.file('result.csv', `${asText}\n`);
    expect((await compare('result.csv')).slice(1).map((it) => it[1])).toEqual(['missing', 'skipped']);
  });

  test('a lock that is a number is compared by its digits, whatever its format shows', async () => {
    const headers = { authorization: 'Bearer sandbox', 'content-type': 'application/json' };
    const listed = await fetch(`${sandbox.url}/order/api/order/v1/asset/ENT-0021/list?g_nonce=n1`, {
      headers,
    });
    const { data } = (await listed.json()) as { data: { assetNum: string; locked: boolean }[] };
    const text = (at: string, it: string) => `<c r="${at}" t="inlineStr"><is><t>${it}</t></is></c>`;
    const lines = data.map(({ assetNum, locked }, index) => {
      const at = index + 2;
      const lock = `<c r="B${at}" s="1"><v>${assetNum}</v></c>`;
      return `<row r="${at}">${text(`A${at}`, 'ENT-0021')}${lock}${text(`C${at}`, locked ? 'Y' : 'N')}</row>`;
    });
    const header = ['Enterprise', 'Lock', 'Locked'].map((it, at) => text(`${'ABC'[at]}1`, it)).join('');
    const sheet = `<row r="1">${header}</row>${lines.join('')}`;
    await fixture.file('locks.xlsx', workbook({ sheet, formats: ['#,##0.00'] }));
    const file = await fixture.file('job.yaml', job('').replace('locks.csv', 'locks.xlsx'));
    const end = await reconcileJob(fixture, file, { connection: await sandboxAt(fixture, sandbox.url) });
    expect(data.length).toBeGreaterThan(0);
    expect(end.counts).toEqual({ in_sync: data.length });
  });

  test('a column that the sheet lacks is the error of the job', async () => {
    await expect(compared(', fillDown: [Nope]')).rejects.toMatchObject({ kind: 'usage' });
    await expect(compared(`, where: 'row["Nope"] == ""'`)).rejects.toMatchObject({ kind: 'usage' });
  });

  test('a condition of an action that names such a column is called by its own name', async () => {
    await fixture.file('locks.csv', `${LINES.join('\n')}\n`);
    const action =
      '  - { on: different, when: \'row["Nope"] == "x"\', operation: asset.lock, map: { assetNums: Lock, operatorIdentity: Note } }\n';
    const file = await fixture.file('job.yaml', `${job('')}actions:\n${action}`);
    await expect(
      reconcileJob(fixture, file, { connection: await sandboxAt(fixture, sandbox.url) }),
    ).rejects.toMatchObject({ kind: 'usage', detail: { code: 'run.when_unknown_column' } });
  });
});
