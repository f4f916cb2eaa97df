// A sheet as an office really makes it, for docs/awkward-sheets.md: titles, merged cells, sums, a second header, notes.
import ExcelJS from 'exceljs';
import { bytesOf } from './sample-files.mjs';

const HEADER = ['No.', 'Order No', 'Customer', 'Customer No', 'Source Order', 'Lock No', 'Deposit'];
const SHARED = ['B', 'C', 'D', 'E'];

const ORDERS = [
  ['R-1001', '北京恒信建设工程有限公司', '001017', 'LO-20250117', ['9100000001', '9100000002', '9100000003']],
  ['R-1002', '上海中诚造价咨询有限公司', '001018', 'LO-20250204', ['9100000011', '9100000012']],
  ['R-1003', '广州远大建筑设计院', '001019', 'LO-20250319', ['9100000021']],
  ['R-1004', '西安天工建设工程有限公司', '001020', 'LO-20250402', ['9100000031', '9100000032']],
];

export function officeReturns() {
  const book = new ExcelJS.Workbook();
  book.created = new Date(Date.UTC(2026, 0, 31));
  book.modified = book.created;
  const sheet = book.addWorksheet('January');
  const page = new Page(sheet);
  page.title('Returned locks, January 2026', 14);
  page.title('Northgate branch · to be entered by 31 January', 10);
  page.header();
  page.order(ORDERS[0]);
  page.order(ORDERS[1]);
  page.sum('Subtotal', 500);
  page.header();
  page.order(ORDERS[2]);
  sheet.lastRow.hidden = true;
  page.order(ORDERS[3]);
  page.sum('Total', 800);
  sheet.addRow([]);
  sheet.addRow(['Note: the locks of R-1002 came without their box.']).font = { italic: true };
  sheet.getCell('I5').value = 'ask Ann';
  [6, 11, 32, 13, 14, 14, 10, 3, 10].forEach((width, at) => {
    sheet.getColumn(at + 1).width = width;
  });
  sheet.pageSetup = { orientation: 'landscape', fitToPage: true, fitToWidth: 1, fitToHeight: 0 };
  return bytesOf(book);
}

class Page {
  #sheet;
  #number = 0;

  constructor(sheet) {
    this.#sheet = sheet;
  }

  title(text, size) {
    const row = this.#sheet.addRow([text]);
    this.#sheet.mergeCells(row.number, 1, row.number, HEADER.length);
    row.getCell(1).font = { bold: true, size };
    row.getCell(1).alignment = { horizontal: 'center' };
  }

  header() {
    this.#shaded(this.#sheet.addRow(HEADER), 'FFD9E1F2');
  }

  sum(word, amount) {
    this.#shaded(this.#sheet.addRow([word, ...Array(HEADER.length - 2).fill(undefined), amount]), 'FFF2F2F2');
  }

  order([number, customer, customerNo, source, locks]) {
    const first = this.#sheet.rowCount + 1;
    for (const lock of locks) {
      this.#number += 1;
      const row = this.#sheet.addRow([this.#number, number, customer, customerNo, source, lock, 100]);
      this.#framed(row);
    }
    if (locks.length < 2) return;
    for (const column of SHARED) {
      this.#sheet.mergeCells(`${column}${first}:${column}${first + locks.length - 1}`);
      this.#sheet.getCell(`${column}${first}`).alignment = { vertical: 'middle' };
    }
  }

  #shaded(row, argb) {
    this.#framed(row);
    row.font = { bold: true };
    for (let at = 1; at <= HEADER.length; at += 1)
      row.getCell(at).fill = { type: 'pattern', pattern: 'solid', fgColor: { argb } };
  }

  #framed(row) {
    const thin = { style: 'thin', color: { argb: 'FFAAAAAA' } };
    for (let at = 1; at <= HEADER.length; at += 1)
      row.getCell(at).border = { top: thin, left: thin, bottom: thin, right: thin };
  }
}
