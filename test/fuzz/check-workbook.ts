import { readFileSync } from 'node:fs';
import path from 'node:path';
import { openSource } from '../../src/source/open-source.js';
import { scanSheet } from '../../src/source/xlsx/scan-part.js';
import { readSharedStrings } from '../../src/source/xlsx/shared-strings.js';
import { rowsOf } from '../../src/source/xlsx/xlsx-row.js';
import { readStyles } from '../../src/source/xlsx/xlsx-styles.js';
import { findWorkbook, readWorkbook } from '../../src/source/xlsx/xlsx-workbook.js';
import { type PackagePart, ZipPackage } from '../../src/source/xlsx/zip.js';
import type { Case } from './cases.js';
import type { Random } from './random.js';
import {
  Complaint,
  compareReadings,
  faultOf,
  Gathered,
  inPieces,
  type Open,
  type Reading,
  readFileFully,
  SHEETS_READ,
} from './reading.js';
import type { Seed } from './seeds.js';

/** Row numbers of a part as its unchanged workbook has them, with the part that its texts came from. */
interface PartRows {
  readonly numbers: readonly number[];
  readonly strings: string;
}

/** Rows by part name, of workbooks whose row elements with values are as many as the rows that were read. */
export class Baselines {
  readonly #known = new Map<string, ReadonlyMap<string, PartRows>>();

  get(seed: Seed): ReadonlyMap<string, PartRows> | undefined {
    return this.#known.get(seed.name);
  }

  async learn(seed: Seed, file: string): Promise<ReadonlyMap<string, PartRows>> {
    const known = this.#known.get(seed.name);
    if (known) return known;
    const found = new Map<string, PartRows>();
    const pieces = await readInPieces(file, undefined);
    if (pieces && !pieces.reading.fault) {
      const { reading, parts, strings } = pieces;
      parts.forEach((name, index) => {
        const numbers = reading.numbers[index] ?? [];
        const data = seed.entries?.find((it) => it.name === name)?.data;
        if (data && rowsWithValues(data) === numbers.length) found.set(name, { numbers, strings });
      });
    }
    this.#known.set(seed.name, found);
    return found;
  }
}

/** Row elements that hold a value, a text or a formula, counted without any of the reader's code. */
export function rowsWithValues(xml: Buffer): number {
  const rows = xml
    .toString('utf8')
    .matchAll(/<(?:\w+:)?row\b(?:"[^"]*"|'[^']*'|[^>"'/]|\/(?!>))*>(.*?)<\/(?:\w+:)?row>/gs);
  return [...rows].filter(([, inside]) => /<(?:\w+:)?(?:v|t)(?:\s[^>]*)?>[^<]|<(?:\w+:)?f\b/.test(inside!))
    .length;
}

/**
 * Reads a mutated workbook in three ways that must agree, and compares with the unchanged one what wasn't changed.
 * Gives `rows` or the fault's code. @throws Complaint, or whatever the reader must never throw.
 */
export async function checkWorkbook(
  it: Case,
  file: string,
  baseline: ReadonlyMap<string, PartRows> | undefined,
  open: Open = openSource,
): Promise<string> {
  const first = await readFileFully(open, file, {});
  compareReadings(first, await readFileFully(open, file, {}), 'read again');
  // What the package refuses before any sheet is opened has no pieces.
  const pieces = await readInPieces(file, it.random);
  if (pieces) compareReadings(first, pieces.reading, 'read in other pieces');
  if (pieces && !first.fault && baseline) compareWithBaseline(it, first, pieces, baseline);
  return first.fault?.detail.code ?? 'rows';
}

function compareWithBaseline(
  it: Case,
  read: Reading,
  { parts, strings }: InPieces,
  baseline: ReadonlyMap<string, PartRows>,
): void {
  parts.forEach((name, index) => {
    const wanted = baseline.get(name);
    const sameTexts = wanted?.strings === strings && (strings === '' || it.intact.has(strings));
    if (!wanted || !sameTexts || !it.intact.has(name)) return;
    const numbers = read.numbers[index] ?? [];
    if (numbers.length === wanted.numbers.length && numbers.every((n, at) => n === wanted.numbers[at]))
      return;
    throw new Complaint(
      `${name} is unchanged and has ${wanted.numbers.length} rows, but ${numbers.length} were read`,
    );
  });
}

interface InPieces {
  readonly reading: Reading;
  /** Part of each sheet that was read, and of the shared texts. */
  readonly parts: readonly string[];
  readonly strings: string;
}

/**
 * As `openSource` reads, but with parts that arrive in other pieces; `random` absent: as they come. Undefined where a process of
 * its own reads the workbook, as it is of another kind.
 */
async function readInPieces(file: string, random: Random | undefined): Promise<InPieces | undefined> {
  // A workbook of the old kind (.xls), or an encrypted one, is a compound file and has no package.
  if (readFileSync(file).subarray(0, 8).toString('hex') === 'd0cf11e0a1b11ae1') return undefined;
  const gathered = new Gathered();
  const parts: string[] = [];
  let strings = '';
  let zip: ZipPackage | undefined;
  try {
    zip = await ZipPackage.open(file, path.basename(file));
    const opened = zip;
    const chunks = (part: PackagePart): AsyncIterable<Buffer> =>
      random ? inPieces(opened.chunks(part), random) : opened.chunks(part);
    const cut = { file: zip.file, chunks } as unknown as ZipPackage;
    const found = await findWorkbook(zip);
    if (found.kind !== 'xlsx') return undefined;
    const workbook = await readWorkbook(zip, found.part);
    strings = workbook.sharedStrings?.name ?? '';
    const texts = await readSharedStrings(cut, workbook.sharedStrings);
    const { formats: styles } = await readStyles(cut, workbook.styles);
    for (const { info, part } of workbook.worksheets.slice(0, SHEETS_READ)) {
      gathered.beginSheet();
      parts.push(part.name);
      const place = { file: zip.file, part: part.name };
      const context = { sheet: info.name, strings: texts, styles, date1904: workbook.date1904 };
      for await (const block of scanSheet(chunks(part), info.name, texts.offsets, place)) {
        gathered.add(rowsOf(block, context));
      }
    }
  } catch (error) {
    gathered.fault = faultOf(error, file);
  } finally {
    zip?.close();
  }
  return { reading: gathered.reading(), parts, strings };
}
