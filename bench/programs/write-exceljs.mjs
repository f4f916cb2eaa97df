// The same workbook by exceljs's stream writer, each cell given its style as its documentation shows.
import ExcelJS from 'exceljs';
import { pages, RESULT_COLUMNS, SOURCE_HEADERS } from './workbook-rows.mjs';

const [file, count] = process.argv.slice(2);
const book = new ExcelJS.stream.xlsx.WorkbookWriter({ filename: file, useStyles: true });
const sheet = book.addWorksheet('Results', { views: [{ state: 'frozen', ySplit: 1 }] });
const RED = { type: 'pattern', pattern: 'solid', fgColor: { argb: 'FFFFC7CE' } };

function write(cell, value, rejected) {
  if (value === undefined) return;
  if (typeof value === 'object') {
    cell.value = value.day;
    cell.numFmt = 'yyyy-mm-dd';
  } else {
    cell.value = value;
    if (typeof value === 'string') cell.numFmt = '@';
  }
  cell.alignment = { vertical: 'top' };
  if (rejected) cell.fill = RED;
}

const header = sheet.getRow(1);
[...RESULT_COLUMNS, ...SOURCE_HEADERS].forEach((title, index) => {
  const cell = header.getCell(index + 1);
  cell.value = title;
  cell.font = { bold: true };
});
header.commit();
for (const page of pages(Number(count))) {
  for (const { values, source, rejected } of page) {
    const row = sheet.getRow(values[0]);
    for (let index = 0; index < values.length; index += 1) {
      write(row.getCell(index + 1), values[index], rejected && index === 1);
    }
    for (let index = 0; index < source.length; index += 1) {
      write(row.getCell(values.length + index + 1), source[index], false);
    }
    row.commit();
  }
  // Lets the compressor keep up.
  await new Promise((resolve) => setImmediate(resolve));
}
sheet.commit();
await book.commit();
