// A result workbook, by the writer that runs write theirs with.
import { writeResult } from '../../dist/tools/workbook.cjs';
import { pages, RESULT_COLUMNS, SOURCE_HEADERS } from './workbook-rows.mjs';

const [file, count] = process.argv.slice(2);

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
    if (typeof value === 'string') return { column, kind: 'text', text: value, raw: value };
    if (typeof value === 'number') return { column, kind: 'number', text: String(value), raw: String(value) };
    const text = new Date((value.day - 25_569) * 86_400_000).toISOString().slice(0, 10);
    return { column, kind: 'date', text, raw: String(value.day), format: 'yyyy-mm-dd' };
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
