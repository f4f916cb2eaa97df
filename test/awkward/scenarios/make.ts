import type { Random } from '../../support/random.js';
import { type ColumnStyle, columnStyle, layOut } from '../lay-out.js';
import { type Column, type Line, type Page, text, type Value } from '../sheet.js';

/** A record's values, for as many lines as it has. */
export type Records = readonly (readonly Readonly<Record<string, Value>>[])[];

/** What every scenario is handed: its random numbers, the kind of file, the language of its headers. */
export interface Wish {
  readonly random: Random;
  readonly format: 'xlsx' | 'csv';
  readonly language: 'en' | 'zh';
}

type Title = readonly [en: string, zh: string];

/** Columns by the names under which records give their values. */
export interface Titled extends Omit<Column, 'header'> {
  readonly title: Title;
}

/** A sheet of plain data: a header, and below it a line for each row of each record. */
export function makePage(
  wish: Wish,
  name: string,
  titled: Readonly<Record<string, Titled>>,
  records: Records,
): Page {
  const { random, format, language } = wish;
  const names = Object.keys(titled);
  const columns: Column[] = names.map((it) => {
    const { title, ...rest } = titled[it]!;
    return { ...rest, header: title[language === 'zh' ? 1 : 0] };
  });
  const styles = new Map<Column, ColumnStyle>();
  for (const column of columns) styles.set(column, columnStyle(column, format, random));
  const lines: Line[] = [];
  for (const rows of records) {
    for (const values of rows) {
      const line: Line = { cells: [], record: new Map(), verdict: 'data', reasons: [] };
      columns.forEach((column, at) => {
        const value = values[names[at]!];
        if (value === undefined) return;
        line.record.set(column, value);
        line.cells[at] = layOut(value, column, styles.get(column)!);
      });
      lines.push(line);
    }
  }
  const header: Line = {
    cells: columns.map((it) => text(it.header)),
    record: new Map(),
    verdict: 'aside',
    reasons: ['header'],
  };
  return { name, columns, above: [], header, lines, merges: [] };
}

/** Columns that offices keep for themselves, before, between and after those that are mapped. */
export function ownColumns(random: Random): {
  readonly first: Readonly<Record<string, Titled>>;
  readonly last: Readonly<Record<string, Titled>>;
} {
  const own = (en: string, zh: string, type: Column['type']): Titled => ({
    title: [en, zh],
    type,
    level: 'order',
    optional: true,
  });
  return {
    first: random.chance(0.4) ? { serial: own('No.', '序号', 'whole') } : {},
    last: {
      ...(random.chance(0.5) ? { sales: own('Salesperson', '销售', 'word') } : {}),
      ...(random.chance(0.5) ? { amount: own('Amount', '金额', 'whole') } : {}),
      ...(random.chance(0.5) ? { remark: own('Remark', '备注', 'word') } : {}),
    },
  };
}

/** What is in the office's own columns of a row. */
export function ownValues(random: Random, row: number, language: 'en' | 'zh'): Record<string, Value> {
  const people = language === 'zh' ? ['王芳', '李强', '张伟'] : ['Ann', 'Bob', 'Carla'];
  return {
    serial: row,
    sales: random.pick(people),
    amount: random.whole(10, 900) * 100,
    ...(random.chance(0.3) ? { remark: language === 'zh' ? '加急' : 'urgent' } : {}),
  };
}
