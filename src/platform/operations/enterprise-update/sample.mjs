// Sample inputs, made into jobs/data/ by scripts/generate.mjs.

/** By file; each made anew, alike every time. */
export function samples(make) {
  return { 'update-customers.xlsx': changes(make) };
}

function changes({ buyer, day, people, workbook }) {
  const they = people(4_202_798_988);
  const update = [['CRM Customer', 'New Name', 'Branch', 'New Address', 'Changed On']];
  for (let number = 1; number <= 35; number += 1) {
    const it = buyer(they, number);
    update.push([it.crm, it.name, it.branchName, it.address, day(2026, 11, they.whole(1, 20))]);
  }
  return workbook({ Changes: update });
}
