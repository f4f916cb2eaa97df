import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ProductError } from '../../src/errors/product-error.js';
import { isErrorText } from '../../src/source/cell-texts.js';
import { strictRecords } from '../../src/source/csv/csv-records.js';
import { type CsvRecord, LenientRecordReader } from '../../src/source/csv/lenient-records.js';
import { openSource } from '../../src/source/open-source.js';
import type { SourceOptions } from '../../src/source/source.js';
import { LISTS_OPEN_FILES, openFiles } from '../support/open-files.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'csv-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function put(content: string | Uint8Array, name = 'in.csv'): Promise<string> {
  const file = path.join(folder, name);
  await writeFile(file, content);
  return file;
}

async function read(content: string | Uint8Array, options: SourceOptions = {}, name?: string) {
  const source = await openSource(await put(content, name), options);
  const rows: [number, ...string[]][] = [];
  for await (const page of source.rows(source.sheets[0]!)) {
    for (const row of page) {
      const texts: string[] = [];
      for (const cell of row.cells()) texts[cell.column - 1] = cell.text;
      rows.push([row.number, ...Array.from(texts, (text) => text ?? '')]);
    }
  }
  return { rows, source };
}

async function fault(work: Promise<unknown>): Promise<ProductError> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ProductError);
  return error as ProductError;
}

/** GBK bytes of a few characters, as Node can decode but not encode them. */
const GBK = new Map<string, number[]>();
const decoder = new TextDecoder('gbk');
for (let lead = 0x81; lead <= 0xfe; lead += 1) {
  for (let trail = 0x40; trail <= 0xfe; trail += 1) {
    if (trail !== 0x7f) GBK.set(decoder.decode(Uint8Array.of(lead, trail)), [lead, trail]);
  }
}
function gbk(text: string): Uint8Array {
  return Uint8Array.from(
    [...text].flatMap((char) => (char < '\x80' ? [char.charCodeAt(0)] : GBK.get(char)!)),
  );
}

function latin1(text: string): Buffer {
  return Buffer.from(text, 'latin1');
}

function swapped(text: string): Buffer {
  return Buffer.from(text, 'utf16le').swap16();
}

describe('a text table gives the same records, however it is written or cut', () => {
  it('are numbered with blank ones counted, and line breaks in quotes kept', async () => {
    const { rows } = await read('a,b\r\n\r\n"x\r\ny",2\r\n,\n\r\n"p\nq""r",4');
    expect(rows).toEqual([
      [1, 'a', 'b'],
      [3, 'x\r\ny', '2'],
      [6, 'p\nq"r', '4'],
    ]);
  });

  it('have cells of text only, with addresses', async () => {
    const source = await openSource(await put('a,b\n007,\n', '订单 2026.csv'));
    expect(source.sheets).toEqual([{ name: '订单 2026', position: 1, visibility: 'visible' }]);
    const pages = [];
    for await (const page of source.rows(source.sheets[0]!)) pages.push(...page);
    expect(pages[1]!.cell(1)).toEqual({ column: 1, kind: 'text', text: '007', raw: '007' });
    expect(pages[1]!.cell(2)).toBeUndefined();
    expect(pages[1]!.cell(99)).toBeUndefined();
    expect(pages[1]).toMatchObject({ sheet: '订单 2026', number: 2, hidden: false });
  });

  it('keep their characters and numbers across chunks of the file', async () => {
    const line = (number: number): string => `${number},深圳市😀${'客户'.repeat(number % 50)}\n`;
    const many = Array.from({ length: 9000 }, (_, index) => index);
    const { rows } = await read(`n,name\n${many.map(line).join('')}`);
    expect(rows.length).toBe(9001);
    for (const number of many) {
      expect(rows[number + 1]).toEqual([number + 2, String(number), line(number).slice(0, -1).split(',')[1]]);
    }
  });

  it.each(['\n', '\r\n', '\r'])('end with %j, alone or among others', async (end) => {
    const lines = Array.from({ length: 30_000 }, (_, index) => `${index},v`);
    const { rows } = await read(`a,b${end}${lines.join(end)}${end}`);
    expect(rows.length).toBe(30_001);
    expect(rows.at(-1)).toEqual([30_001, '29999', 'v']);
    expect((await read(`a,b${end}1,2\r\n3,4\n5,6\r7,8`)).rows.map((it) => it.at(-1))).toEqual([...'b2468']);
  });

  it('can be read again, and left early', async () => {
    const source = await openSource(await put(`a,b\n${'1,2\n'.repeat(60_000)}`));
    for await (const page of source.rows(source.sheets[0]!)) {
      expect(page.length).toBeGreaterThan(0);
      break;
    }
    let count = 0;
    for await (const page of source.rows(source.sheets[0]!)) count += page.length;
    expect(count).toBe(60_001);
  });
});

