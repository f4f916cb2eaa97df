import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ProductError } from '../../src/errors/product-error.js';
import { openSource } from '../../src/source/open.js';

interface Entry {
  readonly file: string;
  readonly group: string;
  readonly expect: 'rows' | 'error' | 'either';
  readonly rows: number;
  readonly cells: number;
  readonly cols: number;
  readonly sample: readonly (readonly string[])[];
  readonly sampleRowNumbers: readonly number[];
  readonly lastSample: readonly string[];
  readonly delimiter: string;
}

const folder = ['../../../shared/spreadsheets/', '../../shared/spreadsheets/']
  .map((it) => new URL(it, import.meta.url))
  .find((it) => existsSync(new URL('manifest.json', it)));

if (!folder) {
  console.log('corpus of text tables: skipped, ../shared/spreadsheets is not there');
}

const entries: readonly Entry[] = folder
  ? (JSON.parse(readFileSync(new URL('manifest.json', folder), 'utf8')) as Entry[]).filter(
      ({ group }) => group === 'csv',
    )
  : [];

/** Shortened as the manifest is, without the empty fields at the end. */
function shown(texts: readonly string[]): string[] {
  const cut = texts.slice(0, 60).map((text) => text.slice(0, 200));
  while (cut.at(-1) === '') cut.pop();
  return cut;
}

describe.skipIf(!folder)('the corpus of text tables', () => {
  it.each(entries.map((entry) => [entry.file, entry] as const))('%s', async (file, entry) => {
    let read: { rows: number; cells: number; cols: number; samples: [number, string[]][]; last: string[] };
    try {
      const source = await openSource(new URL(`files/${file}`, folder).pathname);
      read = { rows: 0, cells: 0, cols: 0, samples: [], last: [] };
      for await (const page of source.rows(source.sheets[0]!)) {
        for (const row of page) {
          const texts: string[] = [];
          for (const { column, text } of row.cells()) texts[column - 1] = text;
          const plain = Array.from(texts, (text) => text ?? '');
          read.rows += 1;
          read.cells += row.cells().length;
          read.cols = Math.max(read.cols, plain.length);
          if (read.samples.length < 3) read.samples.push([row.number, shown(plain)]);
          read.last = shown(plain);
        }
      }
    } catch (error) {
      expect(error, String(error)).toBeInstanceOf(ProductError);
      expect((error as ProductError).message).toContain(file);
      expect(entry.expect, (error as Error).message).not.toBe('rows');
      return;
    }
    expect(entry.expect).not.toBe('error');
    expect(read.rows).toBe(entry.rows);
    expect(read.cells).toBe(entry.cells);
    expect(read.samples).toEqual(
      entry.sample.map((texts, index) => [entry.sampleRowNumbers[index], shown(texts)]),
    );
    expect(read.last).toEqual(shown(entry.lastSample));
  });
});
