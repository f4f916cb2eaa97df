// Sample inputs, made into jobs/data/ by scripts/generate.mjs.

/** By file; each made anew, alike every time. */
export function samples(make) {
  return { 'locks-to-disable.xlsx': overdue(make) };
}

function overdue({ day, numbered, people, workbook }) {
  const they = people(31);
  const rows = [['Customer', 'Locks', 'Operator', 'Overdue since']];
  let lock = 1;
  while (lock <= 96) {
    const count = they.pick([1, 1, 1, 2, 3]);
    const numbers = Array.from({ length: count }, () => numbered('81', lock++, 8));
    rows.push([
      they.company(),
      numbers.join('、'),
      'ops@example.com',
      day(2026, they.whole(6, 10), they.whole(1, 28)),
    ]);
  }
  return workbook({ Overdue: rows });
}
