import { describe, expect, it } from 'vitest';
import { ReadAheadDecoder, TextCache } from '../../src/source/xlsx/shared-text-index.js';
import { TextBytes } from '../../src/source/xlsx/xml-text.js';

const TEXTS = Array.from({ length: 3000 }, (_, i) => {
  if (i % 400 === 0) return `長い${'文字'.repeat(900)}${i}`;
  if (i % 300 === 0) return `long ${'text '.repeat(700)}${i}`;
  return [`plain ${i}`, `中文${i}`, `é${i}`, `😀 ${i} 😀`, `${i}`][i % 5]!;
});

function table(): { readonly ahead: ReadAheadDecoder; readonly starts: readonly number[] } {
  const bytes = new TextBytes(16);
  const starts = [0];
  for (const text of TEXTS) {
    const encoded = Buffer.from(text);
    bytes.copy(encoded, 0, encoded.length);
    starts.push(bytes.length);
  }
  return { ahead: new ReadAheadDecoder(bytes), starts };
}

describe('texts decoded ahead are those decoded alone', () => {
  const orders: readonly (readonly [name: string, indexes: readonly number[]])[] = [
    ['in order', TEXTS.map((_, i) => i)],
    ['in order, again and again', [...TEXTS, ...TEXTS].map((_, i) => i % TEXTS.length)],
    ['backwards', TEXTS.map((_, i) => TEXTS.length - 1 - i)],
    ['in leaps', TEXTS.map((_, i) => (i * 1009) % TEXTS.length)],
    ['in order, with others in between', TEXTS.flatMap((_, i) => [i, (i * 7) % 50, i, i >> 1])],
    ['in runs here and there', TEXTS.map((_, i) => (i + Math.floor(i / 60) * 997) % TEXTS.length)],
    ['every fifth', TEXTS.map((_, i) => (i * 5) % TEXTS.length)],
  ];

  it.each(orders)('%s', (_, indexes) => {
    const { ahead, starts } = table();
    for (const i of indexes) {
      const text = TEXTS[i]!;
      // biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII is meant.
      const plain = /^[\x00-\x7f]*$/.test(text);
      expect(ahead.decode(starts[i]!, starts[i + 1]!, plain)).toBe(text);
    }
  });
});

describe('the cache gives each text its own', () => {
  it('keeps what is asked for a second time, and only that', () => {
    const cache = new TextCache(10);
    cache.offer(3, 'three');
    expect(cache.get(3)).toBeUndefined();
    cache.offer(3, 'three');
    expect(cache.get(3)).toBe('three');
    expect(cache.get(0)).toBeUndefined();
    cache.offer(4, 'x'.repeat(1000));
    cache.offer(4, 'x'.repeat(1000));
    expect(cache.get(4)).toBeUndefined();
  });

  it('never takes one text for another that shares its slot', () => {
    const cache = new TextCache(1_000_000);
    const [one, other] = [5, 5 + (1 << 17)];
    for (const index of [one, one, other]) cache.offer(index, `text ${index}`);
    expect([cache.get(one), cache.get(other)]).toEqual(['text 5', undefined]);
    cache.offer(other, `text ${other}`);
    expect([cache.get(one), cache.get(other)]).toEqual([undefined, `text ${other}`]);
  });
});
