// Contents of the sample inputs: workbooks, and text in several encodings.
import ExcelJS from 'exceljs';
import { fromSource } from './from-source.mjs';

const { packParts, unpackParts } = await fromSource('templates/zip.ts');

/** Marks a value for a cell with a number format of its own. */
export const shown = (value, format) => ({ value, format });

/** A day as a serial number of the 1900 date system. */
export const day = (year, month, date, format = 'yyyy-mm-dd') =>
  shown(Math.round(Date.UTC(year, month - 1, date) / 86_400_000) + 25_569, format);

/** `sheets`: name to rows of values; the first row is the header. */
export async function workbook(sheets) {
  const book = new ExcelJS.Workbook();
  book.created = new Date(Date.UTC(2026, 10, 1));
  book.modified = book.created;
  for (const [name, rows] of Object.entries(sheets)) {
    const sheet = book.addWorksheet(name, { views: [{ state: 'frozen', ySplit: 1 }] });
    rows.forEach((values, index) => {
      const row = sheet.getRow(index + 1);
      values.forEach((value, at) => {
        if (value === undefined || value === '') return;
        const cell = row.getCell(at + 1);
        if (typeof value === 'object') {
          cell.value = value.value;
          cell.numFmt = value.format;
        } else {
          cell.value = value;
          if (typeof value === 'string' && index > 0) cell.numFmt = '@';
        }
        if (index === 0) cell.font = { bold: true };
      });
      row.commit();
    });
    rows[0].forEach((header, at) => {
      sheet.getColumn(at + 1).width = Math.min(40, Math.max(10, String(header).length + 4));
    });
  }
  return bytesOf(book);
}

/** A workbook's file without the time at which it was made. */
export async function bytesOf(book) {
  return packParts(await unpackParts(await book.xlsx.writeBuffer()));
}

const needsQuotes = (text, delimiter) => text.includes(delimiter) || /["\r\n]/.test(text);

export function delimited(rows, delimiter = ',', lineEnd = '\r\n') {
  const cell = (value) => {
    const text = String(value ?? '');
    return needsQuotes(text, delimiter) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return rows.map((row) => row.map(cell).join(delimiter)).join(lineEnd) + lineEnd;
}

export function textFile(text, encoding = 'utf-8-bom') {
  if (encoding === 'utf-8-bom') return Buffer.from(`\ufeff${text}`, 'utf8');
  if (encoding === 'utf-8') return Buffer.from(text, 'utf8');
  if (encoding === 'utf-16le') return Buffer.from(`\ufeff${text}`, 'utf16le');
  return gb18030(text);
}

/** Node decodes GB18030 but doesn't encode it: the two-byte area is turned round once. */
function gb18030(text) {
  const decoder = new TextDecoder('gb18030');
  const bytes = new Map();
  for (let lead = 0x81; lead <= 0xfe; lead += 1) {
    for (let trail = 0x40; trail <= 0xfe; trail += 1) {
      if (trail === 0x7f) continue;
      const character = decoder.decode(Uint8Array.of(lead, trail));
      if ([...character].length === 1 && character !== '\ufffd') bytes.set(character, [lead, trail]);
    }
  }
  const out = [];
  for (const character of text) {
    if (character.codePointAt(0) < 0x80) out.push(character.codePointAt(0));
    else if (bytes.has(character)) out.push(...bytes.get(character));
    else throw new Error(`no two-byte GB18030 form for ${character}`);
  }
  return Buffer.from(out);
}
