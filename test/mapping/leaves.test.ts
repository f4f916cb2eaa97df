import { describe, expect, it } from 'vitest';
import type { Field } from '../../src/model/field.js';
import {
  compile,
  faultCodes,
  faultTexts,
  field,
  type Given,
  type MapShape,
  must,
  NO_JOINS,
  row,
  singleOperation,
} from '../support/mapping.js';

const ID = { identifier: true };
const SHAPE: readonly Field[] = [
  field('orderNo', 'String', ID),
  field('text', 'String'),
  field('count', 'Integer'),
  field('big', 'Long'),
  field('flag', 'Boolean'),
  field('until', 'Long', { date: true }),
  field('tags', 'String array', ID),
  field('mode', 'String', { default: 'new' }),
  field('owner', 'object', { fields: [must('name', 'String'), field('phone', 'String', ID)] }),
];

const HEADERS = ['A', 'B', 'C', 'Day'];

function mapped(map: MapShape, cells: readonly Given[], shape = SHAPE) {
  const mapping = compile({ operation: singleOperation(shape), headers: HEADERS, map });
  return mapping.map([row(2, cells)], NO_JOINS);
}

function body(map: MapShape, cells: readonly Given[], shape = SHAPE): unknown {
  const group = mapped(map, cells, shape);
  if (group.kind === 'invalid') throw new Error(faultTexts(group).join('\n'));
  return group.items[0]?.body;
}

describe('constants and defaults fit their field or are refused', () => {
  it('constants go as the field needs them', () => {
    const map = {
      orderNo: { value: '007' },
      text: 7,
      count: { value: '5' },
      big: { value: 5 },
      flag: true,
      until: { value: '2026-01-31' },
      tags: { value: ['T1', 'T,2'] },
    };
    expect(body(map, [])).toEqual({
      orderNo: '007',
      text: '7',
      count: 5,
      big: 5,
      flag: true,
      until: Date.parse('2026-01-30T16:00:00Z'),
      tags: ['T1', 'T,2'],
      mode: 'new',
    });
  });

  it('a column default replaces an empty cell, before the field default', () => {
    const map = { text: { column: 'A', default: 'none' }, mode: { column: 'B', default: 'old' }, count: 'C' };
    expect(body(map, [' ', undefined, '1'])).toEqual({ text: 'none', mode: 'old', count: 1 });
    expect(body({ mode: 'A' }, [' '])).toEqual({ mode: 'new' });
    expect(body({ mode: 'A' }, ['x'])).toEqual({ mode: 'x' });
  });

  it('a default does not cover an error', () => {
    expect(faultCodes(mapped({ count: { column: 'A', default: 1 } }, ['x']))).toEqual([
      'Orders!A2 mapping.not_whole',
    ]);
    expect(faultCodes(mapped({ count: { column: 'A', default: 1 } }, [['error', '#N/A']]))).toEqual([
      'Orders!A2 mapping.error_value',
    ]);
  });

  it('a default makes a required field of an empty cell', () => {
    const shape = [must('text', 'String')];
    expect(body({ text: { column: 'A', default: 'x' } }, [], shape)).toEqual({ text: 'x' });
  });

  it('an object whose cells are all empty is omitted', () => {
    expect(body({ owner: { name: 'A', phone: 'B' } }, [])).toEqual({ mode: 'new' });
    expect(faultCodes(mapped({ owner: { name: 'A', phone: 'B' } }, [undefined, '1']))).toEqual([
      'Orders!A2 mapping.required_empty',
    ]);
  });
});

