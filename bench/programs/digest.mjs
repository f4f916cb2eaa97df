import { createHash } from 'node:crypto';

const UNIT = '\u001f';
const RECORD = '\u001e';

/** What was read from a sheet: how many cells that aren't empty, and one hash over all their texts and columns. */
export class CellDigest {
  #hash = createHash('sha256');
  #cells = 0;

  /** @param texts of a row by column; empty ones are none */
  row(texts) {
    let line = '';
    for (let index = 0; index < texts.length; index += 1) {
      const text = texts[index];
      if (text === undefined || text === null || text === '') continue;
      this.#cells += 1;
      line += index + 1 + UNIT + text + UNIT;
    }
    this.#hash.update(line + RECORD);
  }

  end() {
    return { cells: this.#cells, sha256: this.#hash.digest('hex') };
  }
}

/** Values as readers give them: texts, numbers, days at midnight UTC. */
export function shownText(value) {
  if (value instanceof Date) return value.toISOString().slice(0, 10);
  return value === undefined || value === null ? '' : String(value);
}

/** For a timed reading: cells that aren't empty. */
export function countCells(values) {
  let cells = 0;
  for (let index = 0; index < values.length; index += 1) {
    const value = values[index];
    if (value !== undefined && value !== null && value !== '') cells += 1;
  }
  return cells;
}

/** Prints what was read. `--hash` asks for every text; without it reading alone is timed. */
export async function readAll(rows, textsOf = (row) => row.map(shownText), cellsOf = countCells) {
  let told;
  if (process.argv[3] === '--hash') {
    const digest = new CellDigest();
    for await (const page of rows) for (const row of page) digest.row(textsOf(row));
    told = digest.end();
  } else {
    told = { cells: 0 };
    for await (const page of rows) for (const row of page) told.cells += cellsOf(row);
  }
  process.stdout.write(`${JSON.stringify(told)}\n`);
}
