import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { Environment } from '@marcbachmann/cel-js';
import { Parser } from 'csv-parse';
import { Workbook } from 'exceljs';
import { Pool } from 'undici';
import { describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const require = createRequire(import.meta.url);

function json(file: string): Record<string, Record<string, { version?: string } & string>> {
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** All sources but declarations, by path from `src/`. */
function sources(): ReadonlyMap<string, string> {
  const files = readdirSync(path.join(ROOT, 'src'), { recursive: true, encoding: 'utf8' });
  const code = files.filter((it) => it.endsWith('.ts') && !it.endsWith('.d.ts'));
  return new Map(code.map((it) => [it, readFileSync(path.join(ROOT, 'src', it), 'utf8')]));
}

/** Packages whose private parts are used: the version that they were checked with, the one file, words of the parts. */
const PRIVATE = [
  {
    name: 'exceljs',
    version: '4.4.0',
    file: 'util/exceljs-private.ts',
    parts:
      /exceljs\/lib\/|_definedNames|_openStream|commentRefs|_sheetRelsWriter|_writeLegacyData|_writeOpenSheetData/,
  },
  {
    name: 'csv-parse',
    version: '7.0.3',
    file: 'source/csv/csv-records.ts',
    parts: /__onRecord|expectedRecordLength/,
  },
  {
    name: '@marcbachmann/cel-js',
    version: '8.0.0',
    file: 'util/cel-budget.ts',
    parts: /meta\.alternate|node\.handle\b/,
  },
] as const;

describe.each(PRIVATE)('$name, whose private parts are used', ({ name, version, file, parts }) => {
  const advice = `check each private part of ${name} that src/${file} uses against its new code, then write the new version here`;

  it('is pinned exactly, and installed in the version that was checked', () => {
    const lock = json(path.join(ROOT, 'package-lock.json'));
    expect(json(path.join(ROOT, 'package.json')).dependencies?.[name], advice).toBe(version);
    expect(lock.packages?.[`node_modules/${name}`]?.version, advice).toBe(version);
    expect(json(path.join(ROOT, 'node_modules', name, 'package.json')).version, advice).toBe(version);
  });

  it('has them used in one file', () => {
    const users = [...sources()].filter(([, text]) => parts.test(text)).map(([it]) => it);
    expect(users).toEqual([file]);
  });
});

describe('the private parts that are used', () => {
  it('exceljs: those of a workbook and its sheets', async () => {
    const advice = 'exceljs has changed inside: see src/util/exceljs-private.ts';
    const { stream } = (await import('exceljs')).default;
    const output = new Writable({ write: (_chunk, _encoding, done) => done() });
    const book = new stream.xlsx.WorkbookWriter({ stream: output, useStyles: true });
    const sheet = book.addWorksheet('A');
    const any = expect.any(Function);
    expect(book, advice).toMatchObject({
      zip: { append: any, on: any, abort: any },
      styles: { addStyleModel: any },
      commentRefs: [],
      _definedNames: { model: [] },
      _openStream: any,
    });
    expect(sheet, advice).toMatchObject({
      id: 1,
      startedData: false,
      _writeColumns: any,
      _writeOpenSheetData: any,
      _writeLegacyData: any,
      _sheetRelsWriter: { _hyperlinks: [], addRelationship: any },
    });
    const part = (sheet as unknown as { stream: Record<string, unknown> }).stream;
    expect(part, advice).toMatchObject({ write: any, end: any, bufSize: expect.any(Number) });
    expect(part.pipes, advice).toMatchObject([{ _writableState: { length: 0 } }]);
  });

  it('csv-parse: the state of a parser and its step at the end of a record', () => {
    const advice = 'csv-parse has changed inside: see src/source/csv/csv-records.ts';
    const parser = new Parser({ relax_column_count: true });
    expect(parser, advice).toMatchObject({
      api: { __onRecord: expect.any(Function) },
      state: { record: [] },
    });
    expect((parser as unknown as { state: object }).state, advice).toHaveProperty('expectedRecordLength');
  });

  it('cel-js: what a checked node computes by, and the comprehension that a macro becomes', () => {
    const advice = 'cel-js has changed inside: see src/util/cel-budget.ts';
    const any = expect.any(Function);
    const checked = (source: string): unknown => {
      const program = new Environment().parse(source);
      program.check();
      return program.ast;
    };
    for (const source of ['1 + 2', '"a" == "b"', 'size("a")', '"a".contains("b")', '"a".matches("b")'])
      expect(checked(source), advice).toMatchObject({ handle: any });
    for (const macro of ['all', 'exists', 'exists_one', 'map', 'filter']) {
      const { meta } = checked(`["a"].${macro}(x, x == "a")`) as { meta: object };
      expect(meta, advice).toMatchObject({
        alternate: { op: 'comprehension', handle: any, args: { iterVarName: 'x', step: {} } },
      });
    }
  });

  it('single files of packages: each is the class that the index gives', async () => {
    const { stream } = (await import('exceljs')).default;
    const found = [...sources().values()].flatMap((text) =>
      [...text.matchAll(/import\('((?:exceljs|undici)\/[^']+)'\)/g)].map((it) => it[1] ?? ''),
    );
    const classes = new Map<string, unknown>([
      ['exceljs/lib/doc/workbook.js', Workbook],
      ['exceljs/lib/stream/xlsx/workbook-writer.js', stream.xlsx.WorkbookWriter],
      ['undici/lib/dispatcher/pool.js', Pool],
    ]);
    expect(found.sort()).toEqual([...classes.keys()]);
    for (const [file, wanted] of classes) expect(require(file)).toBe(wanted);
  });
});
