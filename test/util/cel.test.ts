import { describe, expect, it } from 'vitest';
import { type Message, render } from '../../src/errors/message.js';
import { type CompiledCel, compileCel } from '../../src/util/cel.js';

const said = (it: Message | string): string => (typeof it === 'string' ? it : render(it));

const rowOnly = { variables: { row: 'row' } } as const;

function compiled(
  source: string,
  options: Parameters<typeof compileCel>[1] = rowOnly,
): Extract<CompiledCel, { ok: true }> {
  const made = compileCel(source, options);
  if (!made.ok) throw new Error(`${source}: ${said(made.detail)}`);
  return made;
}

const row = new Map([
  ['Qty', '12'],
  ['Price', '1.5'],
  ['Date', '2026-01-31T00:00:00Z'],
  ['Status', 'Approved'],
  ['__proto__', 'ordinary'],
  ['constructor', 'too'],
  ['客户', '甲'],
  ['Empty', ''],
]);

describe('an expression is compiled once and bounded', () => {
  it.each([
    ['int(row["Qty"]) * 2', 24],
    ['double(row["Price"]) + 1.0', 2.5],
    ['row["Status"] == "Approved" && row["Qty"] != ""', true],
    ['"SO-" + row.Status', 'SO-Approved'],
    ['row["Empty"] == "" ? "none" : "some"', 'none'],
    ['timestamp(row["Date"])', '2026-01-31T00:00:00.000Z'],
    ['[row["客户"], "乙"]', ['甲', '乙']],
    ['row["__proto__"] + row["constructor"]', 'ordinarytoo'],
    ['9007199254740993', 9007199254740993n],
    ['uint(row["Qty"])', 12],
    ['null', null],
    ['row["Status"].startsWith("App")', true],
    ['[1, 2, 3].exists(n, n == int(row["Qty"]) - 10)', true],
  ])('%s', (source, value) => {
    expect(compiled(source).evaluate({ row })).toEqual({ ok: true, value });
  });

  it.each([
    ['int(row["Status"])', 'is not a whole number'],
    ['1 / int(row["Empty"] == "" ? "0" : "1")', 'division by zero'],
    ['9223372036854775807 + int(row["Qty"])', 'overflow'],
    ['1.0 / 0.0', 'not a number'],
    ['row["Nope"]', 'No such key'],
  ])('%s fails as data', (source, detail) => {
    const result = compiled(source).evaluate({ row });
    expect(result).toMatchObject({ ok: false });
    expect(result.ok ? '' : said(result.detail)).toContain(detail);
    expect(result.ok ? '' : said(result.detail)).not.toContain('\n');
  });

  it('lists the columns it reads, each once, and every mention with its place', () => {
    const made = compiled('row["B"] == row["A"] || row["B"] == row.C');
    expect(made.columns).toEqual(['B', 'A', 'C']);
    expect(made.mentions).toEqual([
      { column: 'B', offset: 0 },
      { column: 'A', offset: 12 },
      { column: 'B', offset: 24 },
      { column: 'C', offset: 36 },
    ]);
  });

  it('finds columns inside calls, lists, conditions and comprehensions', () => {
    const made = compiled('["x"].all(v, v != row["A"]) ? size(row["B"] + row["C"]) : [int(row["D"])][0]');
    expect([...made.columns].sort()).toEqual(['A', 'B', 'C', 'D']);
  });

  it.each([
    ['row["A"] +', 10, 'Unexpected token'],
    ['row["A"] + 1', 0, 'no such overload'],
    ['other == "x"', 0, 'Unknown variable'],
    ['"x" + row[row["A"]]', 10, 'constant'],
    ['row["A" + "B"]', 4, 'constant'],
    ['size(row) == 1', 5, 'one column at a time'],
    ['row.map(k, k)', 0, 'one column at a time'],
    ['"A" in row', 7, 'one column at a time'],
    ['fetch(row["A"])', 0, 'fetch'],
    ['{"a": 1}', 0, 'map'],
    ['bytes("a")', 0, 'bytes'],
    ['duration("1h")', 0, 'duration'],
    ['', 0, ''],
  ])('%s is refused', (source, offset, detail) => {
    const made = compileCel(source, rowOnly);
    expect(made).toMatchObject({ ok: false, offset });
    expect(made.ok ? '' : said(made.detail)).toContain(detail);
  });

  it('must be a condition where one is asked for', () => {
    expect(compileCel('1 + 1', { ...rowOnly, result: 'bool' })).toMatchObject({
      ok: false,
      detail: { code: 'expression.no_condition', params: { type: 'int' } },
    });
    expect(compileCel('row["A"] == "1"', { ...rowOnly, result: 'bool' }).ok).toBe(true);
  });

  it('reads records as well as rows', () => {
    const made = compiled('expected.locked && !actual.locked', {
      variables: { expected: 'record', actual: 'record' },
      result: 'any',
    });
    const context = { expected: new Map([['locked', true]]), actual: new Map([['locked', false]]) };
    expect(made.evaluate(context)).toEqual({ ok: true, value: true });
  });

  it('takes records one field at a time', () => {
    const variables = { expected: 'record' } as const;
    expect(compileCel('size(expected) > 0', { variables })).toMatchObject({
      ok: false,
      offset: 5,
      detail: { code: 'expression.whole_record', params: { name: 'expected' } },
    });
    expect(compileCel('has(expected.locked) || expected["a"].b == 1', { variables }).ok).toBe(true);
  });

  it.each([
    ['expected.a.b == "x"', ['expected.a.b']],
    ['has(actual.x) && actual["y z"].startsWith("q")', ['actual.x', 'actual.y z']],
    ['actual.list.exists(k, k.a == row["A"])', ['actual.list']],
    ['actual.list[0].code == expected.a', ['actual.list', 'expected.a']],
  ])('reports the fields that %s reads', (source, fields) => {
    const made = compiled(source, { variables: { row: 'row', expected: 'record', actual: 'record' } });
    expect(made.fields.map((it) => [it.record, ...it.path].join('.'))).toEqual(fields);
    for (const it of made.fields) expect(source.slice(it.offset).startsWith(it.record)).toBe(true);
  });

  it('takes a bare field of a record as a condition, as its type is seen only when it is read', () => {
    const made = compiled('actual.locked', { variables: { actual: 'record' }, result: 'bool' });
    expect(made.evaluate({ actual: new Map([['locked', true]]) })).toEqual({ ok: true, value: true });
    expect(compileCel('row["A"]', { ...rowOnly, result: 'bool' }).ok).toBe(false);
  });

  it('is bounded', () => {
    expect(compileCel(`${'('.repeat(5000)}1${')'.repeat(5000)}`, rowOnly).ok).toBe(false);
    expect(compileCel(Array(5000).fill('1').join('+'), rowOnly).ok).toBe(false);
  });
});
