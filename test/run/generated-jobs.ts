import fc from 'fast-check';
import { workbook, worksheet } from '../fixtures/workbook.js';

export const SHAPES = ['one row', 'grouped', 'nested', 'joined', 'locks'] as const;
export type Shape = (typeof SHAPES)[number];

/** A source row; what is `''` is an empty cell. */
export interface GivenRow {
  readonly order: string;
  readonly customer: string;
  readonly lock: string;
  readonly product: string;
  readonly nodes: string;
  readonly take: string;
}

export interface GivenJob {
  readonly shape: Shape;
  readonly rows: readonly GivenRow[];
  /** Rows of the joined sheet: order and product. */
  readonly products: readonly (readonly [order: string, product: string])[];
  readonly size: number;
  readonly sync: 'sync' | 'async';
}

export const COLUMNS = ['Order', 'Customer', 'Lock', 'Product', 'Nodes', 'Take'] as const;

const COMMON = {
  customerId: { value: 'C1' },
  crmCustomerId: { value: 'CRM1' },
  channelCustomerId: { value: 'CC1' },
  adminName: { value: 'Admin' },
  adminAccount: { value: 'admin' },
  adminEmail: { value: 'a@example.com' },
  adminCellNumber: { value: '13800000001' },
  passwordMobile: { value: '13800000001' },
  address: { value: 'Street 1' },
  customerType: { value: 'company' },
  branchCode: { value: '01' },
  branchName: { value: 'Branch' },
  enterpriseGlobalId: { value: 'E1' },
  licenseType: { value: 'normal_recover_usbkey' },
  customerName: 'Customer',
};

const PRODUCT = {
  crmProductId: 'Product',
  parentCrmProductId: { value: 'PP1' },
  productUri: { value: 'uri' },
  productName: { value: 'Product' },
  productType: { value: 'software' },
  limitTimeDuration: { value: 0 },
  trial: { value: 0 },
  trialEndDate: { value: 0 },
  timeUnit: { value: 'month' },
  timeUnitQuantity: { value: 12 },
  timeDurationExpression: { value: '1-0-0' },
};

/** The job file (JSON is YAML), every field but the few that vary being constant. */
export function jobFile({ shape, size, sync }: GivenJob): string {
  const nodes = shape === 'joined' ? { value: 1 } : 'Nodes';
  const each: Record<string, { order?: unknown; assets?: unknown; products?: unknown }> = {
    'one row': {},
    grouped: { order: ['Order'] },
    nested: { order: ['Order'], assets: ['Lock'], products: ['Product'] },
    joined: { order: ['Order'], assets: ['Lock'], products: { sheet: 'Products', on: ['Order'] } },
  };
  const by = each[shape] ?? {};
  const within = (it: unknown, fields: object): object =>
    it === undefined ? fields : { each: it, ...fields };
  const order = {
    channelCode: { value: 'CH' },
    ...(shape === 'one row' ? {} : { channelOrderId: 'Order' }),
    syncMode: { value: sync },
    orderList: within(by.order, {
      ...COMMON,
      assets: within(by.assets, {
        assetNos: 'Lock',
        products: within(by.products, { ...PRODUCT, limitConcurrent: nodes }),
      }),
    }),
  };
  return JSON.stringify({
    version: 1,
    name: 'generated',
    operation: shape === 'locks' ? 'asset.lock' : 'order.new_buy',
    source: { file: 'input.xlsx', where: 'row["Take"] != "no"' },
    map: shape === 'locks' ? { assetNums: 'Lock', operatorIdentity: 'Customer' } : order,
    batch: { size },
    run: { concurrency: 3, retries: 2, onInvalid: 'skip', timeout: '20s' },
  });
}

/** The workbook: rows from row 2 on, blank ones excluded of the sheet but not of its numbers. */
export function inputFile({ rows, products }: GivenJob): Buffer {
  const data = rows.map((it) => [it.order, it.customer, it.lock, it.product, it.nodes, it.take]);
  const relations =
    '<Relationship Id="s2" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet2.xml"/>';
  return workbook({
    sheet: sheetRows([COLUMNS, ...data]),
    sheets: '<sheet name="Data" sheetId="1" r:id="s1"/><sheet name="Products" sheetId="2" r:id="s2"/>',
    relations,
    entries: [
      { name: 'xl/worksheets/sheet2.xml', data: worksheet(sheetRows([['Order', 'Product'], ...products])) },
    ],
  });
}

function sheetRows(lines: readonly (readonly string[])[]): string {
  return lines
    .map((line, at) => {
      const cells = line.map((text, column) =>
        text === '' ? '' : `<c r="${String.fromCharCode(65 + column)}${at + 1}" t="str"><v>${text}</v></c>`,
      );
      return `<row r="${at + 1}">${cells.join('')}</row>`;
    })
    .join('');
}

/** Numbers of the rows that hold anything. */
export function rowNumbers(rows: readonly GivenRow[]): number[] {
  return rows.flatMap((it, at) => (Object.values(it).some((text) => text !== '') ? [at + 2] : []));
}

const BLANK: GivenRow = { order: '', customer: '', lock: '', product: '', nodes: '', take: '' };

const anyRow = (shape: Shape): fc.Arbitrary<GivenRow> =>
  fc
    .record({
      order: fc.integer({ min: 1, max: 4 }),
      odd: fc.integer({ min: 0, max: 30 }),
      lock: fc.integer({ min: 1, max: 3 }),
      product: fc.integer({ min: 1, max: 3 }),
      nodes: fc.constantFrom('1', '1', '1', '2'),
      take: fc.constantFrom('', '', '', 'yes', 'no'),
    })
    .map(({ order, odd, lock, product, nodes, take }) => {
      if (odd === 0) return BLANK;
      const who = shape === 'locks' ? 'ops' : `C${order}`;
      return {
        order: odd === 1 ? '' : `SO-${order}`,
        // Now and then the rows of a group disagree, a cell is missing, or one is no number.
        customer: odd === 2 ? 'Other' : odd === 3 ? '' : who,
        lock: odd === 4 ? '' : odd === 5 ? `L${lock};L9` : `L${lock}`,
        product: odd === 6 ? '' : `P${product}`,
        nodes: odd === 7 ? 'many' : nodes,
        take,
      };
    });

export const anyJob: fc.Arbitrary<GivenJob> = fc.constantFrom(...SHAPES).chain((shape) => jobOf(shape));

export function jobOf(shape: Shape): fc.Arbitrary<GivenJob> {
  return fc.record({
    shape: fc.constant(shape),
    rows: fc.array(anyRow(shape), { minLength: 1, maxLength: 14 }).map((rows) => distinguished(shape, rows)),
    products: fc.array(
      fc.tuple(
        fc.integer({ min: 1, max: 4 }).map((it) => `SO-${it}`),
        fc.integer({ min: 1, max: 3 }).map((it) => `P${it}`),
      ),
      { maxLength: 8 },
    ),
    size: fc.integer({ min: 1, max: 4 }),
    sync: fc.constantFrom('sync', 'async'),
  });
}

/** Where each row is a separate order, its customer says which. */
function distinguished(shape: Shape, rows: readonly GivenRow[]): readonly GivenRow[] {
  if (shape !== 'one row') return rows;
  return rows.map((it, at) => (it.customer === '' ? it : { ...it, customer: `C${at}` }));
}
