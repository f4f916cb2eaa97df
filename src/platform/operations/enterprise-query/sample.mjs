// Sample inputs, made into jobs/data/ by scripts/generate.mjs.

/** By file; each made anew, alike every time. */
export function samples(make) {
  return { 'query-customers.tsv': customers(make) };
}

function customers({ delimited, numbered, textFile }) {
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
