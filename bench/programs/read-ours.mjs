// Every cell of a file's first sheet, by the reader that runs read their input with.
import { openSource } from '../../dist/tools/source.cjs';
import { readAll } from './digest.mjs';

function texts(row) {
  const found = [];
  for (const { column, text } of row.cells()) found[column - 1] = text;
  return Array.from(found);
}

/** Takes every cell's text, so that none is left to be decoded. */
function countTexts(row) {
  let count = 0;
  for (const { text } of row.cells()) if (text !== '') count += 1;
  return count;
}

const source = await openSource(process.argv[2]);
await readAll(source.rows(source.sheets[0]), texts, countTexts);
await source.close();
