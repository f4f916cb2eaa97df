import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Cell, Row } from '../../src/model/row.js';
import { explainRow } from '../../src/run/report/explain.js';
import { openSource } from '../../src/source/open-source.js';
import { writeRows } from '../../src/source/rows-file.js';
import { cellAddress } from '../../src/util/spreadsheet-text.js';
import { Fixture } from '../support/job-runs.js';
import { readSheet } from '../support/read-sheet.js';

let fixture: Fixture;

beforeEach(async () => {
  fixture = await Fixture.open();
});

afterEach(() => fixture.close());

type Given = Omit<Cell, 'address' | 'column'>;

const text = (it: string): Given => ({ kind: 'text', text: it, raw: it });
const HEADERS = [
  'Lock No',
  'Owner no',
  'Valid until',
  'Seen',
  'Odd',
  'actual.locked',
  'expected.limitEndTime',
];

function cellsOf(lock: string): readonly Given[] {
  return [
    text(lock),
    { kind: 'number', text: '0012', raw: '12', format: '0000' },
    { kind: 'date', text: '2027-12-31', raw: '46752', format: 'dd/mm/yyyy' },
    { kind: 'date', text: '2026-01-31T08:30:00', raw: '46053.354166666664', format: 'yyyy-mm-dd hh:mm' },
    text('=1+1'),
    { kind: 'boolean', text: 'FALSE', raw: 'FALSE' },
    { kind: 'number', text: '1830268799999', raw: '1830268799999' },
  ];
}

function row(number: number, cells: readonly Given[]): Row {
  const made = cells.map((it, at) => ({ ...it, column: at + 2, address: cellAddress(at + 2, number) }));
  const cell = (column: number) => made.find((it) => it.column === column);
  return { sheet: 'Locks', number, hidden: false, cell, cells: () => made };
}

/** Rows of a sheet whose table begins in column B and whose rows don't follow each other. */
async function kept(rows: readonly Row[]): Promise<string> {
  const file = path.join(fixture.folder, 'state', 'actions', 'kept.rows');
  const headers = HEADERS.map((it, at) => ({ column: at + 2, text: it }));
  const pages = async function* () {
    yield rows;
  };
  await writeRows(file, { sheet: 'Locks', headerRow: 3, headers, rows: pages() });
  return file;
}

const JOB = `version: 1
name: lock-them
operation: asset.lock
connection: sandbox
source: { file: state/actions/kept.rows }
map:
  assetNums: Lock No
  operatorIdentity: { value: ops@example.com }
`;

describe('a job over stored rows runs like one over its file', () => {
  it('runs, and its result holds the cells as they were', async () => {
    const rows = [row(5, cellsOf('8100000001')), row(9, cellsOf('NO-SUCH-LOCK-1'))];
    await kept(rows);
    const end = await fixture.run(await fixture.file('job.yaml', JOB));
    expect(end).toMatchObject({ status: 'completed', counts: { succeeded: 1, rejected: 1 } });
    const results = await readSheet(end.output ?? '');
    expect(results.map((it) => [it.row, it.status, it['Lock No']])).toEqual([
      ['5', 'succeeded', '8100000001'],
      ['9', 'rejected', 'NO-SUCH-LOCK-1'],
    ]);
    const source = await openSource(end.output ?? '');
    const back: Row[] = [];
    for await (const page of source.rows(source.sheets[0]!)) back.push(...page);
    await source.close();
    const first = back[0]!.cells().find((it) => it.text === 'Lock No')!.column;
    const shown = back[1]!.cells().filter((it) => it.column >= first);
    const alike = ({ kind, text: it, raw, format }: Given) => ({
      kind,
      text: it,
      ...(kind === 'date' ? { serial: Number(raw).toFixed(9) } : {}),
      ...(kind === 'text' ? {} : { format }),
    });
    expect(shown.map(alike)).toEqual(cellsOf('8100000001').map(alike));
  });

  it('explains a row from them', async () => {
    await kept([row(5, cellsOf('8100000001'))]);
    const end = await fixture.run(await fixture.file('job.yaml', JOB));
    const story = await explainRow(fixture.ledger, (await fixture.ledger.runs.get(end.run))!, 5);
    expect(story.source).toMatchObject({ kind: 'cells', sheet: 'Locks' });
    const cells = story.source.kind === 'cells' ? story.source.cells : [];
    expect(cells.map((it) => [it.header, it.address, it.text])).toEqual(
      HEADERS.map((header, at) => [header, cellAddress(at + 2, 5), cellsOf('8100000001')[at]!.text]),
    );
  });

  it('names the cell of the sheet that an error is in', async () => {
    await kept([row(5, [{ kind: 'error', text: '#N/A', raw: '#N/A' }])]);
    const end = await fixture.run(await fixture.file('job.yaml', JOB));
    expect(end).toMatchObject({ status: 'invalid', exitCode: 3 });
    expect((await readSheet(end.output ?? ''))[0]?.message).toMatch(/^Locks!B5 /);
  });

  it('sends nothing of rows that were cut off', async () => {
    const file = await kept([row(5, cellsOf('8100000001'))]);
    const lines = (await readFile(file, 'utf8')).split('\n');
    await writeFile(file, `${lines.slice(0, 3).join('\n')}\n`);
    await expect(fixture.run(await fixture.file('job.yaml', JOB))).rejects.toMatchObject({
      kind: 'input',
      detail: { code: 'source.rows_damaged', params: { file } },
    });
  });
});
