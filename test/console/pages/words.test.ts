import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const FOLDER = fileURLToPath(new URL('../../../src/console/pages/words/', import.meta.url));
const files = readdirSync(FOLDER).filter((it) => it !== 'language.ts');

describe('the words of the pages', () => {
  it.each(files)('%s: both languages fill in the same names', async (file) => {
    const tables: Record<string, Record<string, { en: string; zh: string }>> = await import(
      `${FOLDER}${file}`
    );
    const wrong = Object.entries(tables).flatMap(([table, words]) =>
      Object.entries(words)
        .filter(([, { en, zh }]) => names(en) !== names(zh) || zh === '' || en === '')
        .map(([key]) => `${table}.${key}`),
    );
    expect(Object.keys(tables).length).toBeGreaterThan(0);
    expect(wrong).toEqual([]);
  });
});

function names(text: string): string {
  return [...text.matchAll(/\{(\w+)\}/g)]
    .map(([name]) => name)
    .sort()
    .join(' ');
}
