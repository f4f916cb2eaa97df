import { type WorkbookContent, workbook, worksheet } from '../fixtures/workbook.js';

/** Three orders as the job of `support/orders.ts` maps them, under their header. */
export const HEADER = ['Order', 'Customer', 'Asset', 'Nodes'] as const;
export const ORDERS: readonly (readonly string[])[] = [
  ['SO-1', '客户 & 甲', 'A0001', '5'],
  ['SO-2', 'Customer 2', 'A0002', '6'],
  ['SO-3', 'Customer 3', 'A0003', '7'],
];

export function csv(
  rows: readonly (readonly string[])[] = ORDERS,
  header: readonly string[] = HEADER,
): string {
  return [header, ...rows].map((it) => `${it.join(',')}\n`).join('');
}

export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

/** A row of inline strings, with the references that Excel writes. */
export function row(number: number, texts: readonly string[]): string {
  const cells = texts.map(
    (text, at) =>
      `<c r="${String.fromCharCode(65 + at)}${number}" t="inlineStr"><is><t>${escaped(text)}</t></is></c>`,
  );
  return `<row r="${number}">${cells.join('')}</row>`;
}

/** Header and orders as rows of a sheet; `numbers`: where they stand. */
export function rows(
  orders: readonly (readonly string[])[] = ORDERS,
  header: readonly string[] = HEADER,
  numbers: readonly number[] = [2, 3, 4],
): string {
  return row(1, header) + orders.map((it, at) => row(numbers[at] ?? at + 2, it)).join('');
}

/** A sound workbook of the three orders, with whatever is to be wrong or odd about it. */
export function book(change: WorkbookContent = {}): Buffer {
  return workbook({ sheet: rows(), ...change });
}

export { worksheet };
