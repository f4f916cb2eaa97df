import { openSource } from '../../src/source/open-source.js';

/** The cells of a sheet, line by line. */
export async function readLines(file: string, name = 'Results'): Promise<string[][]> {
  const source = await openSource(file);
  try {
    const sheet = source.sheets.find((it) => it.name === name) ?? source.sheets[0];
    if (!sheet) throw new Error(`${file} has no sheet ${name}`);
    const lines: string[][] = [];
    for await (const rows of source.rows(sheet)) {
      for (const row of rows) {
        const line: string[] = [];
        for (const cell of row.cells()) line[cell.column - 1] = cell.text;
        lines.push(line);
      }
    }
    return lines;
  } finally {
    await source.close();
  }
}

/** The sheet of a result workbook as records by header. */
export async function readSheet(file: string, name = 'Results'): Promise<Record<string, string>[]> {
  const [header = [], ...data] = await readLines(file, name);
  // Of two columns with one name the first counts: result columns stand before the source's own.
  const firsts = header.flatMap((title, at) => (header.indexOf(title) === at ? [[title, at] as const] : []));
  return data.map((line) => Object.fromEntries(firsts.map(([title, at]) => [title, line[at] ?? ''])));
}
