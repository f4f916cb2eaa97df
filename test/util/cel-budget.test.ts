import { describe, expect, it } from 'vitest';
import { render } from '../../src/errors/message.js';
import { compileCel } from '../../src/util/cel.js';

function result(source: string, texts: Readonly<Record<string, string>>): unknown {
  const compiled = compileCel(source, { variables: { row: 'row' } });
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.detail));
  const found = compiled.evaluate({ row: new Map(Object.entries(texts)) });
  if (found.ok) return found.value;
  return typeof found.detail === 'string' ? found.detail : render(found.detail);
}

const list = (length: number): string => Array.from({ length }, (_, i) => `A${i}`).join(',');
const nested = (depth: number, inner = 'false'): string =>
  Array.from({ length: depth }, (_, i) => `row["X"].split(",").exists(v${i}, `).join('') +
  inner +
  ')'.repeat(depth);
const doubled = (start: string, times: number, last: string): string =>
  Array.from({ length: times }, (_, i) => `cel.bind(v${i + 1}, ${i === 0 ? start : `v${i} + v${i}`}, `).join(
    '',
  ) +
  last +
  ')'.repeat(times);
const nestedLists = (name: string, times: number, last: string): string =>
  Array.from({ length: times }, (_, i) => {
    const before = i === 0 ? '"x"' : `${name}${i}`;
    return `cel.bind(${name}${i + 1}, [${before}, ${before}, ${before}, ${before}], `;
  }).join('') +
  last +
  ')'.repeat(times);

describe('an evaluation that takes too many steps is an error', () => {
  it.each([
    ['macros within macros', nested(3), list(400)],
    ['errors within macros do not reset it', nested(4, '1 / 0 == 1'), list(400)],
    ['all', nested(3).replaceAll('exists', 'all').replace('false', 'true'), list(400)],
    [
      'map and filter',
      'row["X"].split(",").map(a, row["X"].split(",").map(b, row["X"].split(",").filter(c, c == b).size()).size()).size()',
      list(400),
    ],
    [
      'exists_one',
      'row["X"].split(",").exists_one(a, row["X"].split(",").exists_one(b, row["X"].split(",").exists_one(c, c == b)))',
      list(400),
    ],
    ['an error that || would hide', `${nested(3)} || true`, list(400)],
    ['a text that doubles', doubled('row["X"]', 28, 'size(v28) > 0'), list(400)],
    ['a list that doubles', doubled('row["X"].split(",")', 28, 'size(v28) > 0'), list(400)],
    ['lists within lists that are compared', nestedLists('a', 14, nestedLists('b', 14, 'a14 == b14')), ''],
    ['lists within lists that are looked in', nestedLists('a', 14, nestedLists('b', 14, 'a14 in [b14]')), ''],
    ['lists within lists as the result', nestedLists('a', 14, 'a14'), ''],
    [
      'a text that is joined with long texts',
      'size(row["X"].split(",").join(row["X"] + row["X"] + row["X"])) > 0',
      list(3000),
    ],
    [
      'a long text looked for in a long text',
      'row["X"].contains("b" + row["X"].substring(16000))',
      'a'.repeat(32_000),
    ],
    ['a long duration', 'duration(row["X"]) > duration("1s")', '1'.repeat(32_000)],
    ['a large pattern and a long text', 'row["X"].matches("(?:a|b)*a(?:a|b){900}$")', 'ab'.repeat(16_000)],
    ['a large pattern from a cell', 'row["X"].matches(row["X"])', '\\pL{1000}'.repeat(110)],
  ])('%s', (_name, source, text) => {
    expect(result(source, { X: text })).toMatch(/takes more than 2000000 steps/);
  });

  it('counts the same steps for the same row, whatever was evaluated before', () => {
    // The longest list for which the nested macros are within the budget: one more element is beyond it.
    const source = nested(2);
    const isWithin = (length: number): boolean => result(source, { X: list(length) }) === false;
    let longest = 1;
    for (let step = 1024; step >= 1; step /= 2) if (isWithin(longest + step)) longest += step;
    for (let again = 0; again < 3; again += 1)
      expect([isWithin(longest), isWithin(longest + 1)]).toEqual([true, false]);
    expect(longest).toBe(561);
  });

  it.each([
    [
      'every lock of a long list is checked',
      'row["X"].split(",").all(x, x.matches("^A[0-9]{1,4}$"))',
      list(400),
      true,
    ],
    [
      'a list is compared with itself',
      'row["X"].split(",").exists(a, row["X"].split(",").exists(b, a + "!" == b))',
      list(100),
      false,
    ],
    [
      'a long cell',
      'row["X"].matches("x$") || row["X"].contains("a,A7") || size(row["X"]) > 0',
      list(6000),
      true,
    ],
    [
      'some times of day in another zone',
      '["a", "b"].all(x, timestamp("2026-01-31T00:00:00Z").getHours("Asia/Shanghai") == 8)',
      '',
      true,
    ],
  ])('ordinary expressions are within it: %s', (_name, source, text, value) => {
    expect(result(source, { X: text })).toBe(value);
  });
});

