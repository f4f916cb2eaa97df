/** Cells as spreadsheets exchange them through the clipboard: tabs between cells, and quotes where a text needs them. */
export function writeTsv(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => row.map(quoted).join('\t')).join('\n');
}

function quoted(text: string): string {
  return /[\t\n\r"]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Rows of cells from the clipboard's text; the line break that Excel puts at the end makes no row. */
export function readTsv(text: string): string[][] {
  const rows: string[][] = [[]];
  // A quote that nothing closes is part of the text: the second way takes whatever the first does not.
  const cells = text.matchAll(/(?:"((?:[^"]|"")*)"|([^\t\r\n]*))(\t|\r\n|\r|\n|$)/gy);
  for (const [all, inQuotes, plain = '', end] of cells) {
    if (all === '' && rows.length > 1 && rows.at(-1)?.length === 0) break;
    rows.at(-1)?.push(inQuotes?.replaceAll('""', '"') ?? plain);
    if (end === '') break;
    if (end !== '\t') rows.push([]);
  }
  return rows.at(-1)?.length === 0 ? rows.slice(0, -1) : rows;
}
