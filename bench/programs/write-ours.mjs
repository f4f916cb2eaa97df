// A result workbook, by the writer that runs write theirs with.
import { writeResult } from '../../dist/workbook/write.js';
import { pages, RESULT_COLUMNS, SOURCE_HEADERS } from './workbook-rows.mjs';

const [file, count] = process.argv.slice(2);
const LETTERS = SOURCE_HEADERS.map((_, index) =>
  index < 26 ? String.fromCharCode(65 + index) : `A${String.fromCharCode(39 + index)}`,
);

class GivenRow {
  sheet = 'Orders';
  hidden = false;

  constructor(number, values) {
    this.number = number;
    this.values = values;
  }

  cell(column) {
    const value = this.values[column - 1];
    if (value === undefined) return undefined;
    const address = LETTERS[column - 1] + this.number;
    if (typeof value === 'string') return { column, address, kind: 'text', text: value, raw: value };
    if (typeof value === 'number') {
      return { column, address, kind: 'number', text: String(value), raw: String(value) };
    }
    const text = new Date((value.day - 25_569) * 86_400_000).toISOString().slice(0, 10);
    return { column, address, kind: 'date', text, raw: String(value.day), format: 'yyyy-mm-dd' };
  }

  cells() {
    return this.values.map((_, index) => this.cell(index + 1));
  }
}

const NO_MARKS = new Map();

async function* lines() {
  for (const page of pages(Number(count))) {
    yield page.map(({ values, source, rejected }) => ({
      status: values[1],
      values,
      row: new GivenRow(values[0], source),
      marks: NO_MARKS,
      ...(rejected ? { problem: values[4] } : {}),
    }));
  }
}

await writeResult(file, {
  job: 'bench',
  run: '20261101-020000-4f9a21',
  language: 'en',
  columns: RESULT_COLUMNS,
  headers: SOURCE_HEADERS.map((text, index) => ({ column: index + 1, text, folded: text.toLowerCase() })),
  lines: lines(),
  summary: () => [['rows', Number(count)]],
  carried: [],
  sandbox: false,
});
