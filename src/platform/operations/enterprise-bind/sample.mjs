// Sample inputs, made into jobs/data/ by scripts/generate.mjs.

/** By file; each made anew, alike every time. */
export function samples(make) {
  return { 'bind-customers.xlsx': bindings(make) };
}

function bindings({ buyer, people, workbook }) {
  const they = people(7);
  const bind = [['Channel', 'Channel Customer', 'Customer Name', 'Branch', 'Enterprise', 'Security Phone']];
  for (let number = 501; number <= 540; number += 1) {
    const it = buyer(they, number);
    bind.push(['CH01', it.channel, it.name, it.branchName, `${it.name}主账号`, it.passwordMobile]);
  }
  return workbook({ Customers: bind });
}
