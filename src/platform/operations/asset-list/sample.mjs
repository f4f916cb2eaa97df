// Sample inputs, made into jobs/data/ by scripts/generate.mjs.

/** By file; each made anew, alike every time. */
export function samples(make) {
  return { 'enterprises-to-list.xlsx': enterprises(make) };
}

function enterprises({ numbered, people, workbook }) {
  const they = people(1_691_939_433);
  const list = [['Enterprise ID', 'Extend Code', 'Account Manager']];
  for (let number = 1; number <= 40; number += 1)
    list.push([numbered('ENT-', number), number % 8 === 0 ? 'gxxp' : '', they.person()]);
  return workbook({ Enterprises: list });
}
