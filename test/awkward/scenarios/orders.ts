import type { Scenario, Value } from '../sheet.js';
import { company, day, digits, product } from '../words.js';
import { makePage, ownColumns, ownValues, type Titled, type Wish } from './make.js';

const ORDER = {
  order: {
    title: ['Order No', '订单号'],
    field: 'channelOrderId',
    type: 'identifier',
    level: 'order',
    key: true,
  },
  customer: { title: ['Customer Name', '客户名称'], field: 'customerName', type: 'name', level: 'order' },
  number: {
    title: ['Customer No', '客户编号'],
    field: 'channelCustomerId',
    type: 'identifier',
    level: 'order',
  },
} as const satisfies Record<string, Titled>;

const LICENCE: Titled = {
  title: ['Licence Type', '授权类型'],
  field: 'licenseType',
  type: 'word',
  level: 'order',
  values: { 单机锁: 'normal_recover_usbkey', 网络锁: 'normal_recover_lan_usbkey' },
};

const LOCK: Titled = {
  title: ['Lock No', '锁号'],
  field: 'assets.assetNos',
  type: 'lock',
  level: 'asset',
  key: true,
  list: true,
};

const PRODUCT = {
  instance: {
    title: ['Product Instance', '产品实例'],
    field: 'assets.products.crmProductId',
    type: 'identifier',
    level: 'product',
    key: true,
  },
  product: {
    title: ['Product Name', '产品名称'],
    field: 'assets.products.productName',
    type: 'name',
    level: 'product',
  },
  from: {
    title: ['Valid From', '生效日期'],
    field: 'assets.products.limitStartDate',
    type: 'date',
    level: 'product',
    optional: true,
  },
  until: {
    title: ['Valid Until', '截止日期'],
    field: 'assets.products.limitEndDate',
    type: 'end',
    level: 'product',
    optional: true,
  },
  nodes: {
    title: ['Nodes', '节点数'],
    field: 'assets.products.limitConcurrent',
    type: 'whole',
    level: 'product',
  },
} as const satisfies Record<string, Titled>;

const CUSTOMER = {
  adminName: 'Admin',
  adminAccount: 'admin01',
  adminEmail: 'admin@example.com',
  adminCellNumber: '13800000001',
  customerType: 'company',
  branchCode: 'B01',
  branchName: 'Branch',
  enterpriseGlobalId: 'ENT-0001',
};
const BUYER = {
  ...CUSTOMER,
  customerId: 'CU-0001',
  crmCustomerId: 'CRM-0001',
  passwordMobile: '13800000002',
  address: 'Street 1',
};
const BOUGHT = {
  parentCrmProductId: 'PP-1',
  productUri: 'P-0001',
  productType: 'software',
  limitTimeDuration: 0,
  trial: 0,
  trialEndDate: 0,
  timeUnit: 'month',
  timeUnitQuantity: 12,
  timeDurationExpression: '1-0-0',
};

const at = (path: string, constants: Readonly<Record<string, string | number>>) =>
  Object.fromEntries(Object.entries(constants).map(([name, value]) => [path + name, value]));

const ENVELOPE = { channelCode: 'CH01', syncMode: 'sync' };

function orderValues({ random, language }: Wish, index: number): Record<string, Value> {
  const prefix = random.chance(0.5) ? 'SO-' : '00';
  return {
    order: `${prefix}${2_600_000 + index * 7 + random.whole(0, 6)}`,
    customer: company(random, language),
    number: random.chance(0.5) ? `00${digits(random, 5)}` : digits(random, 6),
    licence: random.pick(['normal_recover_usbkey', 'normal_recover_lan_usbkey']),
  };
}

function productValues({ random, language }: Wish, mark: string): Record<string, Value> {
  return {
    instance: `PI-${mark}`,
    product: product(random, language),
    ...(random.chance(0.9) ? { from: day(random, 2026) } : {}),
    until: day(random, random.whole(2027, 2029)),
    nodes: random.whole(1, 200),
  };
}

const lockNumber = ({ random }: Wish): string => `9${digits(random, 9)}`;

/**
 * Purchases (or revocations) with their products below them on one sheet; `nested` gathers products by their instance.
 * @param large some thousand rows
 */
