import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { textOf } from './values.mjs';

const PAGE = 1000;

function field(value) {
  const text = textOf(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function* pages(rows) {
  let page = [];
  for (const row of rows) {
    page.push(`${row.map(field).join(',')}\r\n`);
    if (page.length < PAGE) continue;
    yield page.join('');
    page = [];
  }
  yield page.join('');
}

/** UTF-8 without a byte order mark, which not every reader takes away. */
export async function writeCsv(file, rows) {
  await pipeline(Readable.from(pages(rows)), createWriteStream(file));
}
