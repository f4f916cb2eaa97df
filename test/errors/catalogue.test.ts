import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { CATALOGUE } from '../../src/errors/catalogue/index.js';
import { message, render } from '../../src/errors/message.js';

const names = (text: string): string[] =>
  [...new Set([...text.matchAll(/\{(\w+)\}/g)].map((it) => it[1] ?? ''))].sort();

describe('every message says the same in both languages', () => {
  const entries = Object.entries(CATALOGUE);

  it.each(entries)('%s says the same in both languages', (_code, { en, zh }) => {
    expect(en.trim()).not.toBe('');
    // A text that only passes the platform's words on has none of its own.
    if (/[a-z]/i.test(en.replace(/\{\w+\}/g, ''))) expect(zh).toMatch(/[\u4e00-\u9fff]/);
    expect(names(zh)).toEqual(names(en));
  });

  it('has no text that nothing says', () => {
    const root = fileURLToPath(new URL('../../src/', import.meta.url));
    const files = readdirSync(root, { recursive: true, encoding: 'utf8' });
    const texts = files
      .filter((it) => it.endsWith('.ts') && !it.includes('catalogue'))
      .map((it) => readFileSync(path.join(root, it), 'utf8'));
    const code = texts.join('\n');
    // Codes that are made of whole words, `listing.${it}`: the words stand in the same file, or are a listing's members.
    const listing = readFileSync(path.join(root, 'app/runs.ts'), 'utf8').matchAll(/^ {4}(\w+)[:,]/gm);
    const members = [...listing].map((it) => it[1]);
    const made = new Set(
      texts.flatMap((text) => {
        const quoted = [...text.matchAll(/'(\w+)'/g)].map((it) => it[1]);
        const words = text.includes('keyof RunListing') ? [...quoted, ...members] : quoted;
        return [...text.matchAll(/`([a-z]+)\.\$\{/g)].flatMap(([, room]) =>
          words.map((it) => `${room}.${it}`),
        );
      }),
    );
    // Codes that are put together: `html.kind_${kind}`.
    const begins = [...code.matchAll(/`([a-z]+\.[a-z_]+_)\$\{/g)].map((it) => it[1] ?? '');
    const isSaid = (it: string): boolean =>
      code.includes(`'${it}'`) || made.has(it) || begins.some((begin) => it.startsWith(begin));
    expect(entries.map(([it]) => it).filter((it) => !isSaid(it))).toEqual([]);
  });

  it('fills in what a message was given', () => {
    const said = message('cli.file_missing', { file: 'a {file} b.xlsx' });
    expect(render(said)).toContain('a {file} b.xlsx');
    expect(render(said, 'zh')).toContain('a {file} b.xlsx');
  });

  it('shows a code from a newer program as it is', () => {
    expect(render({ code: 'cli.from_the_future' as 'cli.file_missing', params: { a: 1 } })).toBe(
      'cli.from_the_future {"a":1}',
    );
  });
});
