// Makes the sample inputs under jobs/data/. Run: node scripts/make-samples.mjs
import { fileURLToPath } from 'node:url';
import { drift } from './sample-drift.mjs';
import { day, delimited, shown, textFile, workbook } from './sample-files.mjs';
import { officeReturns } from './sample-office.mjs';
import { numbered, people } from './sample-people.mjs';

const at = (name) => fileURLToPath(new URL(`../jobs/data/${name}`, import.meta.url));

const LICENCES = ['单机锁(可回收)', '网络锁(可回收)', '单机锁(不可回收)', '云账号', '企业云授权'];
const PRODUCTS = [
  ['gcj', '土建计量平台', 'P-GCJ'],
  ['gjg', '钢筋算量软件', 'P-GJG'],
  ['gbq', '云计价平台', 'P-GBQ'],
  ['gsc', '市政算量软件', 'P-GSC'],
  ['gzb', '招标管理系统', 'P-GZB'],
];

function buyer(they, number) {
  const [branchCode, branchName] = they.branch();
  const admin = they.person();
  const company = they.next() < 0.85;
  return {
    customerId: numbered('LC', number),
    crm: numbered('CRM-', number),
    name: company ? they.company() : they.person(),
    channel: numbered('00', number, 6),
    admin,
    account: numbered('admin', number),
    email: `${numbered('admin', number)}@example.com`,
    adminMobile: they.mobile(),
    passwordMobile: they.mobile(),
    address: they.address(),
    type: company ? '企业' : '个人',
    branchCode,
    branchName,
    enterprise: numbered('ENT-', number),
  };
}

const BUYER_HEADERS = [
  'License Customer',
  'CRM Customer',
  'Customer Name',
  'Channel Customer',
  'Admin',
  'Admin Account',
  'Admin E-mail',
  'Admin Mobile',
  'Password Mobile',
  'Address',
  'Customer Type',
  'Branch Code',
  'Branch',
  'Enterprise ID',
];
const buyerCells = (it) => [
  it.customerId,
  it.crm,
  it.name,
  it.channel,
  it.admin,
  it.account,
  it.email,
  it.adminMobile,
  it.passwordMobile,
  it.address,
  it.type,
  shown(it.branchCode, '0000'),
  it.branchName,
  it.enterprise,
];

async function newBuy() {
  const they = people(20261121);
  const rows = [
    [
      'Order No',
      ...BUYER_HEADERS,
      'Licence Type',
      'Asset No',
      'Asset From',
      'Asset Until',
      'Product Instance',
      'Product Code',
      'Product Name',
      'Valid From',
      'Valid Until',
      'Nodes',
      'Trial',
      'Trial Until',
      'Months',
    ],
  ];
  let instance = 10_000;
  for (let order = 1; order <= 40; order += 1) {
    const it = buyer(they, order);
    const licence = they.pick(LICENCES);
    const start = [2026, they.whole(11, 12), they.whole(1, 28)];
    const lines = they.whole(1, 3);
    const months = they.pick([12, 24, 36]);
    const offset = they.whole(0, PRODUCTS.length - 1);
    for (let line = 0; line < lines; line += 1) {
      const [code, name] = PRODUCTS[(offset + line) % PRODUCTS.length];
      const trial = they.next() < 0.15;
      instance += 1;
      rows.push([
        numbered('SO-2026-', order, 5),
        ...buyerCells(it),
        licence,
        numbered('00', 700_000 + order, 8),
        day(...start),
        day(start[0] + months / 12, start[1], start[2]),
        numbered('PI', instance, 7),
        code,
        name,
        day(...start),
        day(start[0] + months / 12, start[1], start[2]),
        they.pick([1, 1, 1, 5, 10]),
        trial ? '是' : '否',
        trial ? day(2027, 1, 31, 'yyyy"年"m"月"d"日"') : day(2030, 12, 31, 'yyyy"年"m"月"d"日"'),
        months,
      ]);
    }
  }
  await workbook(at('new-orders.xlsx'), { Orders: rows });
}

