import type { Scenario, Value } from '../sheet.js';
import { branch, company, digits, street } from '../words.js';
import { makePage, ownColumns, ownValues, type Titled, type Wish } from './make.js';

const NONE = { constants: {}, implied: {}, each: {} } as const;

/** Locks that the sandbox knows and lets be disabled; a cell may name several. */
export function lockLocks(wish: Wish) {
  const { random, language } = wish;
  const titled: Record<string, Titled> = {
    ...ownColumns(random).first,
    locks: {
      title: ['Locks', '锁号'],
      field: 'assetNums',
      type: 'lock',
      level: 'order',
      key: true,
      list: true,
    },
    operator: { title: ['Operator', '操作人'], field: 'operatorIdentity', type: 'word', level: 'order' },
    reason: { title: ['Reason', '原因'], type: 'word', level: 'order', optional: true },
  };
  const numbers = random.shuffled(Array.from({ length: 120 }, (_, index) => 8_100_000_001 + index));
  const records: Record<string, Value>[][] = [];
  const rows = random.whole(3, 14);
  for (let row = 1; row <= rows; row += 1) {
    const many = random.chance(0.3) ? random.whole(2, 4) : 1;
    records.push([
      {
        locks: numbers.splice(0, many).map(String),
        operator: random.pick(['13800000001', 'ops@example.com', '王芳']),
        reason: random.pick(language === 'zh' ? ['欠费', '丢失'] : ['overdue', 'lost']),
        ...ownValues(random, row, language),
      },
    ]);
  }
  const what = random.pick(['lock', 'unlock']);
  const scenario: Scenario = { name: what, operation: `asset.${what}`, language, ...NONE };
  return { scenario, page: makePage(wish, language === 'zh' ? '停用' : 'Overdue', titled, records) };
}

const CUSTOMER = {
  crm: {
    title: ['CRM Customer', 'CRM客户号'],
    field: 'crmCustomerId',
    type: 'identifier',
    level: 'order',
    key: true,
  },
  name: { title: ['Customer Name', '客户名称'], field: 'customerName', type: 'name', level: 'order' },
  branch: { title: ['Branch', '分公司'], field: 'branchName', type: 'name', level: 'order' },
  address: { title: ['Address', '地址'], field: 'address', type: 'name', level: 'order', optional: true },
} as const satisfies Record<string, Titled>;

/** New main accounts, or changes of known ones. */
export function customers(wish: Wish, what: 'create' | 'update') {
  const { random, language } = wish;
  const mapless = random.chance(0.3);
  const { first, last } = ownColumns(random);
  const titled = { ...first, ...CUSTOMER, ...last };
  const known = random.shuffled(Array.from({ length: 200 }, (_, index) => index + 1));
  const records: Record<string, Value>[][] = [];
  const rows = random.whole(2, 12);
  for (let row = 1; row <= rows; row += 1) {
    const crm =
      what === 'update'
        ? `CRM-${String(known.pop()).padStart(4, '0')}`
        : `${random.pick(['0', '2', 'C'])}${digits(random, 7)}`;
    records.push([
      {
        crm,
        name: `${company(random, language)}${row}`,
        branch: branch(random, language),
        ...(random.chance(0.8) ? { address: street(random, language) } : {}),
        ...ownValues(random, row, language),
      },
    ]);
  }
  const scenario: Scenario = { name: what, operation: `enterprise.${what}`, language, mapless, ...NONE };
  const sheet = language === 'zh' ? '客户' : 'Customers';
  return { scenario, page: makePage(wish, sheet, mapless ? byField(titled) : titled, records) };
}

/** Customers of a channel to their main accounts. */
export function bindCustomers(wish: Wish) {
  const { random, language } = wish;
  const { first, last } = ownColumns(random);
  const titled = {
    ...first,
    channel: {
      title: ['Channel', '渠道'],
      field: 'channelCode',
      type: 'identifier',
      level: 'order',
      key: true,
    },
    customer: {
      title: ['Customer No', '客户编号'],
      field: 'channelCustomerId',
      type: 'identifier',
      level: 'order',
      key: true,
    },
    name: CUSTOMER.name,
    branch: CUSTOMER.branch,
    enterprise: {
      title: ['Enterprise', '企业'],
      field: 'enterpriseName',
      type: 'name',
      level: 'order',
    },
    phone: {
      title: ['Security Phone', '安全手机'],
      field: 'passwordMobile',
      type: 'identifier',
      level: 'order',
    },
    ...last,
  } as const satisfies Record<string, Titled>;
  const records: Record<string, Value>[][] = [];
  const rows = random.whole(2, 10);
  for (let row = 1; row <= rows; row += 1) {
    records.push([
      {
        channel: random.pick(['CH01', '02']),
        customer: `0${digits(random, 7)}`,
        name: company(random, language),
        branch: branch(random, language),
        enterprise: company(random, language),
        phone: `13${digits(random, 9)}`,
        ...ownValues(random, row, language),
      },
    ]);
  }
  const mapless = random.chance(0.3);
  const scenario: Scenario = { name: 'bind', operation: 'enterprise.bind', language, mapless, ...NONE };
  const sheet = language === 'zh' ? '客户' : 'Customers';
  return { scenario, page: makePage(wish, sheet, mapless ? byField(titled) : titled, records) };
}

/** Who takes part in what. */
export function participants(wish: Wish) {
  const { random, language } = wish;
  const { first, last } = ownColumns(random);
  const titled: Record<string, Titled> = {
    ...first,
    who: {
      title: ['Participant', '参与人'],
      field: 'identity',
      type: 'identifier',
      level: 'order',
      key: true,
    },
    what: {
      title: ['Activity', '活动'],
      field: 'activityLabel',
      type: 'identifier',
      level: 'order',
      key: true,
    },
    source: { title: ['Source', '来源'], field: 'source', type: 'word', level: 'order' },
    branch: CUSTOMER.branch,
    ...last,
  };
  titled.branch = { ...CUSTOMER.branch, field: 'branch' };
  const rows = random.whole(2, 9);
  const records = Array.from({ length: rows }, (_, row) => [
    {
      who: `13${digits(random, 9)}`,
      what: random.pick(['spring-gift', 'cloud-trial']),
      source: 'crm.example.com',
      branch: branch(random, language),
      ...ownValues(random, row + 1, language),
    },
  ]);
  const scenario: Scenario = { name: 'participate', operation: 'activity.participate', language, ...NONE };
  return { scenario, page: makePage(wish, language === 'zh' ? '名单' : 'People', titled, records) };
}

/** How many numbers each branch requires. */
export function numbers(wish: Wish) {
  const { random, language } = wish;
  const titled: Record<string, Titled> = {
    branch: { title: ['Branch', '分公司'], type: 'word', level: 'order' },
    size: { title: ['Quantity', '数量'], field: 'size', type: 'whole', level: 'order', key: true },
    remark: { title: ['Remark', '备注'], type: 'word', level: 'order', optional: true },
  };
  const records = Array.from({ length: random.whole(2, 8) }, () => [
    { branch: branch(random, language), size: random.whole(1, 30) },
  ]);
  const scenario: Scenario = { name: 'numbers', operation: 'asset.numbers', language, ...NONE };
  return { scenario, page: makePage(wish, language === 'zh' ? '申请' : 'Requests', titled, records) };
}

/** Headers that are the fields' own names need no map. */
function byField(titled: Readonly<Record<string, Titled>>): Record<string, Titled> {
  return Object.fromEntries(
    Object.entries(titled).map(([name, it]) => [
      name,
      it.field === undefined ? it : { ...it, title: [it.field, it.field] as const },
    ]),
  );
}
