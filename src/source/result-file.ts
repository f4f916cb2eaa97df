import { createReadStream } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { openSource } from './open.js';
import { beginsLikeResult } from './result-header.js';

/** Whether a file has the leading headers of a result. A file that cannot be read has none. */
export async function isResultFile(file: string): Promise<boolean> {
  try {
    const names = path.extname(file).toLowerCase() === '.ndjson' ? await members(file) : await headers(file);
    return beginsLikeResult(names);
  } catch {
    return false;
  }
}

async function headers(file: string): Promise<readonly (string | undefined)[]> {
  const source = await openSource(file);
  try {
    const sheet = source.sheets.find(({ name }) => name === 'Results') ?? source.sheets[0];
    if (!sheet) return [];
    for await (const [row] of source.rows(sheet)) {
      return row ? [1, 2, 3].map((column) => row.cell(column)?.text) : [];
    }
    return [];
  } finally {
    await source.close();
  }
}

/** Names of the first line's members. */
async function members(file: string): Promise<readonly string[]> {
  const input = createReadStream(file);
  try {
    for await (const line of createInterface({ input })) {
      return Object.keys(JSON.parse(line) as object);
    }
    return [];
  } finally {
    input.destroy();
  }
}
