import ExcelJS from 'exceljs';
import { readAll } from './digest.mjs';

async function* pages(file) {
  const options = { sharedStrings: 'cache', styles: 'cache', hyperlinks: 'ignore', worksheets: 'emit' };
  for await (const sheet of new ExcelJS.stream.xlsx.WorkbookReader(file, options)) {
    // Its columns count from 1: the first place is empty.
    for await (const row of sheet) yield [row.values.slice(1)];
  }
}

await readAll(pages(process.argv[2]));
