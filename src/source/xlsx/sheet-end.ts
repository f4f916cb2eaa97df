import { MergedRanges } from '../merged-ranges.js';
import { MAX_COLUMN, MAX_ROW } from './row-blocks.js';
import { columnNumber } from './sheet-cells.js';
import { ascii, brokenPart, type PartPlace } from './xml-text.js';

const MERGED = Buffer.from('mergeCell');
const CALCULATION = Buffer.from('sheetCalcPr');
/** Bytes kept from one chunk to the next: more than a tag's name and prefix need. */
const OVERLAP = 128;
const LONGEST_TAG = 4096;
const FULL_CALCULATION = /\sfullCalcOnLoad\s*=\s*["'](?:1|true)["']/;
const LT = 0x3c;
const GT = 0x3e;

/** The data after a worksheet's cells. */
export interface SheetEnd {
  readonly merges: MergedRanges;
  /** The sheet's formulas must be calculated on opening. */
  readonly pending: boolean;
}

/**
 * Reads the data after a worksheet's cells, so the whole part has to be read before the first row. It is searched for
 * two words and not parsed, which takes a fraction of the time.
 * @param chunks the part, decompressed, in UTF-8
 * @throws ProductError input for an invalid range
 */
export async function readSheetEnd(chunks: AsyncIterable<Buffer>, place: PartPlace): Promise<SheetEnd> {
  const numbers: number[] = [];
  let pending = false;
  let rest: Buffer = Buffer.alloc(0);
  let offset = 0;
  for await (const chunk of chunks) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const base = offset - rest.length;
    offset += chunk.length;
    let keep = Math.max(0, bytes.length - OVERLAP);
    for (const name of [MERGED, CALCULATION]) {
      for (let at = bytes.indexOf(name); at >= 0; at = bytes.indexOf(name, at + name.length)) {
        const start = tagStart(bytes, at);
        const next = bytes[at + name.length];
        if (start === undefined || (next !== undefined && next > 0x20)) continue;
        const end = bytes.indexOf(GT, at);
        if (end < 0) {
          if (bytes.length - start > LONGEST_TAG) throw brokenPart(place, base + start);
          keep = Math.min(keep, start);
          break;
        }
        // A complete tag at the end of the last chunk has been read already.
        if (end < rest.length) continue;
        const tag = ascii(bytes, start, end);
        if (name === CALCULATION) pending = FULL_CALCULATION.test(tag);
        else numbers.push(...rangeOf(tag, place, base + start));
      }
    }
    rest = Buffer.from(bytes.subarray(keep));
  }
  return { merges: numbers.length === 0 ? MergedRanges.NONE : MergedRanges.of(numbers), pending };
}

/** Start of the tag whose local name is at `at`; undefined if it is not the name of a start tag. */
function tagStart(bytes: Buffer, at: number): number | undefined {
  for (let p = at - 1; p >= 0 && at - p < OVERLAP / 2; p -= 1) {
    const byte = bytes[p]!;
    if (byte === LT) return p === at - 1 || bytes[at - 1] === 0x3a ? p : undefined;
    if (byte <= 0x20 || byte === GT || byte === 0x2f) return undefined;
  }
  return undefined;
}

/** The range's four numbers; none for a range of one cell. */
function rangeOf(tag: string, place: PartPlace, offset: number): readonly number[] {
  const ref = /\sref\s*=\s*(?:"([^"]*)"|'([^']*)')/.exec(tag);
  const parts = /^\s*\$?([a-z]{1,3})\$?(\d{1,7})(?::\$?([a-z]{1,3})\$?(\d{1,7}))?\s*$/i.exec(
    ref?.[1] ?? ref?.[2] ?? '',
  );
  if (!parts) throw brokenPart(place, offset);
  const [, left, top, right = left, bottom = top] = parts;
  const columns = [left!, right!].map((it) => columnNumber(it.toUpperCase())).sort((a, b) => a - b);
  const rows = [Number(top), Number(bottom)].sort((a, b) => a - b);
  if (rows[0]! < 1 || rows[1]! > MAX_ROW || columns[1]! > MAX_COLUMN) throw brokenPart(place, offset);
  if (rows[0] === rows[1] && columns[0] === columns[1]) return [];
  return [rows[0]!, columns[0]!, rows[1]!, columns[1]!];
}
