import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { textCell } from '../../src/mapping/convert/conversion.js';
import { fieldConverter } from '../../src/mapping/convert/field-converter.js';
import type { Json, JsonObject } from '../../src/model/json.js';
import type { Row } from '../../src/model/row.js';
import { zone } from '../../src/util/zoned-time.js';
import { compile, field, type Given, lockOperation, type MapShape, mapAll, row } from '../support/mapping.js';

const HEADERS = ['Order', 'Customer', 'Lock', 'Product', 'Nodes'];

const ENVELOPE = { channelCode: { value: 'CH' }, syncMode: { value: 'sync' } };
const PLAIN: MapShape = {
  ...ENVELOPE,
  orderList: {
    customer: 'Customer',
    assets: { assetNos: 'Lock', products: { productId: 'Product', nodes: 'Nodes' } },
  },
};
const NESTED: MapShape = {
  ...ENVELOPE,
  orderList: {
    each: ['Order'],
    customer: 'Customer',
    assets: {
      each: ['Lock'],
      assetNos: 'Lock',
      products: { each: ['Product'], productId: 'Product', nodes: 'Nodes' },
    },
  },
};

const INVALID: readonly Given[] = [['error', '#N/A'], ['no_result', ''], 'A\u200bB', '1e3'];

function anyCell(values: readonly string[]): fc.Arbitrary<Given> {
  return fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom<Given>(...values) },
    { weight: 1, arbitrary: fc.constantFrom<Given>(undefined, ' ', ...INVALID) },
  );
}

const anyRow: fc.Arbitrary<Given[]> = fc.tuple(
  anyCell(['O1', 'O2', 'O3']),
  anyCell(['Li', 'Li', 'Li', 'Wang']),
  anyCell(['A1', 'A2']),
  anyCell(['P1', 'P2', 'P3']),
  anyCell(['1', '1', '2']),
);
const anyRows = fc
  .array(anyRow, { maxLength: 12 })
  .map((lines) => lines.map((cells, index) => row(index + 2, cells)));

/** Rows whose values follow from their order, so that no two of a group disagree. */
const soundRows = fc
  .array(
    fc.tuple(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 2 }), fc.integer({ min: 1, max: 3 })),
    {
      minLength: 1,
      maxLength: 12,
    },
  )
  .map((lines) =>
    lines.map(([order, lock, product], index) =>
      row(index + 2, [`O${order}`, `Customer ${order}`, `A${lock}`, `P${product}`, String(product)]),
    ),
  );

describe('every row is accounted for', () => {
  it.each<[string, MapShape]>([
    ['one-row orders', PLAIN],
    ['nested groups', NESTED],
  ])('%s: each row is in the items or the faults of exactly one group', (_name, map) => {
    const mapping = compile({ headers: HEADERS, map });
    fc.assert(
      fc.property(anyRows, (rows) => {
        const groups = mapAll(mapping, rows);
        const seen = groups.flatMap((group) => {
          if (group.kind === 'invalid') {
            expect(group.faults.length).toBeGreaterThan(0);
            return group.rows;
          }
          expect(group.items.length).toBeGreaterThan(0);
          for (const item of group.items) expect(item.rows).toEqual(group.items[0]?.rows);
          return group.items[0]?.rows ?? [];
        });
        expect([...seen].sort((a, b) => a - b)).toEqual(rows.map((it) => it.number));
      }),
      { numRuns: 300 },
    );
  });

  it('locks: each row has its items or its faults', () => {
    const mapping = compile({
      operation: lockOperation(),
      headers: HEADERS,
      map: { assetNums: 'Lock', operatorIdentity: 'Customer' },
    });
    fc.assert(
      fc.property(anyRow, (cells) => {
        const group = mapping.map([row(9, cells)], { rows: () => [] });
        if (group.kind === 'invalid') expect(group.rows).toEqual([9]);
        else {
          const subjects = new Map(group.items.map((it) => [it.subject, it.body]));
          expect(group.items.map((it) => subjects.get(it.subject))).toEqual(group.items.map((it) => it.body));
        }
      }),
    );
  });

  it('every invalid cell that the map reads is named', () => {
    const mapping = compile({ headers: HEADERS, map: NESTED });
    fc.assert(
      fc.property(anyRows, (rows) => {
        const reported = new Set(
          mapAll(mapping, rows).flatMap((group) =>
            group.kind === 'invalid' ? group.faults.map((it) => `${it.row}:${it.column}`) : [],
          ),
        );
        for (const it of rows) {
          for (const cell of it.cells()) {
            if (cell.kind === 'text') continue;
            // A product without a key is no element, and its cells are not read then: the empty key is reported instead.
            const keyless = cell.column === 5 && ((it.cell(4)?.text ?? '').trim() === '' || lockless(it));
            const outside = cell.column === 4 && lockless(it);
            if (!keyless && !outside) expect(reported).toContain(`${it.number}:${cell.column}`);
          }
        }
      }),
      { numRuns: 300 },
    );
  });
});

