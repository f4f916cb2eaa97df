import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { ProductError } from '../../src/errors/product-error.js';
import type { Cell, Row } from '../../src/model/row.js';
import { openSource } from '../../src/source/open-source.js';
import type { SheetInfo, Source } from '../../src/source/source.js';

const FOLDER = fileURLToPath(new URL('../../../shared/spreadsheets/', import.meta.url));
const MANIFEST = path.join(FOLDER, 'manifest.json');

interface Entry {
  readonly file: string;
  readonly expect: 'rows' | 'error' | 'either';
  readonly sheet?: string | null;
  readonly rows?: number;
  readonly cells?: number;
  readonly cols?: number;
  readonly firstRow?: number | null;
  readonly lastRow?: number | null;
  readonly sample?: readonly (readonly string[])[];
  readonly sampleRowNumbers?: readonly number[];
  readonly lastSample?: readonly string[];
  readonly hiddenRows?: number;
  readonly otherSheets?: readonly (readonly [name: string, state: string, kind: string])[];
  readonly truthFrom?: string;
}

/** What was read of the first visible sheet. */
interface Reading {
  readonly source: Source;
  readonly sheet: SheetInfo;
  readonly rows: readonly Row[];
}

if (existsSync(MANIFEST)) {
  const entries = JSON.parse(readFileSync(MANIFEST, 'utf8')) as readonly Entry[];
  describe('the reader corpus', () => {
    it('has entries', () => expect(entries.length).toBeGreaterThan(100));
    for (const entry of entries) it(`${entry.expect}: ${entry.file}`, () => check(entry));
  });
} else {
  console.log('reader corpus: skipped, ../shared/spreadsheets is not there');
  describe.skip('the reader corpus', () => it('is absent', () => undefined));
}

async function check(entry: Entry): Promise<void> {
  const read = await reading(path.join(FOLDER, 'files', entry.file));
  if (read instanceof ProductError) {
    // What is missing of an encrypted workbook is missing in the job.
    expect(read.kind).toBe(read.code === 'source.xlsx_encrypted' ? 'usage' : 'input');
    expect(read.message).toContain(entry.file);
    if (entry.expect === 'rows') throw read;
    return;
  }
  expect(entry.expect, 'an error was wanted, but the file was read').not.toBe('error');
  if (entry.rows !== undefined) compare(entry, read);
}

/** Anything but an input error is thrown, and fails the test. */
async function reading(file: string): Promise<Reading | ProductError> {
  let source: Source | undefined;
  try {
    source = await openSource(file);
    const sheet = source.sheets.find((it) => it.visibility === 'visible');
    if (!sheet) throw new Error('no visible sheet');
    const rows: Row[] = [];
    for await (const chunk of source.rows(sheet)) {
      for (const row of chunk) {
        row.cells();
        rows.push(row);
      }
    }
    return { source, sheet, rows };
  } catch (error) {
    if (error instanceof ProductError) return error;
    throw error;
  } finally {
    await source?.close();
  }
}

function compare(entry: Entry, { source, sheet, rows }: Reading): void {
  const withValue = (row: Row): readonly Cell[] => row.cells().filter((cell) => cell.kind !== 'no_result');
  // The truth counts values; a formula that was never calculated has none.
  const filled = rows.filter((row) => withValue(row).length > 0);
  const isText = !source.isWorkbook;
  expect({
    sheet: isText ? entry.sheet : sheet.name,
    rows: filled.length,
    cells: filled.reduce((sum, row) => sum + withValue(row).length, 0),
    // A text file's columns count to the end of its longest record, empty or not.
    cols: isText
      ? entry.cols
      : filled.reduce((most, row) => Math.max(most, withValue(row).at(-1)?.column ?? 0), 0),
    firstRow: isText ? entry.firstRow : (filled[0]?.number ?? null),
    lastRow: isText ? entry.lastRow : (filled.at(-1)?.number ?? null),
  }).toEqual({
    sheet: entry.sheet,
    rows: entry.rows,
    cells: entry.cells,
    cols: entry.cols,
    firstRow: entry.firstRow,
    lastRow: entry.lastRow,
  });
  if (entry.hiddenRows !== undefined) {
    expect(rows.filter((row) => row.hidden)).toHaveLength(entry.hiddenRows);
  }
  const others = (entry.otherSheets ?? []).filter(([, , kind]) => kind === 'Worksheet');
  for (const [name, state] of others) {
    const visibility = state === 'veryHidden' ? 'very_hidden' : state;
    expect(source.sheets).toContainEqual(expect.objectContaining({ name, visibility }));
  }
  for (const [name] of (entry.otherSheets ?? []).filter(([, , kind]) => kind !== 'Worksheet')) {
    expect(source.sheets.map((it) => it.name)).not.toContain(name);
  }
  const samples = entry.sample ?? [];
  samples.forEach((sample, index) => {
    compareRow(filled[index], sample, entry.truthFrom ?? '');
    expect(filled[index]?.number).toBe(entry.sampleRowNumbers?.[index]);
  });
  if (entry.lastSample && filled.length > 0)
    compareRow(filled.at(-1), entry.lastSample, entry.truthFrom ?? '');
}

function compareRow(row: Row | undefined, sample: readonly string[], truthFrom: string): void {
  const seen: string[] = [];
  sample.forEach((wanted, index) => {
    const cell = row?.cell(index + 1);
    // Escapes such as _x000D_ are left in the truth.
    const truth = wanted.replace(/_x([0-9a-f]{4})_/gi, (_, hex) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
    const same = forms(cell).includes(truth) || sameNumber(cell, wanted) || longer(cell, wanted, truthFrom);
    seen.push(same ? wanted : (cell?.text ?? ''));
  });
  expect(seen, `row ${row?.number}`).toEqual(sample);
}

/** The ways in which the truth may write a cell: formats aren't applied there, dates have a blank and a time. */
function forms(cell: Cell | undefined): readonly string[] {
  if (!cell || cell.kind === 'no_result') return [''];
  const all = [cell.text];
  if (cell.kind === 'date') {
    const [day, time = '00:00:00'] = cell.text.split('T');
    all.push(`${day} ${time}`, `${day}T${time}.000Z`);
  } else if (cell.kind === 'duration') {
    const [hours = 0, minutes = 0, seconds = 0] = cell.text.split(':').map(Number);
    const total = hours * 3600 + minutes * 60 + seconds;
    all.push(`PT${total}s`, `PT${total.toExponential().replace(/e\+(\d)$/, 'e+0$1')}s`);
  } else if (cell.kind === 'text' || cell.kind === 'number') {
    all.push(cell.raw);
  }
  return all.map((text) => (text.length > 200 ? text.slice(0, 200) : text));
}

/** SheetJS ignores the runs of an inline string that has plain text before them; LibreOffice joins them too. */
function longer(cell: Cell | undefined, wanted: string, truthFrom: string): boolean {
  return (
    truthFrom.startsWith('SheetJS') && wanted !== '' && cell?.kind === 'text' && cell.text.startsWith(wanted)
  );
}

/** The same number in other digits: the truth writes 15 or 17 of them, and never pads. */
function sameNumber(cell: Cell | undefined, wanted: string): boolean {
  if (cell?.kind !== 'number' || wanted === '' || cell.raw === '') return false;
  return Number(cell.raw).toPrecision(15) === Number(wanted).toPrecision(15);
}
