import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeResult } from '../../src/workbook/write.js';
import { line, row, table, text } from '../support/result-table.js';

const run = promisify(execFile);

async function works(command: string, ...args: string[]): Promise<boolean> {
  return run(command, args).then(
    () => true,
    () => false,
  );
}

const python = existsSync('/usr/bin/python3') ? '/usr/bin/python3' : 'python3';
const openpyxl = await works(python, '-c', 'import openpyxl');
if (!openpyxl) console.log('result workbook by openpyxl: skipped, openpyxl is not there');

let folder: string;
let file: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'office-'));
  file = path.join(folder, 'out.xlsx');
  const names = ['Order No', 'Qty', 'Date', 'Note', 'OK'];
  const lines = [
    line(
      row(2, [
        text('007'),
        { kind: 'number', text: '12', raw: '12' },
        { kind: 'date', text: '2026-01-31', raw: '46053', format: 'yyyy/mm/dd' },
        text('=1+1'),
        { kind: 'boolean', text: 'TRUE' },
      ]),
    ),
    line(row(3, [text('张伟'), undefined, text('soon'), text('a & <b>')]), {
      status: 'invalid',
      message: 'Orders!C3 limitEndDate: …',
      marks: [
        [3, 'Orders!C3 limitEndDate: not a date'],
        [2, 'Orders!B3 quantity: missing'],
      ],
      problem: 'Orders!C3 limitEndDate: …',
    }),
  ];
  const summary = () =>
    [
      ['job', 'sample'],
      ['rows', 2],
      ['succeeded', 1],
      ['invalid', 1],
    ] as const;
  await writeResult(file, table(names, lines, { sandbox: true, summary }));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe.skipIf(!openpyxl)('a result workbook read by openpyxl', () => {
  it('has equal values, formats, notes, fills and rules', async () => {
    const script = path.join(folder, 'read.py');
    await writeFile(
      script,
      `import json, sys, openpyxl
wb = openpyxl.load_workbook(sys.argv[1])
ws = wb['Results']
print(json.dumps({
  'rows': [[str(v) if v is not None else None for v in r] for r in ws.iter_rows(min_col=8, values_only=True)],
  'types': [c.data_type for c in ws[2]][7:],
  'formats': [ws['H2'].number_format, ws['J2'].number_format],
  'notes': [ws['J3'].comment.text, ws['I3'].comment.text],
  'fills': [ws['J3'].fill.fgColor.rgb, ws['I3'].fill.fgColor.rgb, ws['J2'].fill.fgColor.rgb],
  'frozen': ws.freeze_panes, 'filter': ws.auto_filter.ref, 'bold': ws['A1'].font.b,
  'rules': [str(k.sqref) for k in ws.conditional_formatting],
  'header': ws.oddHeader.center.text,
}))`,
    );
    const { stdout } = await run(python, [script, file]);
    expect(JSON.parse(stdout)).toEqual({
      rows: [
        ['Order No', 'Qty', 'Date', 'Note', 'OK'],
        ['007', '12', '2026-01-31 00:00:00', '=1+1', 'True'],
        ['张伟', null, 'soon', 'a & <b>', null],
      ],
      types: ['s', 'n', 'd', 's', 'b'],
      formats: ['@', 'yyyy/mm/dd'],
      notes: ['Orders!C3 limitEndDate: not a date', 'Orders!B3 quantity: missing'],
      fills: ['FFFFC7CE', 'FFFFC7CE', '00000000'],
      frozen: 'C2',
      filter: 'A1:L3',
      bold: true,
      rules: ['B2:B3'],
      header: 'SANDBOX',
    });
  });

  it('has a chart of the counts, links to the invalid cells, and pages that report job, run and header', async () => {
    const script = path.join(folder, 'glance.py');
    await writeFile(
      script,
      `import json, sys, openpyxl
wb = openpyxl.load_workbook(sys.argv[1])
ws, problems, summary = wb['Results'], wb['Problems'], wb['Summary']
chart, = summary._charts
bars, = chart.series
cell = lambda ref: [c.value for r in summary[ref.split('!')[1].replace('$', '')] for c in r]
print(json.dumps({
  'sheets': wb.sheetnames,
  'statuses': cell(bars.cat.strRef.f), 'counts': cell(bars.val.numRef.f),
  'fills': [p.spPr.solidFill.srgbClr for p in bars.dPt],
  'links': [[c.value, c.hyperlink.location] for r in problems for c in r if c.hyperlink],
  'toProblems': [c.hyperlink.location for r in summary for c in r if c.hyperlink],
  'titles': [ws.print_title_rows, ws.print_title_cols, problems.print_title_rows],
  'footer': [ws.oddFooter.left.text, ws.oddFooter.center.text, ws.oddFooter.right.text],
  'author': ws['J3'].comment.author,
}, default=lambda it: it.val))`,
    );
    const { stdout } = await run(python, [script, file]);
    expect(JSON.parse(stdout)).toEqual({
      sheets: ['Results', 'Problems', 'Summary'],
      statuses: ['succeeded', 'invalid'],
      counts: [1, 1],
      fills: ['C6EFCE', 'FFE0B2'],
      links: [
        ['I3', 'Results!I3'],
        ['I3', 'Results!I3'],
      ],
      toProblems: ["'Problems'!A1"],
      titles: ['$1:$1', '$A:$B', '$6:$6'],
      footer: ['sample', 'run-1', '&P / &N'],
      author: 'license-sync',
    });
  });
});

const fixture = await works('soffice', '--version');
if (!fixture) console.log('result workbook by LibreOffice: skipped, soffice is not there');

/** LibreOffice's filter options: comma, quote, UTF-8, from line 1, no formats, as shown. */
const UTF8_CSV = 'csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true';

describe.skipIf(!fixture)('a result workbook read by LibreOffice', () => {
  it('has equal values', async () => {
    const profile = `-env:UserInstallation=file://${folder}/profile`;
    await run('soffice', [profile, '--headless', '--convert-to', UTF8_CSV, '--outdir', folder, file]);
    const lines = (await readFile(path.join(folder, 'out.csv'), 'utf8')).trim().split('\n');
    expect(lines.slice(1)).toEqual([
      '2,succeeded,LO-0001,0,,1,run-1,007,12,2026/01/31,=1+1,TRUE',
      '3,invalid,LO-0001,0,Orders!C3 limitEndDate: …,1,run-1,张伟,,soon,a & <b>,',
    ]);
  });

  it('has texts that look escaped as they are', async () => {
    const escaped = path.join(folder, 'escaped.xlsx');
    const texts = ['_x0041_ 中', '_x005F_x0041_', '_x0041'].map(text);
    await writeResult(escaped, table(['_x000D_', 'b', 'c'], [line(row(2, texts))]));
    const profile = `-env:UserInstallation=file://${folder}/profile`;
    await run('soffice', [profile, '--headless', '--convert-to', UTF8_CSV, '--outdir', folder, escaped]);
    const lines = (await readFile(path.join(folder, 'escaped.csv'), 'utf8')).trim().split('\n');
    expect(lines.map((it) => it.split(',').slice(-3))).toEqual([
      ['_x000D_', 'b', 'c'],
      ['_x0041_ 中', '_x005F_x0041_', '_x0041'],
    ]);
  });
});
