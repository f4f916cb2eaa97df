import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync, Visitor } from 'rolldown/utils';
import { describe, expect, it } from 'vitest';
import { AVOIDED_WORDS, proseOf } from '../fixtures/glossary.js';
import { sourceTexts } from '../fixtures/source-texts.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const DOCS = readdirSync(path.join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
  .filter((it) => it.endsWith('.md'))
  .map((it) => path.posix.join('docs', it));

const PAGES = ['README.md', 'CONTRIBUTING.md', ...DOCS];

/** SQL, code that a page runs, and headers by which sheets are recognised. */
const NO_PROSE = /^(?:ledger\/|pages\/style\.ts|guess\/|platform\/operations\/.*words)/;

function avoidedInText(text: string, at: string): readonly string[] {
  return AVOIDED_WORDS.flatMap(({ pattern, write }) =>
    [...text.matchAll(pattern)].map(([word]) => `${at} "${word}": write ${write}`),
  );
}

function avoidedIn(page: string): readonly string[] {
  const lines = proseOf(readFileSync(path.join(ROOT, page), 'utf8')).split('\n');
  return lines.flatMap((line, index) => avoidedInText(line, `${page}:${index + 1}`));
}

function avoidedInComments(file: string): readonly string[] {
  const text = readFileSync(path.join(ROOT, file), 'utf8');
  const { program, comments } = parseSync(file, text);
  const found: { value: string; start: number }[] = [...comments];
  // Titles of tests: the first text of a call with a function, such as `it('…', …)` and `describe.each(…)('…', …)`.
  new Visitor({
    CallExpression: ({ arguments: [title, ...others] }) => {
      if (!file.startsWith('test/') || !others.some((it) => /Function/.test(it.type))) return;
      if (title?.type === 'Literal' && typeof title.value === 'string')
        found.push({ value: title.value, start: title.start });
    },
  }).visit(program);
  return found.flatMap(({ value, start }) => {
    const line = text.slice(0, start).split('\n').length;
    return avoidedInText(proseOf(value.replace(/^\s*\* ?/gm, ' ')), `${file}:${line}`);
  });
}

describe('words that the documentation does not use', () => {
  it.each(PAGES)('%s', (page) => {
    expect(avoidedIn(page)).toEqual([]);
  });

  it('nor do messages, help and pages', () => {
    const texts = sourceTexts().filter((it) => !NO_PROSE.test(it.at) && /[a-z] [a-z]/.test(it.text));
    expect(texts.length).toBeGreaterThan(3000);
    expect(texts.flatMap((it) => avoidedInText(proseOf(it.text.replace(/\{\w+/g, '{')), it.at))).toEqual([]);
  });

  it.each([
    ['src', 700],
    ['test', 500],
    ['bench', 30],
    ['scripts', 15],
  ])('nor do comments and titles of tests in %s', (folder, least) => {
    const files = readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' });
    const code = files.filter(
      (it) => /^(?!.*node_modules).*\.(?:tsx?|mjs)$/.test(it) && !/glossary/.test(it),
    );
    expect(code.length).toBeGreaterThan(least);
    expect(code.flatMap((it) => avoidedInComments(path.posix.join(folder, it)))).toEqual([]);
  });

  it('finds a word in prose, not in code, targets of links or fixed names', () => {
    const found = (text: string) => AVOIDED_WORDS.filter((it) => proseOf(text).match(it.pattern)).length;
    expect(found('Whoever mends it by hand.')).toBe(3);
    expect(found('`mend` [it](mend.md) by a late reply\n```sh\nmend\n```')).toBe(0);
  });
});
