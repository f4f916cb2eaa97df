import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SILENT } from '../../src/run/observer.js';
import { workbook } from '../fixtures/workbook.js';
import { FakePlatform } from '../support/fake-platform.js';
import { Fixture } from '../support/job-runs.js';
import { readSheet } from '../support/read-sheet.js';

let fixture: Fixture;
let platform: FakePlatform;

beforeEach(async () => {
  fixture = await Fixture.open();
  platform = await new FakePlatform(({ body }) => ({
    body: {
      code: 0,
      message: 'success',
      data: (body.assetNums as string[]).map((assetNum) => ({ assetNum, status: 1 })),
    },
  })).start();
});

afterEach(async () => {
  await platform.stop();
  await fixture.close();
});

const LINES = [
  ['Remark', 'Locks', 'Operator'],
  ['', '8300000101, 8300000102', 'ops'],
  ['合计', '2', 'ops'],
  ['', '小计：2', ''],
  ['', '8300000103', 'ops'],
  ['', '1', 'Total'],
  ['Grand total', '8300000104', 'ops'],
  ['总 计', '', ''],
];

const plain = `operation: asset.lock
map: { assetNums: Locks, operatorIdentity: Operator }`;
const unlock = plain.replace('lock', 'unlock');
const steps = `steps:
  - { name: off, operation: asset.lock, map: { assetNums: Locks, operatorIdentity: Operator } }
  - { name: on, operation: asset.unlock, map: { assetNums: Locks, operatorIdentity: Operator } }`;

function book(): Buffer {
  const cell = (text: string, at: string): string =>
    text === '' ? '' : `<c r="${at}" t="inlineStr"><is><t>${text}</t></is></c>`;
  const rows = LINES.map(
    (cells, at) =>
      `<row r="${at + 1}">${cells.map((it, column) => cell(it, `${'ABC'[column]}${at + 1}`)).join('')}</row>`,
  );
  return workbook({ sheet: rows.join('') });
}

describe('a row with a word for a total, where the key is a list of locks', () => {
  it.each([
    ['asset.lock', plain, '.csv', 1],
    ['asset.lock', plain, '.xlsx', 1],
    ['asset.unlock', unlock, '.xlsx', 1],
    ['steps', steps, '.csv', 2],
  ] as const)('is skipped, wherever the word is: %s', async (_name, job, extension, requests) => {
    const csv = LINES.map((it) => it.map((cell) => `"${cell}"`).join(',')).join('\n');
    const input = await fixture.file(`locks${extension}`, extension === '.csv' ? `${csv}\n` : book());
    const jobFile = await fixture.file(
      'job.yaml',
      `version: 1\nname: locks\nsource: { file: locks.csv }\n${job}\n`,
    );
    const warned: string[] = [];
    const warn = ({ code, params }: { code: string; params: Record<string, unknown> }): void =>
      void warned.push(`${code} ${params.rows}`);
    const end = await fixture.run(jobFile, {
      input,
      connection: platform.connection(),
      parts: { observer: { ...SILENT, warn } },
    });
    const lines = await readSheet(end.output ?? '');
    expect(lines.map((it) => `${it.row} ${it.status}`)).toEqual([
      '2 succeeded',
      '3 skipped',
      '4 skipped',
      '5 succeeded',
      '6 skipped',
      '7 skipped',
      '8 skipped',
    ]);
    expect(platform.seen.map(({ body }) => body.assetNums)).toEqual(
      Array(requests).fill(['8300000101', '8300000102', '8300000103']),
    );
    expect(new Set(warned)).toEqual(new Set(['source.totals_skipped 3-4, 6-8']));
  });
});
