// Sample inputs, made into jobs/data/ by scripts/generate.mjs.

/** By file; each made anew, alike every time. */
export function samples(make) {
  return {
    'new-orders.xlsx': newBuy(make),
    'new-orders-nested.xlsx': multiSheet(make),
    ...inbox(make),
  };
}

function newBuy({ BUYER_HEADERS, LICENCES, PRODUCTS, buyer, buyerCells, day, numbered, people, workbook }) {
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
  return workbook({ Orders: rows });
}

function multiSheet({ LICENCES, PRODUCTS, buyer, buyerCells, day, numbered, people, workbook }) {
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
      ...buyerCells(it),
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
  return workbook({
    订单: orders,
    产品: products,
    特征: features,
    套餐: packages,
  });
}

/** What branches sent in one day, a file each, as they lie in an input folder. */
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
    files[`inbox/2026-11-20-${city}.xlsx`] = workbook({ Orders: rows });
  }
  return files;
}
