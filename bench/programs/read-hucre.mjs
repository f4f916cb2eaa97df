import { readFile } from 'node:fs/promises';
import { streamXlsxRows } from 'hucre/xlsx';
import { readAll } from './digest.mjs';

async function* pages(file) {
  for await (const row of streamXlsxRows(await readFile(file))) yield [row.values];
}

await readAll(pages(process.argv[2]));
