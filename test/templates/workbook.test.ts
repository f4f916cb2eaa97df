import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { FieldNames } from '../../src/mapping/map-from-headers.js';
import type { Field } from '../../src/model/field.js';
import { OPERATION_NAMES } from '../../src/model/operation.js';
import { OPERATIONS } from '../../src/platform/operations/catalogue.js';
import { chineseMeaning, chinesePurpose } from '../../src/platform/operations/operation-words.js';
import { openSource } from '../../src/source/open-source.js';
import { openTable } from '../../src/source/table.js';
import { templateWorkbook } from '../../src/templates/workbook.js';
import { packParts, sameParts, unpackParts } from '../../src/templates/zip.js';
import { templateOf } from '../support/templates.js';

function* fieldsOf(fields: readonly Field[], above: readonly string[] = []): Generator<Field> {
  const name = fields.map((it) => it.name).join(' ');
  if (above.includes(name)) return;
  for (const field of fields) {
    yield field;
    yield* fieldsOf(field.fields ?? [], [...above, name]);
  }
}

describe('every field of an operation has a column', () => {
  const [sheet] = templateOf('order.new_buy').sheets;
  const headers = sheet?.columns.map((it) => it.header) ?? [];
  const need = (header: string) => sheet?.columns.find((it) => it.header === header)?.need;

  it.each(OPERATION_NAMES)('%s: every header maps by itself, each to a field of its own', (name) => {
    const names = new FieldNames(OPERATIONS[name]);
    const paths = templateOf(name).sheets.flatMap((it) =>
      it.columns.map(({ header }) => {
        const meaning = names.meaning(header);
        return meaning.kind === 'field' ? meaning.path.join('.') : header;
      }),
    );
    expect(new Set(paths).size).toBe(paths.length);
    for (const header of templateOf(name).sheets[0]?.columns ?? [])
      expect(names.meaning(header.header).kind).toBe('field');
  });

  it('excludes what the operation decides, and packages inside packages', () => {
    expect(headers).toContain('channelOrderId');
    expect(headers).not.toContain('sequence');
    expect(headers).not.toContain('orderType');
    expect(headers.filter((it) => it.includes('children'))).toEqual([]);
  });

  it('puts required before optional, names before details, lists after the fields of their owner', () => {
    const at = (header: string) => headers.indexOf(header);
    expect(headers.slice(0, 4)).toEqual(['channelCode', 'channelOrderId', 'syncMode', 'customerId']);
    expect(at('enterpriseGlobalId')).toBeLessThan(at('licenseType'));
    expect(at('licenseType')).toBeLessThan(at('srcLicenseOrderId'));
    expect(at('srcLicenseOrderId')).toBeLessThan(at('assets.assetNos'));
    expect(at('assets.products.timeUnit')).toBeLessThan(at('assets.products.limitStartDate'));
    expect(at('assets.products.limitStartDate')).toBeLessThan(at('assets.merchandises.crmProductId'));
  });

  it('distinguishes required ones from those of a part that may be omitted', () => {
    expect(need('channelOrderId')).toEqual({ kind: 'always' });
    expect(need('assets.products.productUri')).toEqual({ kind: 'always' });
    expect(need('assets.products.limitStartDate')).toEqual({ kind: 'no' });
    expect(need('assets.merchandises.merchandiseNum')).toEqual({
      kind: 'group',
      path: 'assets.merchandises',
    });
    expect(need('assets.products.productFeatures.featureCode')).toEqual({
      kind: 'group',
      path: 'assets.products.productFeatures',
    });
  });
});

describe('a workbook to fill in takes what its job takes', () => {
  it('is the same file, byte for byte, whenever it is made', async () => {
    const one = await templateWorkbook(templateOf('order.delete_product'));
    vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2031, 6, 1) });
    try {
      const other = await templateWorkbook(templateOf('order.delete_product'));
      expect(Buffer.compare(one, other)).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });

  it('has sheets and headers that look escaped as they are', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'template-'));
    try {
      const template = templateOf('asset.lock');
      const [sheet] = template.sheets;
      const columns = sheet!.columns.map((it, index) => (index === 0 ? { ...it, header: '_x0041_' } : it));
      const file = path.join(folder, 'fill-in.xlsx');
      const sheets = [{ ...sheet!, name: '_x0042_', columns }];
      await writeFile(file, await templateWorkbook({ ...template, sheets }));
      const source = await openSource(file);
      const read = await openTable(source, { sheet: '_x0042_', headerRow: 1, resultColumns: [] });
      expect(read.headers[0]?.text).toBe('_x0041_');
      await source.close();
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  it('has notes as large as their texts', async () => {
    const parts = await unpackParts(await templateWorkbook(templateOf('order.new_buy')));
    const drawing = parts.find((it) => it.name.endsWith('.vml'));
    const text = Buffer.from(drawing?.content ?? []).toString('utf8');
    const heights = [...text.matchAll(/height:([\d.]+)pt/g)].map((it) => Number(it[1]));
    // The licence types alone take fourteen lines.
    expect(Math.max(...heights)).toBeGreaterThan(14 * 11);
    expect(Math.min(...heights)).toBeLessThan(100);
  });
});

describe('the same template is the same file', () => {
  const part = (name: string, text: string) => ({ name, content: Buffer.from(text) });

  it('come back as they were packed', async () => {
    const parts = [part('a.xml', '<a/>'.repeat(1000)), part('表/b.xml', ''), part('c', '\u0000ÿ')];
    expect(await unpackParts(packParts(parts))).toEqual(parts);
  });

  it('are compared by content and not by order or packing', async () => {
    const [a, b] = [part('a', '1'), part('b', '2')];
    expect(await sameParts(packParts([a, b]), packParts([b, a]))).toBe(true);
    expect(await sameParts(packParts([a, b]), packParts([a, part('b', '3')]))).toBe(false);
    expect(await sameParts(packParts([a, part('b', '')]), packParts([a, part('c', '')]))).toBe(false);
    expect(await sameParts(packParts([a]), packParts([a, b]))).toBe(false);
    expect(await sameParts(packParts([a]), Buffer.from('no zip at all'))).toBe(false);
  });
});

describe('every field has Chinese words', () => {
  it.each(OPERATION_NAMES)('%s: a meaning for every field and value', (name) => {
    expect(chinesePurpose(name)).toMatch(/[\u4e00-\u9fff]/);
    for (const field of fieldsOf(OPERATIONS[name].shape)) {
      expect([field.name, chineseMeaning(field)]).toEqual([
        field.name,
        expect.stringMatching(/[\u4e00-\u9fff]/),
      ]);
      for (const { value, zh } of field.values ?? [])
        expect([field.name, value, zh]).toEqual([
          field.name,
          value,
          expect.stringMatching(/[\u4e00-\u9fff]/),
        ]);
    }
  });

  it('distinguish columns of the same name in other tables', () => {
    const [sheet] = templateOf('order.new_buy').sheets;
    const meaning = (header: string) => {
      const field = sheet?.columns.find((it) => it.header === header)?.uses[0]?.field;
      return field && chineseMeaning(field);
    };
    expect(meaning('assets.limitEndDate')).toBe('资产限制的结束时间');
    expect(meaning('assets.products.limitEndDate')).toBe('产品到期时间');
    expect(meaning('assets.products.crmProductId')).toBe('CRM 产品实例 ID');
    expect(meaning('assets.merchandises.crmProductId')).toBe('CRM 套餐实例 ID');
  });
});
