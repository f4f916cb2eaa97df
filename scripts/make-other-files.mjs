// Makes test/fixtures/other-files/: one sheet of messy cells in each format, by LibreOffice (soffice must be on the path).
// .xlsb, which LibreOffice doesn't write, is made by SheetJS of the same cells. node scripts/make-other-files.mjs
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import * as XLSX from '@e965/xlsx';
import ExcelJS from 'exceljs';

const FOLDER = fileURLToPath(new URL('../test/fixtures/other-files/', import.meta.url));

/** Value and number format of each cell. */
const CELLS = [
  ['zero padded', 42, '0000'],
  ['with a dash', 1234567, '000-0000'],
  ['with a prefix', 42, '"SO-"0000'],
  ['decimals shown', 1.1, '0.00'],
  ['grouped', 1234567, '#,##0'],
  ['percent', 0.125, '0.0%'],
  ['negative in red', -5, '0;[Red]-0'],
  ['scientific', 12345, '0.00E+00'],
  ['long number', 123456789012345, undefined],
  ['noise', 0.1 + 0.2, undefined],
  ['a third', 1 / 3, '0.###'],
  ['text of digits', '0042', '@'],
  ['Chinese', '张三 №1 😀', undefined],
  ['lines', 'one\ntwo', undefined],
  ['blanks', '  a  b  ', undefined],
  ['date', new Date(Date.UTC(2026, 0, 31)), 'yyyy-mm-dd'],
  ['date in Chinese', new Date(Date.UTC(2026, 10, 5)), 'yyyy"年"m"月"d"日"'],
  ['date and time', new Date(Date.UTC(2026, 0, 31, 8, 30, 15)), 'yyyy-mm-dd hh:mm:ss'],
  ['time', 0.354166666666667, 'hh:mm:ss'],
  ['duration', 1.260416666666667, '[h]:mm:ss'],
  ['yes', true, undefined],
  ['no', false, undefined],
  ['formula number', { formula: '6*7', result: 42 }, '0000'],
  ['formula text', { formula: '"a"&"b"', result: 'ab' }, undefined],
  ['formula truth', { formula: '1=1', result: true }, undefined],
  ['not available', { formula: 'NA()', result: { error: '#N/A' } }, undefined],
  ['division', { formula: '1/0', result: { error: '#DIV/0!' } }, undefined],
  ['empty text', { formula: '""', result: '' }, undefined],
];

async function book(date1904) {
  const workbook = new ExcelJS.Workbook();
  workbook.properties.date1904 = date1904;
  const sheet = workbook.addWorksheet('Cells');
  sheet.addRow(['what', 'value']);
  for (const [what, value, format] of CELLS) {
    const row = sheet.addRow([what, value]);
    if (format !== undefined) row.getCell(2).numFmt = format;
  }
  // Row 40 stands alone, row 42 is hidden.
  sheet.getCell('A40').value = 'after a gap';
  sheet.getCell('A42').value = 'hidden';
  sheet.getRow(42).hidden = true;
  sheet.getCell('D2').value = 'merged';
  sheet.mergeCells('D2:E4');
  const secret = workbook.addWorksheet('Hidden', { state: 'hidden' });
  secret.addRow(['in a hidden sheet']);
  const last = workbook.addWorksheet('最后');
  last.addRow(['third place']);
  return Buffer.from(await workbook.xlsx.writeBuffer());
}

function convert(from, extension, filter, profile) {
  const to = filter === undefined ? extension : `${extension}:${filter}`;
  execFileSync(
    'soffice',
    [
      '--headless',
      `-env:UserInstallation=file://${profile}`,
      '--convert-to',
      to,
      '--outdir',
      path.dirname(from),
      from,
    ],
    { stdio: 'inherit' },
  );
}

const scratch = mkdtempSync(path.join(os.tmpdir(), 'other-files-'));
const profile = path.join(scratch, 'profile');
// LibreOffice works out every formula: a text that it has not worked out itself it would save in .xls as the number 0.
const always = ['ODFRecalcMode', 'OOXMLRecalcMode'].map(
  (name) =>
    `<item oor:path="/org.openoffice.Office.Calc/Formula/Load"><prop oor:name="${name}" oor:op="fuse"><value>0</value></prop></item>`,
);
mkdirSync(path.join(profile, 'user'), { recursive: true });
writeFileSync(
  path.join(profile, 'user/registrymodifications.xcu'),
  `<?xml version="1.0" encoding="UTF-8"?><oor:items xmlns:oor="http://openoffice.org/2001/registry">${always.join('')}</oor:items>`,
);
for (const name of ['cells', 'cells-1904']) {
  const source = path.join(scratch, `${name}.xlsx`);
  writeFileSync(source, await book(name.endsWith('1904')));
  convert(source, 'ods', undefined, profile);
  const ods = path.join(scratch, `${name}.ods`);
  writeFileSync(path.join(FOLDER, `${name}.ods`), readFileSync(ods));
  convert(source, 'xls', 'MS Excel 97', profile);
  writeFileSync(path.join(FOLDER, `${name}.xls`), readFileSync(path.join(scratch, `${name}.xls`)));
  writeFileSync(path.join(FOLDER, `${name}.xlsx`), readFileSync(source));
  const cells = XLSX.read(readFileSync(source), { cellNF: true, cellStyles: true });
  const xlsb = XLSX.write(cells, { type: 'buffer', bookType: 'xlsb', bookSST: true, compression: true });
  writeFileSync(path.join(FOLDER, `${name}.xlsb`), xlsb);
}
rmSync(scratch, { recursive: true });
