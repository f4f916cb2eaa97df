import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { TEXTS } from '../../../src/console/pages/words/texts.js';

const PAGES = fileURLToPath(new URL('../../../src/console/pages/', import.meta.url));
const texts = Object.entries(TEXTS);

describe('the texts of the pages', () => {
  it('contain the same values in both languages', () => {
    const wrong = texts.filter(([, { en, zh }]) => places(en) !== places(zh) && !/^\{\w+\|/.test(en));
    expect(wrong.map(([code]) => code)).toEqual([]);
  });

  it('have no fixed plural after a number', () => {
    const fixed = /\{\w+\} (?:rows|cells|items|corrections|entries|requests|retries|hours|days)\b/;
    expect(texts.filter(([, { en }]) => fixed.test(en)).map(([code]) => code)).toEqual([]);
  });

  it('are all used', () => {
    const source = readdirSync(PAGES, { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file) && !file.endsWith('texts.ts'))
      .map((file) => readFileSync(path.join(PAGES, file), 'utf8'))
      .join('\n');
    const patterns = [...source.matchAll(/`(\w+\.\w*)\$\{/g)].map(([, start]) => start!);
    const unused = texts
      .map(([code]) => code)
      .filter((code) => !source.includes(`'${code}'`) && !patterns.some((start) => code.startsWith(start)));
    expect(unused).toEqual([]);
  });
});

describe('a text in the language of the reader', () => {
  vi.stubGlobal('navigator', { languages: ['en'] });
  // Not by a literal: the types of browsers are not known to tests.
  const words = import(`${PAGES}words/language.ts`);
  afterAll(() => vi.unstubAllGlobals());

  it('agrees with its number', async () => {
    const { t } = await words;
    expect([1, 2, 1200].map((count) => t('import.rows_shown', { count }))).toEqual([
      '1 row',
      '2 rows',
      '1,200 rows',
    ]);
  });

  it('names operations in Chinese, with their codes', async () => {
    const { language, operationText } = await words;
    expect(operationText('order.new_buy')).toBe('order.new_buy');
    language.value = 'zh';
    expect(operationText('bind: enterprise.bind, order.new_buy')).toBe(
      'bind: 绑定客户（enterprise.bind）, 新购下单（order.new_buy）',
    );
    language.value = 'en';
  });
});

function places(text: string): string {
  return [...new Set([...text.matchAll(/\{(\w+)/g)].map(([, name]) => name))].sort().join(' ');
}