export function newBuy(
  wish: Wish,
  nested: boolean,
  what: 'new_buy' | 'delete_product' = 'new_buy',
  large = false,
) {
  const { random, language } = wish;
  const { first, last } = ownColumns(random);
  const withLicence = random.chance(0.5);
  const buys = what === 'new_buy';
  const { product: name, ...others } = PRODUCT;
  const titled: Record<string, Titled> = {
    ...first,
    ...ORDER,
    ...(withLicence ? { licence: LICENCE } : {}),
    lock: LOCK,
    ...(buys ? { product: name } : {}),
    ...others,
    // A revocation matches nodes only if its options require it.
    ...(buys ? {} : { nodes: { ...PRODUCT.nodes, optional: true } }),
    ...last,
  };
  const records: Record<string, Value>[][] = [];
  let row = 0;
  const orders = large ? 12 : random.whole(2, 7);
  for (let index = 0; index < orders; index += 1) {
    const order = orderValues(wish, index);
    const rows: Record<string, Value>[] = [];
    const locks = random.whole(1, 2);
    for (let each = 0; each < locks; each += 1) {
      const lock = [lockNumber(wish)];
      const products = large ? random.whole(60, 140) : random.whole(1, 3);
      for (let it = 0; it < products; it += 1) {
        row += 1;
        rows.push({
          ...order,
          lock,
          ...productValues(wish, `${index}-${each}-${it}-${digits(random, 4)}`),
          ...ownValues(random, row, language),
        });
      }
    }
    records.push(rows);
  }
  const templated = buys && random.chance(0.4);
  const { parentCrmProductId: _, ...rest } = BOUGHT;
  const bought = templated ? rest : BOUGHT;
  const scenario: Scenario = {
    name: `${what}${nested ? ' nested' : ''}${large ? ' large' : ''}`,
    operation: `order.${what}`,
    language,
    constants: {
      ...ENVELOPE,
      ...(buys ? BUYER : { ...CUSTOMER, srcLicenseOrderId: 'LO-1' }),
      ...(withLicence ? {} : { licenseType: 'normal_recover_usbkey' }),
      ...at('assets.products.', buys ? bought : { productUri: 'P-0001' }),
    },
    implied: {
      orderType: what,
      ...(buys ? { 'assets.products.productFeatures': [] } : {}),
      'assets.products.strictMatchWhenDelete': false,
    },
    ...(templated
      ? {
          templates: {
            'assets.products.parentCrmProductId': [
              titleOf(ORDER.order, language),
              titleOf(PRODUCT.instance, language),
            ],
          },
        }
      : {}),
    each: {
      '': [titleOf(ORDER.order, language)],
      assets: [titleOf(LOCK, language)],
      ...(nested ? { 'assets.products': [titleOf(PRODUCT.instance, language)] } : {}),
    },
  };
  return { scenario, page: makePage(wish, language === 'zh' ? '订单' : 'Orders', titled, records) };
}

/** Purchases on one sheet, their products on another one. */
export function joinedBuy(wish: Wish) {
  const { random, language } = wish;
  const orders: Record<string, Value>[][] = [];
  const products: Record<string, Value>[][] = [];
  const count = random.whole(2, 6);
  for (let index = 0; index < count; index += 1) {
    const order = orderValues(wish, index);
    orders.push([{ ...order, lock: [lockNumber(wish)], ...ownValues(random, index + 1, language) }]);
    const rows = Array.from({ length: random.whole(1, 3) }, (_, it) => ({
      order: order.order!,
      ...productValues(wish, `${index}${it}-${digits(random, 4)}`),
    }));
    products.push(rows);
  }
  const { first, last } = ownColumns(random);
  const { order, ...rest } = ORDER;
  const sheet = language === 'zh' ? '产品' : 'Products';
  const page = makePage(
    wish,
    language === 'zh' ? '订单' : 'Orders',
    { ...first, order, ...rest, lock: LOCK, ...last },
    orders,
  );
  const { field: _, ...joinKey } = order;
  const joined = makePage(wish, sheet, { order: joinKey, ...PRODUCT }, products);
  const scenario: Scenario = {
    name: 'new_buy joined',
    operation: 'order.new_buy',
    language,
    constants: { ...ENVELOPE, ...BUYER, licenseType: 'softkey', ...at('assets.products.', BOUGHT) },
    implied: {
      orderType: 'new_buy',
      'assets.products.productFeatures': [],
      'assets.products.strictMatchWhenDelete': false,
    },
    each: {
      '': [titleOf(order, language)],
      assets: [titleOf(LOCK, language)],
      'assets.products': { sheet, on: [titleOf(order, language)] },
    },
  };
  return { scenario, page, joined };
}

/** Locks that come back, several to an order, one a row. */
export function deleteAsset(wish: Wish) {
  const { random, language } = wish;
  const { first, last } = ownColumns(random);
  const source: Titled = {
    title: ['Source Order', '原授权单号'],
    field: 'srcLicenseOrderId',
    type: 'identifier',
    level: 'order',
  };
  const count = random.whole(2, 8);
  const records: Record<string, Value>[][] = [];
  let row = 0;
  for (let index = 0; index < count; index += 1) {
    const order = { ...orderValues(wish, index), source: `LO-${digits(random, 8)}` };
    const locks = random.whole(1, 3);
    const rows: Record<string, Value>[] = [];
    for (let each = 0; each < locks; each += 1) {
      row += 1;
      rows.push({ ...order, lock: [lockNumber(wish)], ...ownValues(random, row, language) });
    }
    records.push(rows);
  }
  const scenario: Scenario = {
    name: 'delete_asset',
    operation: 'order.delete_asset',
    language,
    constants: { ...ENVELOPE, ...CUSTOMER, licenseType: 'normal_recover_usbkey' },
    implied: { orderType: 'delete_asset' },
    each: { '': [titleOf(ORDER.order, language)] },
  };
  const titled = { ...first, ...ORDER, source, lock: { ...LOCK, key: false }, ...last };
  return { scenario, page: makePage(wish, language === 'zh' ? '退订' : 'Returns', titled, records) };
}

function titleOf(titled: Titled, language: 'en' | 'zh'): string {
  return titled.title[language === 'zh' ? 1 : 0];
}
