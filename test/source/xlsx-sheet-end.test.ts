import { describe, expect, it } from 'vitest';
import { readSheetEnd, type SheetEnd } from '../../src/source/xlsx/sheet-end.js';

const PLACE = { file: 'book.xlsx', part: 'xl/worksheets/sheet1.xml' };

/** The end of a part that arrives in pieces of a size. */
function endOf(xml: string, size = 1 << 20): Promise<SheetEnd> {
  const bytes = Buffer.from(xml);
  async function* pieces(): AsyncGenerator<Buffer> {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  }
  return readSheetEnd(pieces(), PLACE);
}

/** Its merged ranges. */
async function ranges(xml: string, size?: number): Promise<string[]> {
  const found = (await endOf(xml, size)).merges;
  return Array.from({ length: found.count }, (_, index) => found.address(index));
}

const cells = '<row r="1"><c r="A1" t="inlineStr"><is><t>mergeCell ref="A1:B9" mergeCells</t></is></c></row>';
const merges = `<mergeCells count="3"><mergeCell ref="C5:D9"/><mergeCell  ref='$A$2:$A$4' /><mergeCell ref="B7"/></mergeCells>`;

describe('every merged range of a worksheet is found', () => {
  it('are found behind the cells, from the top down, and never in a text', async () => {
    const xml = `<worksheet><sheetData>${cells}</sheetData><sheetProtection/>${merges}</worksheet>`;
    expect(await ranges(xml)).toEqual(['A2:A4', 'C5:D9']);
    expect(await ranges(`<worksheet><sheetData>${cells}</sheetData></worksheet>`)).toEqual([]);
  });

  it('are found whatever the prefix, and wherever the part is cut', async () => {
    const xml = `<x:worksheet><x:sheetData>${cells}</x:sheetData>${merges.replaceAll('merge', 'x:merge')}</x:worksheet>`;
    for (const size of [1, 3, 7, 64, 127, 128, 129, 200]) {
      expect(await ranges(xml, size), `${size} bytes at a time`).toEqual(['A2:A4', 'C5:D9']);
    }
  });

  it('turned around are the same, and over whole columns cost nothing', async () => {
    expect(await ranges('<a><mergeCell ref="d9:c5"/><mergeCell ref="B2:B1048576"/></a>')).toEqual([
      'B2:B1048576',
      'C5:D9',
    ]);
  });

  it.each(['', 'ref=""', 'ref="A1:"', 'ref="A0:B2"', 'ref="A1:XFE2"', 'ref="A1:B1048577"'])(
    'that are none are refused: %s',
    async (attribute) => {
      await expect(ranges(`<a><mergeCell ${attribute}/></a>`)).rejects.toMatchObject({
        kind: 'input',
        detail: { code: 'source.xlsx_part_broken' },
      });
    },
  );
});

it.each([
  ['<sheetCalcPr fullCalcOnLoad="1"/>', true],
  ["<x:sheetCalcPr\n fullCalcOnLoad = 'true' />", true],
  ['<sheetCalcPr fullCalcOnLoad="0"/>', false],
  ['<sheetCalcPr/>', false],
])('%s says whether the sheet must be calculated on opening', async (element, wanted) => {
  const xml = `<worksheet><sheetData>${cells}</sheetData>${element}${merges}</worksheet>`;
  for (const size of [1, 64, 1 << 20]) expect((await endOf(xml, size)).pending).toBe(wanted);
  expect(await ranges(xml)).toEqual(['A2:A4', 'C5:D9']);
});
