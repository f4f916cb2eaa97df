// Sample inputs, made into jobs/data/ by scripts/generate.mjs.

/** By file; each made anew, alike every time. */
export function samples(make) {
  return { 'revoke-assets.xlsx': revocations(make) };
}

function revocations({ BUYER_HEADERS, LICENCES, buyer, numbered, people, shown, workbook }) {
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
  return workbook({ Revocations: assets });
}
