import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { correctionsText, readCorrections } from '../../../src/run/corrections/corrections-file.js';
import { Overlay } from '../../../src/run/corrections/overlay.js';
import { correction, HEADER } from '../../support/corrected-sheets.js';
import { Fixture } from '../../support/job-runs.js';

let fixture: Fixture;

beforeEach(async () => {
  fixture = await Fixture.open();
});

afterEach(() => fixture.close());

/** A sheet whose column E is called A, and whose last two columns are alike. */
const HEADERS = [...HEADER.slice(0, 4), 'A', 'Note', 'Note'];
const TABLE = {
  headerRow: 2,
  headers: HEADERS.map((text, index) => ({ column: index + 1, text, folded: text.toLowerCase() })),
  sheet: { name: 'Orders', position: 1, visibility: 'visible' },
} as const;

async function read(text: string, name = 'c.csv') {
  return readCorrections(await fixture.file(name, text), TABLE, {});
}

async function faultsOf(text: string, name?: string): Promise<readonly string[]> {
  return read(text, name).then(
    () => [],
    (error) => [error.detail, ...error.others].map((it) => `${it.params.line ?? '-'} ${it.code}`),
  );
}

describe('a file of corrections', () => {
  it('names columns by letter or header, in any order, with the values as they are typed', async () => {
    const found = await read(
      'Value,ROW,column,why\n 7 ,3,D,x\n="007",4,nodes,\n,5,asset,\n=1+1,6,F,\n"a\nb",7,G,\n',
    );
    expect(found).toEqual([
      { row: 3, column: 4, header: 'Nodes', text: ' 7 ' },
      { row: 4, column: 4, header: 'Nodes', text: '007' },
      { row: 5, column: 3, header: 'Asset', text: '' },
      { row: 6, column: 6, header: 'Note', text: '=1+1' },
      { row: 7, column: 7, header: 'Note', text: 'a\nb' },
    ]);
  });

  it('reports every line that is wrong', async () => {
    const lines = [
      'row,column,value',
      'x,D,1',
      '2,D,1',
      '3,Nods,1',
      '3,Z,1',
      '3,A,1',
      '3,Note,1',
      '4,D,1',
      '4,Nodes,2',
    ];
    expect(await faultsOf(lines.join('\n'))).toEqual([
      '2 corrections.row_wrong',
      '3 corrections.row_header',
      '4 corrections.column_near',
      '5 corrections.column_unknown',
      '6 corrections.column_twice',
      '7 corrections.column_twice',
      '9 corrections.twice',
    ]);
    expect(await faultsOf('row,cell,value\n3,D,1\n')).toEqual(['- corrections.file_headers']);
    expect(await faultsOf('{}', 'c.json')).toEqual(['- corrections.file_format']);
  });

  it('is written so that it is read as the same corrections', async () => {
    const texts = ['7', '=1+1', '="007"', '-5', '@x', 'a,"b"\n', ' 001 ', '', '+86 10', '="a""b"'];
    const cells = texts.map((text, n) => correction(n + 3, 4, text));
    const found = await read(correctionsText(cells));
    const again = await read(correctionsText(found));
    expect(again).toEqual(found);
    expect(found.map((it) => it.text)).toEqual([
      '7',
      '=1+1',
      '007',
      '-5',
      '@x',
      'a,"b"\n',
      ' 001 ',
      '',
      '+86 10',
      'a"b',
    ]);
    expect(Overlay.of(found).sha256).toBe(Overlay.of([...found].reverse()).sha256);
  });
});
