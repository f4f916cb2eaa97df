// Sample inputs; scripts/generate.mjs writes them into jobs/data/.

/** By file; each call creates the same data. */
export function samples(make) {
  return { ...bindSamples(make), ...createSamples(make), ...querySamples(make), ...updateSamples(make) };
}

function bindSamples(make) {
  return { 'bind-customers.xlsx': bindings(make) };
}

function bindings({ buyer, people, workbook }) {
  const faker = people(7);
  const bind = [['Channel', 'Channel Customer', 'Customer Name', 'Branch', 'Enterprise', 'Security Phone']];
  for (let number = 501; number <= 540; number += 1) {
    const customerData = buyer(faker, number);
    bind.push([
      'CH01',
      customerData.channel,
      customerData.name,
      customerData.branchName,
      `${customerData.name}主账号`,
      customerData.passwordMobile,
    ]);
  }
  return workbook({ Customers: bind });
}

function createSamples(make) {
  return createdCustomers(make);
}

function createdCustomers({ buyer, delimited, numbered, people, textFile }) {
  const faker = people(3_744_478_552);
  const create = [['CRM客户号', '客户名称', '分公司', '地址', '建档日期']];
  for (let number = 601; number <= 650; number += 1) {
    const customerData = buyer(faker, number);
    const address =
      number % 7 === 0 ? `${customerData.address}\r\n（收件请注明“授权”）` : customerData.address;
    create.push([
      numbered('00', number, 6),
      customerData.name,
      customerData.branchName,
      address,
      `2026/${faker.whole(1, 10)}/${faker.whole(1, 28)}`,
    ]);
  }
  const other = create.map((row, index) => (index === 0 ? row : [`9${row[0].slice(1)}`, ...row.slice(1)]));
  return {
    'create-customers.csv': textFile(delimited(create)),
    'create-customers-gb18030.csv': textFile(delimited(other), 'gb18030'),
  };
}

function querySamples(make) {
  return { 'query-customers.tsv': queriedCustomers(make) };
}

function queriedCustomers({ delimited, numbered, textFile }) {
  const query = [['channelCode', 'channelCustomerId', 'defaultCustomer', 'remark']];
  for (let number = 1; number <= 40; number += 1)
    query.push([
      'CH01',
      numbered('CH-', number),
      number % 5 === 0 ? 'Y' : 'N',
      number % 9 === 0 ? '重点客户' : '',
    ]);
  return textFile(delimited(query, '\t'), 'utf-16le');
}

function updateSamples(make) {
  return { 'update-customers.xlsx': changes(make) };
}

function changes({ buyer, day, people, workbook }) {
  const faker = people(4_202_798_988);
  const update = [['CRM Customer', 'New Name', 'Branch', 'New Address', 'Changed On']];
  for (let number = 1; number <= 35; number += 1) {
    const customerData = buyer(faker, number);
    update.push([
      customerData.crm,
      customerData.name,
      customerData.branchName,
      customerData.address,
      day(2026, 11, faker.whole(1, 20)),
    ]);
  }
  return workbook({ Changes: update });
}