/** Cells that are mostly filled, each column's texts its own, so that the request shows where each came from. */
const gappyRows = fc
  .array(
    fc.tuple(
      ...(['O', 'Li', 'A', 'P', ''] as const).map((letter) =>
        fc.option(
          fc.integer({ min: 1, max: 2 }).map((it) => `${letter}${it}`),
          { freq: 3, nil: undefined },
        ),
      ),
    ),
    { minLength: 1, maxLength: 8 },
  )
  .map((lines) => lines.map((cells, index) => row(index + 2, cells)));

describe('the invariant: every mapped, filled cell of a row that is not invalid is in its request', () => {
  interface Body {
    readonly customer?: string;
    readonly assets?: readonly {
      readonly assetNos?: readonly string[];
      readonly products?: readonly { readonly productId?: string; readonly nodes?: number }[];
    }[];
  }

  /** Whether the order holds what the row says, each cell under the cells that it belongs to. */
  function holds({ customer, assets = [] }: Body, it: Row): boolean {
    const [, name, lock, product, nodes] = [1, 2, 3, 4, 5].map((column) => it.cell(column)?.text);
    if (name !== undefined && customer !== name) return false;
    const asset = assets.filter(({ assetNos }) => lock === undefined || assetNos?.includes(lock));
    const products = asset.flatMap((one) => one.products ?? []);
    const found = products.filter((one) => product === undefined || one.productId === product);
    return (
      (lock === undefined || asset.length > 0) &&
      (product === undefined || found.length > 0) &&
      (nodes === undefined || found.some((one) => String(one.nodes) === nodes))
    );
  }

  it.each<[string, MapShape]>([
    ['one-row orders', PLAIN],
    ['nested groups', NESTED],
  ])('%s', (_name, map) => {
    const mapping = compile({ headers: HEADERS, map });
    let sent = 0;
    fc.assert(
      fc.property(gappyRows, (rows) => {
        for (const group of mapAll(mapping, rows)) {
          if (group.kind === 'invalid') continue;
          for (const item of group.items) {
            for (const it of rows.filter(({ number }) => item.rows.includes(number))) {
              sent += 1;
              expect(holds(item.body as Body, it), JSON.stringify([it.cells(), item.body])).toBe(true);
            }
          }
        }
      }),
      { numRuns: 1000 },
    );
    expect(sent).toBeGreaterThan(100);
  });
});

const lockless = (it: Row): boolean => (it.cell(3)?.text ?? '').trim() === '';

describe('grouping depends on keys alone', () => {
  it('does not depend on where the rows of a group stand', () => {
    const mapping = compile({ headers: HEADERS, map: NESTED });
    fc.assert(
      fc.property(soundRows, (rows) => {
        const together = [...rows].sort((a, b) => order(a).localeCompare(order(b)));
        expect(summary(mapAll(mapping, together))).toEqual(summary(mapAll(mapping, rows)));
      }),
      { numRuns: 200 },
    );
  });

  const order = (it: Row): string => it.cell(1)?.text ?? '';

  function summary(groups: ReturnType<typeof mapAll>): string[] {
    return groups
      .map((group) => {
        if (group.kind === 'invalid') return `invalid ${JSON.stringify(group.faults)}`;
        return group.items.map((it) => `${it.key} ${it.rows.join()} ${JSON.stringify(it.body)}`).join();
      })
      .sort();
  }
});

