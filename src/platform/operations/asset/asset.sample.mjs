// Sample inputs; scripts/generate.mjs writes them into jobs/data/.

/** By file; each call creates the same data. */
export function samples(make) {
  return {
    'enterprises-to-list.xlsx': enterprises(make),
    'locks-to-disable.xlsx': overdue(make),
    'locks-to-enable.csv': paid(make),
    'numbers-to-allocate.csv': regions(make),
  };
}

function enterprises({ numbered, people, workbook }) {
  const faker = people(1_691_939_433);
  const list = [['Enterprise ID', 'Extend Code', 'Account Manager']];
  for (let number = 1; number <= 40; number += 1)
    list.push([numbered('ENT-', number), number % 8 === 0 ? 'gxxp' : '', faker.person()]);
  return workbook({ Enterprises: list });
}

function overdue({ day, numbered, people, workbook }) {
  const faker = people(31);
  const rows = [['Customer', 'Locks', 'Operator', 'Overdue since']];
  let lock = 1;
  while (lock <= 96) {
    const count = faker.pick([1, 1, 1, 2, 3]);
    const numbers = Array.from({ length: count }, () => numbered('81', lock++, 8));
    rows.push([
      faker.company(),
      numbers.join('、'),
      'ops@example.com',
      day(2026, faker.whole(6, 10), faker.whole(1, 28)),
    ]);
  }
  return workbook({ Overdue: rows });
}

function paid({ delimited, numbered, people, textFile }) {
  const faker = people(142_831_605);
  const unlock = [['lock_no', 'operator', 'paid_on', 'note']];
  for (let number = 161; number <= 180; number += 1)
    unlock.push([
      numbered('81', number, 8),
      '客服一组',
      `2026-11-${String(faker.whole(1, 20)).padStart(2, '0')}`,
      number % 4 === 0 ? '已补缴，"加急"' : '',
    ]);
  for (let number = 101; number <= 120; number += 1)
    unlock.push([numbered('81', number, 8), '客服二组', '2026-11-20', '']);
  return textFile(delimited(unlock, ';'), 'utf-8');
}

function regions({ delimited, people, textFile }) {
  const faker = people(3_593_403_449);
  const numbers = [['region', 'size', 'requested_by']];
  for (let row = 1; row <= 20; row += 1)
    numbers.push([faker.branch()[1], String(faker.whole(1, 12)), faker.person()]);
  return textFile(delimited(numbers));
}