async function multiSheet() {
  const they = people(4711);
  const orders = [
    [
      '订单号',
      '许可客户',
      'CRM客户号',
      '客户名称',
      '渠道客户号',
      '管理员',
      '管理员账号',
      '管理员邮箱',
      '管理员手机',
      '密码手机',
      '地址',
      '客户类型',
      '分支代码',
      '分支名称',
      '企业账号',
      '授权类型',
      '锁号',
      '备注',
    ],
  ];
  const products = [
    ['订单号', '产品实例', '产品标识', '产品名称', '起始日期', '截止日期', '节点数', '试用', '月数'],
  ];
  const features = [['产品实例', '特征码', '特征名称', '特征值', '值类型']];
  const packages = [
    [
      '订单号',
      '套餐实例',
      '套餐编号',
      '套餐名称',
      '上级套餐',
      '产品实例',
      '产品标识',
      '产品名称',
      '节点数',
      '月数',
    ],
  ];
  let instance = 50_000;
  for (let order = 1; order <= 24; order += 1) {
    const number = numbered('DD-', order, 6);
    const it = buyer(they, 100 + order);
    orders.push([
      number,
      it.customerId,
      it.crm,
      it.name,
      it.channel,
      it.admin,
      it.account,
      it.email,
      it.adminMobile,
      it.passwordMobile,
      it.address,
      it.type,
      shown(it.branchCode, '0000'),
      it.branchName,
      it.enterprise,
      they.pick(LICENCES),
      numbered('00', 800_000 + order, 8),
      order % 6 === 0 ? '加急，请当天处理' : '',
    ]);
    for (let line = 0; line < they.whole(1, 3); line += 1) {
      const [code, name] = PRODUCTS[(order + line) % PRODUCTS.length];
      instance += 1;
      const id = numbered('PI', instance, 7);
      products.push([
        number,
        id,
        code,
        name,
        day(2026, 12, 1),
        day(2027, 11, 30),
        they.pick([1, 5, 20]),
        they.next() < 0.1 ? '是' : '否',
        12,
      ]);
      for (let feature = 0; feature < they.whole(0, 2); feature += 1) {
        features.push([
          id,
          `F${feature + 1}`,
          they.pick(['云存储', '协同编辑', '历史版本', '接口调用']),
          String(they.whole(1, 99)),
          'number',
        ]);
      }
    }
    if (order % 4 === 0) {
      const [code, name] = PRODUCTS[order % PRODUCTS.length];
      instance += 1;
      packages.push([
        number,
        numbered('PK', order, 5),
        numbered('TC-', order, 4),
        `${name}年度套餐`,
        'TC-ROOT',
        numbered('PI', instance, 7),
        code,
        name,
        5,
        12,
      ]);
    }
  }
  // The rows of one order need not stand together, in whichever sheet.
  products.push(products.splice(1, 1)[0]);
  await workbook(at('new-orders-nested.xlsx'), {
    订单: orders,
    产品: products,
    特征: features,
    套餐: packages,
  });
}

/** What branches sent in one day, a file each, as they lie in an input folder. */
async function inbox() {
  const branches = [
    ['beijing', 'BJ', 11, '北京分公司', 9],
    ['guangzhou', 'GZ', 44, '广东分公司', 7],
    ['shanghai', 'SH', 21, '上海分公司', 12],
  ];
  let customer = 700;
  let instance = 90_000;
  for (const [city, prefix, code, name, orders] of branches) {
    const they = people(20261120 + code);
    const rows = [
      [
        'Order No',
        ...BUYER_HEADERS,
        'Licence Type',
        'Asset No',
        'Product Instance',
        'Product Code',
        'Product Name',
        'Valid From',
        'Valid Until',
        'Nodes',
        'Sales Person',
      ],
    ];
    for (let order = 1; order <= orders; order += 1) {
      customer += 1;
      const it = { ...buyer(they, customer), branchCode: code, branchName: name };
      const licence = they.pick(LICENCES);
      const months = they.pick([12, 24]);
      const seller = they.person();
      const offset = they.whole(0, PRODUCTS.length - 1);
      for (let line = 0; line < they.pick([1, 1, 2]); line += 1) {
        const [uri, product] = PRODUCTS[(offset + line) % PRODUCTS.length];
        instance += 1;
        rows.push([
          numbered(`${prefix}-20261120-`, order, 3),
          ...buyerCells(it),
          licence,
          numbered('00', 900_000 + customer, 8),
          numbered('PI', instance, 7),
          uri,
          product,
          day(2026, 12, 1),
          day(2026 + months / 12, 11, 30),
          they.pick([1, 1, 3, 5]),
          seller,
        ]);
      }
    }
    await workbook(at(`inbox/2026-11-20-${city}.xlsx`), { Orders: rows });
  }
}

async function deletions() {
  const they = people(99);
  const assets = [
    [
      'Order No',
      ...BUYER_HEADERS.slice(2).filter((it) => !['Password Mobile', 'Address'].includes(it)),
      'Licence Type',
      'Source Order',
      'Asset No',
    ],
  ];
  for (let order = 1; order <= 30; order += 1) {
    const it = buyer(they, order);
    assets.push([
      numbered('RV-', order, 5),
      it.name,
      it.channel,
      it.admin,
      it.account,
      it.email,
      it.adminMobile,
      it.type,
      shown(it.branchCode, '0000'),
      it.branchName,
      it.enterprise,
      LICENCES[0],
      numbered('LO-SEED-', order),
      numbered('82', order, 8),
    ]);
  }
  await workbook(at('revoke-assets.xlsx'), { Revocations: assets });

  const products = [
    [
      'order_no',
      'customer',
      'channel_customer',
      'admin',
      'account',
      'email',
      'mobile',
      'type',
      'branch_code',
      'branch',
      'enterprise',
      'licence_type',
      'source_order',
      'asset',
      'product_instance',
      'product_uri',
      'strict',
    ],
  ];
  for (let order = 31; order <= 60; order += 1) {
    const it = buyer(they, order);
    products.push([
      numbered('RP-', order, 5),
      it.name,
      it.channel,
      it.admin,
      it.account,
      it.email,
      it.adminMobile,
      it.type,
      String(it.branchCode).padStart(4, '0'),
      it.branchName,
      it.enterprise,
      'normal_recover_usbkey',
      numbered('LO-SEED-', order),
      numbered('82', order, 8),
      `CRMP-${String(order).padStart(4, '0')}-1`,
      numbered('P-', ((order - 1) % 20) + 1),
      'false',
    ]);
  }
  await textFile(at('revoke-products.csv'), delimited(products));
}