const BACKTRACKING = [
  ['^([a-z]+)*$', `${'a'.repeat(34)}1`],
  ['^(a|a)*$', `${'a'.repeat(2000)}b`],
  ['(x+x+)+y', 'x'.repeat(30_000)],
  ['^(.*)*(.*)*(.*)*$', `${'a'.repeat(2000)}\n`],
  ['(\\s*,?\\s*)*;$', ', '.repeat(10_000)],
] as const;

describe('matches() takes time that grows with the text only', () => {
  it.each(BACKTRACKING)('%s', (pattern, text) => {
    expect(result(`row["X"].matches(${JSON.stringify(pattern)})`, { X: text })).toBe(false);
    expect(result('row["X"].matches(row["P"])', { X: text, P: pattern })).toBe(false);
  });

  const PATTERNS = [
    '^[A-Z]{2}\\d{8}$',
    '^\\s*$',
    '\\s',
    '^\\S+$',
    '[\\s,]+',
    '^[^\\S,]+$',
    '^\\w+@\\w+\\.\\w+$',
    'a|b|^$',
    '^(?:8|6)\\d{9}$',
    '[一-龥]{2,}',
    '\\u4e00',
    '^.{3}$',
    '^(?<year>\\d{4})-\\d\\d$',
    '\\bSO-\\d+\\b',
    'a.*?b',
    '^[^-]+-[^-]+$',
    '/',
    '\\/',
    '[]',
    '[^]',
    '\\x41',
    '\\-',
    '[\\]\\[]',
    '\\$',
    '',
    '{',
    'a{,2}',
    '\\cJ',
    '[\\d\\-x]',
    '(a)(b)?',
    '\\.',
  ];
  const TEXTS = [
    '',
    ' ',
    '\u00a0',
    '\u3000',
    'a\u3000b',
    '\ufeff',
    '\t\n',
    'AB12345678',
    'AB1234567',
    '8300000101',
    'a@b.cn',
    '一二',
    '客户 甲',
    'SO-17',
    'xSO-17',
    'a-b',
    'a--b',
    '2026-01',
    'a/b',
    'A',
    'a{,2}',
    '[x]',
    '$5',
    'aab',
    'x\nb',
    'é',
    '.',
    '\\',
    '1-x',
    'ab\r',
  ];
  it.each(PATTERNS)('%j gives what JavaScript gives, for all texts', (pattern) => {
    const compiled = compileCel(`row["X"].matches(${JSON.stringify(pattern)})`, {
      variables: { row: 'row' },
    });
    if (!compiled.ok) throw new Error(JSON.stringify(compiled.detail));
    const differing = TEXTS.filter((text) => {
      const found = compiled.evaluate({ row: new Map([['X', text]]) });
      return !found.ok || found.value !== new RegExp(pattern).test(text);
    });
    expect(differing).toEqual([]);
  });

  it.each([
    ['(?=a)b', 'lookahead'],
    ['(?!a)b', 'lookahead'],
    ['(?<=a)b', 'lookbehind'],
    ['(?<!a)b', 'lookbehind'],
    ['(a)\\1', 'backreferences'],
    ['(?<n>a)\\k<n>', 'backreferences'],
    ['(', 'missing closing'],
    ['a{1001}', 'repeat'],
    ['[z-a]', 'range'],
    ['(?:\\pL{1000}){1}'.repeat(25), 'too large'],
  ])('%s is refused when the job is loaded, at its place', (pattern, why) => {
    const source = `"x" == "y" || row["X"].matches(${JSON.stringify(pattern)})`;
    const compiled = compileCel(source, { variables: { row: 'row' } });
    expect(compiled).toMatchObject({ ok: false, offset: source.indexOf('"', 14 + 'row["X"]'.length) });
    const detail = compiled.ok || typeof compiled.detail === 'string' ? '' : render(compiled.detail);
    expect(detail).toContain(why);
    // From a cell it is an error of the row.
    expect(result('row["X"].matches(row["P"])', { X: 'a', P: pattern })).toMatch(/pattern|steps/);
  });

  it('is no function of other types, under its own name', () => {
    const compiled = compileCel('row["X"].matches(1)', { variables: { row: 'row' } });
    expect(compiled).toMatchObject({ ok: false });
    expect(compiled.ok ? '' : compiled.detail).toContain('string.matches(int)');
    const ofRecord = compileCel('record.x.matches("a")', { variables: { record: 'record' }, result: 'bool' });
    const evaluated = ofRecord.ok && ofRecord.evaluate({ record: new Map([['x', 1n]]) });
    expect(evaluated).toMatchObject({ ok: false, detail: expect.stringContaining('int.matches(string)') });
  });
});
