// Sample inputs, made into jobs/data/ by scripts/generate.mjs.

/** By file; each made anew, alike every time. */
export function samples(make) {
  return { 'locks-to-enable.csv': paid(make) };
}

function paid({ delimited, numbered, people, textFile }) {
  const they = people(142_831_605);
  const unlock = [['lock_no', 'operator', 'paid_on', 'note']];
  for (let number = 161; number <= 180; number += 1)
    unlock.push([
      numbered('81', number, 8),
      '客服一组',
      `2026-11-${String(they.whole(1, 20)).padStart(2, '0')}`,
      number % 4 === 0 ? '已补缴，"加急"' : '',
    ]);
  for (let number = 101; number <= 120; number += 1)
    unlock.push([numbered('81', number, 8), '客服二组', '2026-11-20', '']);
  return textFile(delimited(unlock, ';'), 'utf-8');
}
