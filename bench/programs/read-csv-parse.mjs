import { createReadStream } from 'node:fs';
import { parse } from 'csv-parse';
import { readAll } from './digest.mjs';

/** Records are taken as many at a time as there are, which is its quickest way. */
async function* pages(file) {
  const parser = createReadStream(file).pipe(parse());
  let ended = false;
  let wake = () => {};
  const onEvent = () => wake();
  parser.on('readable', onEvent);
  parser.on('end', () => {
    ended = true;
    wake();
  });
  parser.on('error', (error) => {
    throw error;
  });
  for (;;) {
    const page = [];
    for (let record = parser.read(); record !== null; record = parser.read()) page.push(record);
    if (page.length > 0) yield page;
    else if (ended) return;
    else
      await new Promise((resolve) => {
        wake = resolve;
      });
  }
}

await readAll(pages(process.argv[2]));
