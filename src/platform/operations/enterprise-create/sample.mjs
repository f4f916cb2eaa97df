// Sample inputs, made into jobs/data/ by scripts/generate.mjs.

/** By file; each made anew, alike every time. */
export function samples(make) {
  return customers(make);
}

function customers({ buyer, delimited, numbered, people, textFile }) {
  const they = people(3_744_478_552);
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
  const other = create.map((row, index) => (index === 0 ? row : [`9${row[0].slice(1)}`, ...row.slice(1)]));
  return {
    'create-customers.csv': textFile(delimited(create)),
    'create-customers-gb18030.csv': textFile(delimited(other), 'gb18030'),
  };
}
