// Sample inputs, made into jobs/data/ by scripts/generate.mjs.

/** By file; each made anew, alike every time. */
export function samples(make) {
  return { 'revoke-products.csv': revocations(make) };
}

function revocations({ buyer, delimited, numbered, people, textFile }) {
  const they = people(3_531_805_532);
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
  return textFile(delimited(products));
}
