// Sample inputs; scripts/generate.mjs writes them into jobs/data/.

/** By file; each call creates the same data. */
export function samples(make) {
  return { ...purchaseSamples(make), ...assetSamples(make), ...productSamples(make) };
}

function purchaseSamples(make) {
  return {
    'new-orders.xlsx': newBuy(make),
    'new-orders-nested.xlsx': multiSheet(make),
    ...inbox(make),
  };
}

function newBuy({ BUYER_HEADERS, LICENCES, PRODUCTS, buyer, buyerCells, day, numbered, people, workbook }) {
  const faker = people(20261121);
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
    const customerData = buyer(faker, order);
    const licence = faker.pick(LICENCES);
    const start = [2026, faker.whole(11, 12), faker.whole(1, 28)];
    const lines = faker.whole(1, 3);
    const months = faker.pick([12, 24, 36]);
    const offset = faker.whole(0, PRODUCTS.length - 1);
    for (let line = 0; line < lines; line += 1) {
      const [code, name] = PRODUCTS[(offset + line) % PRODUCTS.length];
      const trial = faker.next() < 0.15;
      instance += 1;
      rows.push([
        numbered('SO-2026-', order, 5),
        ...buyerCells(customerData),
        licence,
        numbered('00', 700_000 + order, 8),
        day(...start),
        day(start[0] + months / 12, start[1], start[2]),
        numbered('PI', instance, 7),
        code,
        name,
        day(...start),
        day(start[0] + months / 12, start[1], start[2]),
        faker.pick([1, 1, 1, 5, 10]),
        trial ? '是' : '否',
        trial ? day(2027, 1, 31, 'yyyy"年"m"月"d"日"') : day(2030, 12, 31, 'yyyy"年"m"月"d"日"'),
        months,
      ]);
    }
  }
  return workbook({ Orders: rows });
}

function multiSheet({ LICENCES, PRODUCTS, buyer, buyerCells, day, numbered, people, workbook }) {
  const faker = people(4711);
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
    const customerData = buyer(faker, 100 + order);
    orders.push([
      number,
      ...buyerCells(customerData),
      faker.pick(LICENCES),
      numbered('00', 800_000 + order, 8),
      order % 6 === 0 ? '加急，请当天处理' : '',
    ]);
    for (let line = 0; line < faker.whole(1, 3); line += 1) {
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
        faker.pick([1, 5, 20]),
        faker.next() < 0.1 ? '是' : '否',
        12,
      ]);
      for (let feature = 0; feature < faker.whole(0, 2); feature += 1) {
        features.push([
          id,
          `F${feature + 1}`,
          faker.pick(['云存储', '协同编辑', '历史版本', '接口调用']),
          String(faker.whole(1, 99)),
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
  // The rows of one order need not be adjacent, in either sheet.
  products.push(products.splice(1, 1)[0]);
  return workbook({
    订单: orders,
    产品: products,
    特征: features,
    套餐: packages,
  });
}

/** The files of several branches from one day, as in an input folder. */
function inbox({ BUYER_HEADERS, LICENCES, PRODUCTS, buyer, buyerCells, day, numbered, people, workbook }) {
  const branches = [
    ['beijing', 'BJ', 11, '北京分公司', 9],
    ['guangzhou', 'GZ', 44, '广东分公司', 7],
    ['shanghai', 'SH', 21, '上海分公司', 12],
  ];
  const files = {};
  let customer = 700;
  let instance = 90_000;
  for (const [city, prefix, code, name, orders] of branches) {
    const faker = people(20261120 + code);
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
      const customerData = { ...buyer(faker, customer), branchCode: code, branchName: name };
      const licence = faker.pick(LICENCES);
      const months = faker.pick([12, 24]);
      const seller = faker.person();
      const offset = faker.whole(0, PRODUCTS.length - 1);
      for (let line = 0; line < faker.pick([1, 1, 2]); line += 1) {
        const [uri, product] = PRODUCTS[(offset + line) % PRODUCTS.length];
        instance += 1;
        rows.push([
          numbered(`${prefix}-20261120-`, order, 3),
          ...buyerCells(customerData),
          licence,
          numbered('00', 900_000 + customer, 8),
          numbered('PI', instance, 7),
          uri,
          product,
          day(2026, 12, 1),
          day(2026 + months / 12, 11, 30),
          faker.pick([1, 1, 3, 5]),
          seller,
        ]);
      }
    }
    files[`inbox/2026-11-20-${city}.xlsx`] = workbook({ Orders: rows });
  }
  return files;
}

function assetSamples(make) {
  return { 'revoke-assets.xlsx': assetRevocations(make) };
}

function customerCells({ name, channel, admin, account, email, adminMobile, type }) {
  return [name, channel, admin, account, email, adminMobile, type];
}

function assetRevocations({ BUYER_HEADERS, LICENCES, buyer, numbered, people, shown, workbook }) {
  const faker = people(99);
  const assets = [
    [
      'Order No',
      ...BUYER_HEADERS.slice(2).filter((header) => !['Password Mobile', 'Address'].includes(header)),
      'Licence Type',
      'Source Order',
      'Asset No',
    ],
  ];
  for (let order = 1; order <= 30; order += 1) {
    const customerData = buyer(faker, order);
    assets.push([
      numbered('RV-', order, 5),
      ...customerCells(customerData),
      shown(customerData.branchCode, '0000'),
      customerData.branchName,
      customerData.enterprise,
      LICENCES[0],
      numbered('LO-SEED-', order),
      numbered('82', order, 8),
    ]);
  }
  return workbook({ Revocations: assets });
}

function productSamples(make) {
  return { 'revoke-products.csv': productRevocations(make) };
}

function productRevocations({ buyer, delimited, numbered, people, textFile }) {
  const faker = people(3_531_805_532);
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
    const customerData = buyer(faker, order);
    products.push([
      numbered('RP-', order, 5),
      ...customerCells(customerData),
      String(customerData.branchCode).padStart(4, '0'),
      customerData.branchName,
      customerData.enterprise,
      'normal_recover_usbkey',
      numbered('LO-SEED-', order),
      numbered('82', order, 8),
      `CRMP-${String(order).padStart(4, '0')}-1`,
      numbered('P-', ((order - 1) % 20) + 1),
      'false',
    ]);
  }
  return textFile(delimited(products));
}