describe('conversions never give a wrong value', () => {
  const options = { zone: zone('Asia/Shanghai')!, unit: 'milliseconds' } as const;

  it('text loses nothing but blanks at its ends and what has no width, or is an error', () => {
    const convert = fieldConverter(field('text', 'String'), options);
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const converted = convert(textCell(text));
        if (converted.kind !== 'value') return;
        const seen = text.replace(/(?!\p{Variation_Selector})\p{Default_Ignorable_Code_Point}/gu, '');
        expect(converted.value).toBe(seen.trim());
        // There are other warnings: the text may say that there is nothing.
        if (seen !== text) expect(converted.warning).toBeDefined();
      }),
    );
  });

  it('an identifier is only ever shortened at its ends, and holds nothing unseen', () => {
    const convert = fieldConverter(field('id', 'String', { identifier: true }), options);
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const converted = convert(textCell(text));
        if (converted.kind !== 'value') return;
        expect(text).toContain(converted.value);
        expect(converted.value).not.toMatch(/^\s|\s$|\p{Cc}|\p{Cf}|\u00a0/u);
      }),
      { numRuns: 500 },
    );
  });

  it('a Long is exact or an error', () => {
    const convert = fieldConverter(field('n', 'Long'), options);
    const anyDigits = fc.bigInt({ min: -(2n ** 65n), max: 2n ** 65n });
    fc.assert(
      fc.property(anyDigits, (wanted) => {
        const converted = convert(textCell(wanted.toString()));
        const fits = wanted >= -(2n ** 63n) && wanted < 2n ** 63n;
        expect(converted.kind).toBe(fits ? 'value' : 'fault');
        if (converted.kind === 'value') expect(BigInt(converted.value as number | bigint)).toBe(wanted);
      }),
      { numRuns: 500 },
    );
  });

  it('a day ends one millisecond before the next begins', () => {
    const until = field('until', 'Long', { date: true });
    for (const name of ['Asia/Shanghai', 'America/New_York', 'Asia/Beirut']) {
      const setting = { ...options, zone: zone(name)! };
      const start = fieldConverter(until, setting);
      const end = fieldConverter(until, { ...setting, end: 'day' });
      fc.assert(
        fc.property(fc.integer({ min: 7305, max: 40_000 }), (days) => {
          const day = (offset: number) =>
            textCell(new Date((days + offset) * 86_400_000).toISOString().slice(0, 10));
          const [today, tomorrow] = [end(day(0)), start(day(1))];
          if (today.kind !== 'value' || tomorrow.kind !== 'value') throw new Error('no such day');
          expect(today.value).toBe((tomorrow.value as number) - 1);
        }),
      );
    }
  });
});

describe('the texts for the ledger are those of the values', () => {
  it.each<[string, MapShape]>([
    ['one-row orders', PLAIN],
    ['nested groups', NESTED],
  ])('%s: are those of the item, with sorted names at every depth', (_name, map) => {
    const mapping = compile({ headers: HEADERS, map });
    fc.assert(
      fc.property(soundRows, (rows) => {
        for (const group of mapAll(mapping, rows)) {
          if (group.kind !== 'items') throw new Error('rows that agree are no item');
          for (const it of group.items) {
            expect(it.bodyJson).toBe(JSON.stringify(sorted(it.body)));
            expect(it.envelopeJson).toBe(JSON.stringify(sorted(it.envelope)));
          }
        }
      }),
      { numRuns: 100 },
    );
  });

  function sorted(value: Json): Json {
    if (Array.isArray(value)) return value.map(sorted);
    if (typeof value !== 'object' || value === null) return value;
    const names = Object.keys(value).sort();
    return Object.fromEntries(names.map((name) => [name, sorted((value as JsonObject)[name]!)]));
  }
});