/** Numbers of the rows that are invalid, each with its faults' columns and codes. */
async function faultsOf(content: string): Promise<Record<number, string>> {
  const source = await openSource(await put(content));
  const found: Record<number, string> = {};
  for await (const page of source.rows(source.sheets[0]!)) {
    for (const { number, faults } of page) {
      if (faults) found[number] = faults.map((it) => `${it.column} ${it.message.code}`).join(', ');
    }
  }
  return found;
}

describe('a wrong quote is an error of its record, and loses no other', () => {
  it('double inside a quoted value; blanks next to it are dropped', async () => {
    const { rows } = await read('size,name\n7,"a ""b"" c"\n1,  "z" \n"" ,"""q"""\n\u3000"x",\t"y"\n');
    expect(rows.slice(1)).toEqual([
      [2, '7', 'a "b" c'],
      [3, '1', 'z'],
      [4, '', '"q"'],
      [5, 'x', 'y'],
    ]);
    expect(await faultsOf('a,b\n1, "z" \n"x" ,"y"\n')).toEqual({});
  });

  it('inside a value or followed by text are faults of their line, all of which are reported', async () => {
    const content = 'size,name\n5" pipe,"Big" Bob\n7,good\n8,"a"x"y\n9,"one\ntwo" three\n10,"fine"\n11,x"\n';
    expect(await faultsOf(content)).toEqual({
      2: '1 source.csv_quote_inside, 2 source.csv_text_after_quote',
      4: '2 source.csv_text_after_quote',
      5: '2 source.csv_text_after_quote',
      7: '2 source.csv_quote_inside',
    });
    expect((await read(content)).rows.slice(1)).toEqual([
      [2, '5" pipe', 'Big Bob'],
      [3, '7', 'good'],
      [4, '8', 'ax"y'],
      [5, '9', 'one\ntwo three'],
      [6, '10', 'fine'],
      [7, '11', 'x"'],
    ]);
  });

  it('that go astray late in a large file lose no record before or after them', async () => {
    const good = Array.from({ length: 40_000 }, (_, index) => `${index},"v ${index}"\n`).join('');
    const content = `n,v\n${good}x,"odd"y\n${good}`;
    const { rows } = await read(content);
    expect(rows.length).toBe(80_002);
    expect(rows.map(([number]) => number)).toEqual(rows.map((_, index) => index + 1));
    expect(rows[40_001]).toEqual([40_002, 'x', 'oddy']);
    expect(await faultsOf(content)).toEqual({ 40002: '2 source.csv_text_after_quote' });
  });

  it('of a formula that is nothing but a text leave the text; others have no result', async () => {
    const content = 'a,b\n="001",x\n"=""002""", ="a ""b""" \n="",="3"&"4"\n';
    expect((await read(content)).rows.slice(1)).toEqual([
      [2, '001', 'x'],
      [3, '002', 'a "b"'],
      [4, '', ''],
    ]);
    expect(await faultsOf(content)).toEqual({ 4: '2 source.csv_quote_inside' });
  });

  it('never closed are refused where they open', async () => {
    const error = await fault(read('a,b\n1,2\n\n3,"open\n4,5\n'));
    expect(error).toMatchObject({ kind: 'input', detail: { code: 'source.csv_quote_open' } });
    expect(error.detail.params).toMatchObject({ row: 4, column: 2 });
  });

  it('that swallow a row up to the next opening quote were never closed', async () => {
    const error = await fault(read('a,b\n1,"abc\n2,"def\n3,x\n'));
    expect(error.detail).toMatchObject({ code: 'source.csv_quote_open', params: { row: 2, column: 2 } });
  });

  it('give the same records however the file is cut into chunks', () => {
    const atoms = ['"', '""', ',', '\n', '\r\n', '\r', ' ', 'x', '中文', '1,2', '"a"', '"b,c"', '"d\ne"'];
    const texts = fc.array(fc.constantFrom(...atoms), { maxLength: 30 }).map((it) => it.join(''));
    const all = (text: string, size: number): unknown => {
      const reader = new LenientRecordReader('in.csv', ',', 'mixed');
      const records = [];
      try {
        for (let at = 0; at < text.length; at += size)
          records.push(...reader.push(text.slice(at, at + size)));
        return [...records, ...reader.end()];
      } catch (error) {
        return (error as ProductError).detail;
      }
    };
    const property = fc.property(texts, fc.integer({ min: 1, max: 7 }), (text, size) => {
      expect(all(text, size)).toEqual(all(text, 1000));
    });
    fc.assert(property, { numRuns: 2000 });
  });

  it('are understood alike by both readers, wherever the text is well formed', async () => {
    const atoms = ['"', '""', ',', '\n', '\r\n', '\r', ' ', 'x', '中文', '1,2', '"a"', '"b,c"', '"d\ne"'];
    const texts = fc.array(fc.constantFrom(...atoms), { maxLength: 12 }).map((it) => it.join(''));
    let whole = 0;
    const property = fc.asyncProperty(texts, async (text) => {
      const dialect = { delimiter: ',', lineEnds: 'mixed' } as const;
      const strict: (readonly string[])[] = [];
      const source = strictRecords(
        (async function* () {
          yield text;
        })(),
        dialect,
      );
      let next = await source.next();
      for (; !next.done; next = await source.next()) strict.push(...next.value);
      if (next.value === 'whole') whole += 1;
      const telling: CsvRecord[] = [];
      const reader = new LenientRecordReader('in.csv', dialect.delimiter, dialect.lineEnds);
      try {
        telling.push(...reader.push(text));
        telling.push(...reader.end());
      } catch (error) {
        expect(next.value).not.toBe('whole');
        if (!(error instanceof ProductError)) throw error;
      }
      const alike = next.value === 'whole' ? telling : telling.slice(0, strict.length);
      expect(alike).toEqual(strict.slice(0, alike.length).map((fields) => ({ fields })));
      if (next.value === 'whole') expect(telling).toHaveLength(strict.length);
    });
    await fc.assert(property, { numRuns: 2000 });
    expect(whole).toBeGreaterThan(200);
  });

  it('close the file when they are ended early', async () => {
    if (!LISTS_OPEN_FILES) return console.log('skipped: this system does not list open files');
    const file = await put(`a,b\n${'1,2\n'.repeat(200_000)}`);
    const source = await openSource(file);
    const isOpen = () => openFiles().includes(file);
    for await (const _ of source.rows(source.sheets[0]!)) {
      expect(isOpen()).toBe(true);
      break;
    }
    expect(isOpen()).toBe(false);
  });

  it('bring back whatever a writer put in them', () => {
    const field = fc.stringMatching(/^[a ,"\n中;]{0,6}$/);
    const tables = fc.array(fc.array(field, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 6 });
    const property = fc.property(tables, (records) => {
      const quoted = records.map((it) => it.map((value) => `"${value.replaceAll('"', '""')}"`).join(','));
      const reader = new LenientRecordReader('in.csv', ',', 'mixed');
      const read = [...reader.push(`${quoted.join('\r\n')}\r\n`), ...reader.end()];
      expect(read).toEqual(records.map((fields) => ({ fields })));
    });
    fc.assert(property);
  });
});

describe('a first line sep= names the delimiter and is no row', () => {
  it.each([
    ['sep=;\r\na;b,c\r\n1;2\r\n', ';'],
    ['sep=|\na|b,c\n1|2\n', '|'],
    ['"sep=;"\na;b,c\n1;2\n', ';'],
    ['SEP=;;;\na;b,c\n1;2\n', ';'],
    ['\ufeffsep=\t\na\tb,c\n1\t2\n', '\t'],
  ])('%j sets the delimiter and is no row, as in Excel', async (content, delimiter) => {
    const { rows, source } = await read(content);
    expect(source.delimiter).toBe(delimiter);
    expect(rows).toEqual([
      [1, 'a', 'b,c'],
      [2, '1', '2'],
    ]);
  });

  it('outranks what the job names, and is in UTF-16 as well', async () => {
    expect((await read('sep=;\na;b\n', { delimiter: ',' })).rows).toEqual([[1, 'a', 'b']]);
    const wide = Buffer.from('\ufeffsep=;\na;b\n', 'utf16le');
    expect((await read(wide)).rows).toEqual([[1, 'a', 'b']]);
  });

  it('is an ordinary row further down, or where more is in it', async () => {
    expect((await read('a,b\nsep=;\n')).rows).toEqual([
      [1, 'a', 'b'],
      [2, 'sep=;'],
    ]);
    expect((await read('sep=;x,b\n')).rows).toEqual([[1, 'sep=;x', 'b']]);
  });
});

describe('error values that were saved as text stay error values', () => {
  const known =
    '#N/A #REF! #DIV/0! #NAME? #SPILL! #VALUE! #NUM! #NULL! #CALC! #GETTING_DATA ######## ## #NV #WERT! Err:502 ' +
    '#¡REF! #¿NOMBRE? #¡VALOR! #N/D #BEZUG! #SKÄRNING! #ССЫЛКА! #Н/Д #I/T #DĚLENÍ_NULOU! #n/a ' +
    'Loading... Loading… 正在加载... Загрузка… 错误:502 Fehler:522';

  it.each(known.split(' '))('%s is one, as in a workbook', async (text) => {
    const source = await openSource(await put(`${text}, ${text} \nx ${text},${text}x\n`));
    const kinds = [];
    for await (const page of source.rows(source.sheets[0]!))
      for (const row of page) kinds.push(...row.cells().map((it) => it.kind));
    expect(kinds).toEqual(['error', 'error', 'text', 'text']);
  });

  it.each([
    '#',
    '#1',
    '#12-34',
    '# 5',
    '#a',
    '#Straße',
    'Err',
    'Error:502',
    '#hello!',
    '',
    'N/A',
    'E-1',
    'Loading',
    'Room 5:502',
    '...',
    '#A/B',
  ])('%j is none', (text) => {
    expect(isErrorText(text)).toBe(false);
  });
});

describe('the delimiter is found from the header, or refused', () => {
  it.each([
    ['a;b;c\n1,5;2;3\n', ';'],
    ['a\tb\n1;2;3\t4\n', '\t'],
    ['a|b\n1|2\n', '|'],
    ['"x;y;z",b\n1,2\n', ','],
    ['Name, GmbH;b;c\n1;2;3\n', ';'],
    ['single\n1\n', ','],
    ['a;b|c\n', ','],
  ])('of %j is %j', async (content, delimiter) => {
    expect((await read(content)).source.delimiter).toBe(delimiter);
  });

  it('is found from the header record, whatever stands before it', async () => {
    const { rows, source } = await read('Report, of, today\n"q\n,"\na;b\n1;2\n', { headerRow: 3 });
    expect(source.delimiter).toBe(';');
    expect(rows.at(-1)).toEqual([4, '1', '2']);
  });

  it('is a tab in .tsv, and any one character when the job reports it', async () => {
    expect((await read('a,b\tc\n', {}, 'in.tsv')).rows).toEqual([[1, 'a,b', 'c']]);
    expect((await read('a；b\n', { delimiter: '；' })).rows).toEqual([[1, 'a', 'b']]);
    expect((await read('a\tb\n', { delimiter: '\\t' })).rows).toEqual([[1, 'a', 'b']]);
    expect((await fault(read('a\n', { delimiter: '::' }))).detail.code).toBe('source.csv_delimiter');
  });
});

describe('the encoding is certain, or the file is refused', () => {
  const zh = '订单号,客户名称,数量\n0001,深圳市华信科技有限公司,2\n0002,张婷喆,3\n';

  it.each([
    ['UTF-8', Buffer.from(zh), 'utf-8'],
    ['UTF-8 with BOM', Buffer.from(`\ufeff${zh}`), 'utf-8'],
    ['UTF-16LE with BOM', Buffer.from(`\ufeff${zh}`, 'utf16le'), 'utf-16le'],
    ['UTF-16BE with BOM', swapped(`\ufeff${zh}`), 'utf-16be'],
    ['UTF-16LE without BOM', Buffer.from(zh, 'utf16le'), 'utf-16le'],
    ['UTF-16BE without BOM', swapped(zh), 'utf-16be'],
    ['GBK', gbk(zh), 'gb18030'],
  ])('%s is reported', async (_, bytes, encoding) => {
    const { rows, source } = await read(bytes);
    expect(source.encoding).toBe(encoding);
    expect(rows).toEqual(
      zh
        .trim()
        .split('\n')
        .map((it, index) => [index + 1, ...it.split(',')]),
    );
    expect(source.warnings.map((it) => it.code)).toEqual(
      encoding === 'gb18030' ? ['source.csv_encoding_taken'] : [],
    );
  });

  it.each([
    '姓名\n王伟\n',
    '姓名\n张敏\n',
    'Name\n李雷\n',
    'Name\n欧阳娜娜\n',
    'Id,Name\n1,张婷\n',
    'Id,Name\n1,诸葛亮\n',
    '锁号,操作人\n8000000001,刘洋\n',
    '客户,备注\n1,x\n',
    'Lock,Note\n8300000132（旧）,x\n',
    'No,Customer\n1,深圳市华信科技有限公司\n',
    'Lock,Op\n8000000001,陈晓东\n8000000002,ops\n',
    // Every pair of bytes is as Cyrillic letters would be.
    `Lock,Type\n${'9197377830,网络锁\n'.repeat(6)}`,
  ])('%j in GBK is reported, however few its Chinese characters are', async (text) => {
    const { rows, source } = await read(gbk(text));
    expect(source.encoding).toBe('gb18030');
    expect(rows.flatMap(([, ...texts]) => texts)).toEqual(text.trim().split(/[\n,]/));
    expect(source.warnings.map((it) => it.code)).toEqual(['source.csv_encoding_taken']);
  });

  it.each([
    ['one Latin-1 name', latin1('Name\nMüller\n')],
    ['French', latin1('Nom,Ville\nÉlodie,Orléans\n')],
    ['one Cyrillic name', Buffer.from('4e616d650ac8e2e0edeee20a', 'hex')],
    ['one Big5 name', Buffer.from('4e616d650aa4fda46aa9fa0a', 'hex')],
    ['one Japanese name in Shift JIS', Buffer.from('4e616d650a93638392918b98590a', 'hex')],
  ])('%s is refused, naming source.encoding', async (_, bytes) => {
    const error = await fault(read(bytes));
    expect(error).toMatchObject({ kind: 'input', detail: { code: 'source.csv_encoding_unclear' } });
    expect(error.message).toContain('source.encoding');
  });

  it.each([
    ['Latin-1', latin1('Name,Stadt\nMüller,Köln\nGrößer,Zürich\n')],
    ['two Latin-1 letters in a row', latin1('Name,Val\nX,«Ää»\nY,Öö\n')],
    ['Cyrillic (windows-1251)', Buffer.from('cfe0f0eeebfc2cc3eef0eee40af1f22cf1f20a', 'hex')],
    ['Korean (EUC-KR)', Buffer.from('c0ccb8a72cb5b5bdc30ab1e8c3b6bcf62cbcadbfef0a', 'hex')],
    ['Japanese (EUC-JP)', Buffer.from('a4caa4dea4a82ca4deA4c10ab9e2b6b62cc5ecb5fe0a', 'hex')],
    ['Big5', Buffer.from('ad71b3e6b8b92cabc8a4e1a657bad90a312cbb4fc657bfa9c5e90a', 'hex')],
    ['UTF-8 with a broken byte', Buffer.concat([Buffer.from(zh), Buffer.from([0xe5, 0x0a])])],
  ])('%s is refused, as GB18030 would read nonsense', async (_, bytes) => {
    const error = await fault(read(bytes));
    expect(error).toMatchObject({ kind: 'input', detail: { code: 'source.csv_encoding_unclear' } });
    expect(error.message).toContain('source.encoding');
  });

  it.each([
    ['two names', 'No,Name\r\nC-0,\u9646\u5c71\r\n'],
    ['one name in quotes', 'No,Name\n1,"\u5c71\u6c34"\n'],
  ])('Chinese in GBK whose bytes are UTF-8, too, is refused: %s', async (_, text) => {
    const error = await fault(read(gbk(text)));
    expect(error).toMatchObject({ kind: 'input', detail: { code: 'source.csv_encoding_both' } });
    expect(error.message).toContain('source.encoding');
    expect((await read(gbk(text), { encoding: 'gbk' })).rows.flat()).toContain(
      /\p{Script=Han}+/u.exec(text)![0],
    );
    expect((await read(gbk(text), { encoding: 'utf-8' })).source.encoding).toBe('utf-8');
    expect((await read(Buffer.from(text))).source.encoding).toBe('utf-8');
  });

  it.each([
    'Müller',
    '£ 100',
    'A · B',
    '10 °C',
    'Ää Öö',
    'Москва',
    'Наталья',
    'Δημήτρης Παπαδόπουλος',
    '陆山 ä',
    'ישראל',
    '«x»',
    'Сергей Александрович Петров',
  ])('%s in UTF-8 is UTF-8', async (name) => {
    const { rows, source } = await read(Buffer.from(`No,Name\n1,${name}\n`));
    expect(source.encoding).toBe('utf-8');
    expect(rows[1]).toEqual([2, '1', name]);
  });

  it.each([
    ['on a line of its own', 'a,b\r\n1,2\r\n\x1a'],
    ['with a line end', 'a,b\n1,2\n\x1a\r\n'],
    ['after the last field', 'a,b\n1,2\x1a'],
    ['several', 'a,b\n1,2\n\x1a\x1a\n\x1a'],
  ])('an end mark (0x1A) is no part of the text: %s', async (_, text) => {
    const expected = [
      [1, 'a', 'b'],
      [2, '1', '2'],
    ];
    expect((await read(Buffer.from(text))).rows).toEqual(expected);
    expect((await read(Buffer.from(`\ufeff${text}`, 'utf16le'))).rows).toEqual(expected);
    expect((await read(gbk(text.replace('2', '\u5c71')), { encoding: 'gbk' })).rows[1]).toEqual([
      2,
      '1',
      '\u5c71',
    ]);
  });

  it('is what the job names, strictly', async () => {
    const { rows } = await read(latin1('Name\nMüller\n'), { encoding: 'latin1' });
    expect(rows[1]).toEqual([2, 'Müller']);
    expect((await read(Buffer.from([0x61, 0x0a, 0x92]), { encoding: 'cp1252' })).rows[1]).toEqual([2, '’']);
    const big5 = Buffer.from('ad71b3e60a', 'hex');
    expect((await read(big5, { encoding: 'CP950' })).rows).toEqual([[1, '訂單']]);
    const wrong = await fault(read(gbk(zh), { encoding: 'utf-8' }));
    expect(wrong.detail).toMatchObject({
      code: 'source.csv_undecodable',
      params: { encoding: 'utf-8', offset: 0 },
    });
    const late = Buffer.concat([Buffer.from('a'.repeat(300_000)), Buffer.from([0xff, 0x41])]);
    expect((await fault(read(late, { encoding: 'utf-8' }))).detail.params.offset).toBe(300_000);
  });

  it('named wrongly is an error of the job, with the nearest name', async () => {
    const error = await fault(read('a\n', { encoding: 'gb18300' }));
    expect(error).toMatchObject({ kind: 'usage', detail: { params: { near: 'gb18030' } } });
  });

  it('UTF-32 is refused', async () => {
    const error = await fault(read(Buffer.from([0xff, 0xfe, 0, 0, 0x61, 0, 0, 0])));
    expect(error.detail.code).toBe('source.csv_utf32');
  });
});

describe('a file that is no text table is refused', () => {
  it('NUL characters are refused with their row', async () => {
    const error = await fault(read('a,b\n1,2\n3,x\0y\n'));
    expect(error.detail).toMatchObject({ code: 'source.csv_nul', params: { row: 3, cell: 'B3' } });
  });

  it('a cell that no spreadsheet could hold is refused, one that just fits is read', async () => {
    expect((await read(`a\n${'x'.repeat(32_767)}\n`)).rows[1]![1]).toHaveLength(32_767);
    const error = await fault(read(`a\n${'x'.repeat(32_768)}\n`));
    expect(error.detail).toMatchObject({
      code: 'source.csv_cell_length',
      params: { cell: 'A2', length: 32_768 },
    });
  });

  it('workbooks under a text name, other formats and missing files say what to do', async () => {
    const code = async (name: string, content: string | Uint8Array) =>
      (await fault(openSource(await put(content, name)))).detail.code;
    expect(await code('a.csv', 'PK\x03\x04....')).toBe('source.zip_truncated');
    expect(await code('b.csv', Buffer.from('d0cf11e0a1b11ae1', 'hex'))).toBe('source.compound_damaged');
    expect(await code('c.xls', 'x')).toBe('source.xlsx_is_text');
    expect(await code('d.ods', 'x')).toBe('source.xlsx_is_text');
    expect(await code('e.pdf', 'x')).toBe('source.file_extension');
    const missing = await fault(openSource(path.join(folder, 'none.csv')));
    expect(missing).toMatchObject({ kind: 'usage', detail: { code: 'cli.file_missing' } });
    expect((await fault(openSource(folder))).detail.code).toBe('source.file_is_folder');
    // What Excel and LibreOffice put next to a workbook that is open.
    for (const lock of ['~$orders.xlsx', '.~lock.orders.xlsx#'])
      expect(await code(lock, 'x')).toBe('source.lock_file');
  });

  it('an empty file has no rows', async () => {
    expect((await read('')).rows).toEqual([]);
  });
});