async function enterprises() {
  const they = people(7);
  const bind = [['Channel', 'Channel Customer', 'Customer Name', 'Branch', 'Enterprise', 'Security Phone']];
  for (let number = 501; number <= 540; number += 1) {
    const it = buyer(they, number);
    bind.push(['CH01', it.channel, it.name, it.branchName, `${it.name}主账号`, it.passwordMobile]);
  }
  await workbook(at('bind-customers.xlsx'), { Customers: bind });

  const create = [['CRM客户号', '客户名称', '分公司', '地址', '建档日期']];
  for (let number = 601; number <= 650; number += 1) {
    const it = buyer(they, number);
    const address = number % 7 === 0 ? `${it.address}\r\n（收件请注明“授权”）` : it.address;
    create.push([
      numbered('00', number, 6),
      it.name,
      it.branchName,
      address,
      `2026/${they.whole(1, 10)}/${they.whole(1, 28)}`,
    ]);
  }
  await textFile(at('create-customers.csv'), delimited(create));
  await textFile(
    at('create-customers-gb18030.csv'),
    delimited(create.map((row, index) => (index === 0 ? row : [`9${row[0].slice(1)}`, ...row.slice(1)]))),
    'gb18030',
  );

  const query = [['channelCode', 'channelCustomerId', 'defaultCustomer', 'remark']];
  for (let number = 1; number <= 40; number += 1)
    query.push([
      'CH01',
      numbered('CH-', number),
      number % 5 === 0 ? 'Y' : 'N',
      number % 9 === 0 ? '重点客户' : '',
    ]);
  await textFile(at('query-customers.tsv'), delimited(query, '\t'), 'utf-16le');

  const update = [['CRM Customer', 'New Name', 'Branch', 'New Address', 'Changed On']];
  for (let number = 1; number <= 35; number += 1) {
    const it = buyer(they, number);
    update.push([it.crm, it.name, it.branchName, it.address, day(2026, 11, they.whole(1, 20))]);
  }
  await workbook(at('update-customers.xlsx'), { Changes: update });
}

async function locks() {
  const they = people(31);
  const rows = [['Customer', 'Locks', 'Operator', 'Overdue since']];
  let lock = 1;
  while (lock <= 96) {
    const count = they.pick([1, 1, 1, 2, 3]);
    const numbers = Array.from({ length: count }, () => numbered('81', lock++, 8));
    rows.push([
      they.company(),
      numbers.join('、'),
      'ops@example.com',
      day(2026, they.whole(6, 10), they.whole(1, 28)),
    ]);
  }
  await workbook(at('locks-to-disable.xlsx'), { Overdue: rows });

  const unlock = [['lock_no', 'operator', 'paid_on', 'note']];
  for (let number = 161; number <= 180; number += 1)
    unlock.push([
      numbered('81', number, 8),
      '客服一组',
      `2026-11-${String(they.whole(1, 20)).padStart(2, '0')}`,
      number % 4 === 0 ? '已补缴，"加急"' : '',
    ]);
  for (let number = 101; number <= 120; number += 1)
    unlock.push([numbered('81', number, 8), '客服二组', '2026-11-20', '']);
  await textFile(at('locks-to-enable.csv'), delimited(unlock, ';'), 'utf-8');

  const list = [['Enterprise ID', 'Extend Code', 'Account Manager']];
  for (let number = 1; number <= 40; number += 1)
    list.push([numbered('ENT-', number), number % 8 === 0 ? 'gxxp' : '', they.person()]);
  await workbook(at('enterprises-to-list.xlsx'), { Enterprises: list });

  const numbers = [['region', 'size', 'requested_by']];
  for (let row = 1; row <= 20; row += 1)
    numbers.push([they.branch()[1], String(they.whole(1, 12)), they.person()]);
  await textFile(at('numbers-to-allocate.csv'), delimited(numbers));
}

async function activities() {
  const they = people(2027);
  const rows = [['Participant', 'Activity', 'Source', 'Branch', 'Signed up']];
  for (let row = 1; row <= 45; row += 1) {
    const identity =
      row % 3 === 0 ? numbered('81', row, 8) : row % 3 === 1 ? they.mobile() : `user${row}@example.com`;
    rows.push([
      identity,
      they.pick(['spring-gift-2027', 'cloud-trial-90', 'training-bonus']),
      'crm.example.com',
      they.branch()[1],
      day(2026, 11, they.whole(1, 20)),
    ]);
  }
  await workbook(at('activity-participants.xlsx'), { Participants: rows });
}

await newBuy();
await multiSheet();
await inbox();
await deletions();
await enterprises();
await locks();
await activities();
await drift(at);
await officeReturns(at('office-returns.xlsx'));