describe('a template puts cells into a text, and never half an identifier', () => {
  it('put the cells as they are shown, trimmed', () => {
    const map = { orderNo: { template: 'SO-{A}-{B}' }, text: { template: '{Day}: {A}' } };
    expect(
      body(map, [['number', '0012', '12'], ' 3 ', undefined, ['date', '2026-01-31', '46053']]),
    ).toMatchObject({
      orderNo: 'SO-0012-3',
      text: '2026-01-31: 0012',
    });
  });

  it('put nothing into an identifier that a spreadsheet mangled', () => {
    const map = { orderNo: { template: 'SO-{A}-{B}' } };
    const codes = (...cells: readonly Given[]) => faultCodes(mapped(map, cells));
    expect(codes('1', '〃')).toEqual(['Orders!B2 mapping.ditto']);
    expect(codes('1', ['date', '2026-03-04'])).toEqual(['Orders!B2 mapping.date_in_template']);
    expect(codes('1', '1.2E+10')).toEqual(['Orders!B2 mapping.exponent_in_identifier']);
    expect(codes(['boolean', 'TRUE'], '2')).toEqual(['Orders!A2 mapping.truth_in_identifier']);
    expect(codes('1', '２')).toEqual(['Orders!B2 mapping.wide_in_identifier']);
    expect(codes('1', '3-4')).toEqual([]);
  });

  it('are converted like a cell', () => {
    expect(body({ count: { template: '{A}{B}' } }, ['1', '2'])).toMatchObject({ count: 12 });
    expect(faultCodes(mapped({ count: { template: '{A}x' } }, ['1']))).toEqual([
      'Orders!A2 mapping.not_whole',
    ]);
    expect(body({ tags: { template: '{A},{B}' } }, ['1', '2'])).toMatchObject({ tags: ['1', '2'] });
  });

  it('without any cell are omitted; with some, an identifier is an error and prose is not', () => {
    expect(body({ orderNo: { template: 'SO-{A}-{B}' } }, [])).toEqual({ mode: 'new' });
    expect(faultCodes(mapped({ orderNo: { template: 'SO-{A}-{B}' } }, ['1']))).toEqual([
      'Orders!B2 mapping.template_gap',
    ]);
    expect(body({ text: { template: '{A} {B}' } }, ['Street'])).toMatchObject({ text: 'Street' });
  });

  it('report the errors of each cell', () => {
    const group = mapped({ text: { template: '{A}{B}' } }, [
      ['error', '#N/A'],
      ['no_result', ''],
    ]);
    expect(faultCodes(group)).toEqual(['Orders!A2 mapping.error_value', 'Orders!B2 mapping.no_result']);
  });
});

describe('an expression gives its value or the fault of its cells', () => {
  it('see the text of cells, dates as ISO', () => {
    const map = {
      count: { expr: 'int(row["A"]) * 2' },
      text: { expr: 'row["Day"] + "/" + row["B"]' },
      flag: { expr: 'row["A"] == "5"' },
    };
    expect(body(map, [['number', '5'], '007', undefined, ['date', '2026-01-31']])).toMatchObject({
      count: 10,
      text: '2026-01-31/007',
      flag: true,
    });
  });

  it('give lists, timestamps and integers beyond 2^53', () => {
    const map = {
      tags: { expr: '[row["A"], "T,2", ""]' },
      until: { expr: 'timestamp(row["Day"] + "T00:00:00Z")' },
      big: { expr: 'int("9007199254740993")' },
    };
    expect(body(map, ['T1', undefined, undefined, ['date', '2026-01-31']])).toMatchObject({
      tags: ['T1', 'T,2'],
      until: Date.parse('2026-01-31T00:00:00Z'),
      big: 9007199254740993n,
    });
  });

  it('as constants keep every digit that a Long has', () => {
    expect(body({ big: { value: '9223372036854775807' } }, [])).toMatchObject({ big: 9223372036854775807n });
  });

  it('are checked by the type of the field', () => {
    expect(faultCodes(mapped({ count: { expr: 'double(row["A"]) / 2.0' } }, ['5']))).toEqual([
      'Orders!A2 mapping.fraction',
    ]);
    expect(faultCodes(mapped({ text: { expr: '[row["A"]]' } }, ['5']))).toEqual([
      'Orders!A2 mapping.expr_list',
    ]);
  });

  it('that fail are an error of their first cell, unless all their cells are empty', () => {
    expect(faultCodes(mapped({ count: { expr: 'int(row["A"])' } }, ['five']))).toEqual([
      'Orders!A2 mapping.expr_failed',
    ]);
    expect(body({ count: { expr: 'double(row["A"])' } }, [])).toEqual({ mode: 'new' });
    expect(
      faultCodes(mapped({ count: { expr: 'double(row["A"])' } }, [], [must('count', 'Integer')])),
    ).toEqual(['Orders!A2 mapping.required_empty']);
  });

  it('do not work with what a cell does not contain', () => {
    const lost: Given = ['number', '12345678901234567'];
    expect(faultCodes(mapped({ text: { expr: 'row["A"] + row["B"]' } }, [['error', '#N/A'], lost]))).toEqual([
      'Orders!A2 mapping.error_value',
      'Orders!B2 mapping.number_too_long',
    ]);
  });
});
