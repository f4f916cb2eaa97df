import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Workbook } from 'exceljs';
import { Pool } from 'undici';
import { expect, it } from 'vitest';

const SOURCES = fileURLToPath(new URL('../../src/', import.meta.url));

/** The files of packages that the program loads by themselves. */
function parts(): string[] {
  const sources = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter(
    (it) => it.endsWith('.ts') && !it.endsWith('.d.ts'),
  );
  return sources.flatMap((file) => {
    const text = readFileSync(path.join(SOURCES, file), 'utf8');
    return [...text.matchAll(/import\('((?:exceljs|undici)\/[^']+)'\)/g)].map((it) => it[1] ?? '');
  });
}

const classOf = async (part: string): Promise<unknown> =>
  ((await import(part)) as { default: unknown }).default;

it('each part of a package that is loaded by itself is the class that the index gives', async () => {
  const { stream } = (await import('exceljs')).default;
  expect(parts().sort()).toEqual([
    'exceljs/lib/doc/workbook.js',
    'exceljs/lib/stream/xlsx/workbook-writer.js',
    'undici/lib/dispatcher/pool.js',
  ]);
  expect(await classOf('undici/lib/dispatcher/pool.js')).toBe(Pool);
  expect(await classOf('exceljs/lib/doc/workbook.js')).toBe(Workbook);
  expect(await classOf('exceljs/lib/stream/xlsx/workbook-writer.js')).toBe(stream.xlsx.WorkbookWriter);
});
