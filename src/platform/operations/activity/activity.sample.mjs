// Sample inputs; scripts/generate.mjs writes them into jobs/data/.

/** By file; each call creates the same data. */
export function samples(make) {
  return { 'activity-participants.xlsx': participants(make) };
}

function participants({ day, numbered, people, workbook }) {
  const faker = people(2027);
  const rows = [['Participant', 'Activity', 'Source', 'Branch', 'Signed up']];
  for (let row = 1; row <= 45; row += 1) {
    const identity =
      row % 3 === 0 ? numbered('81', row, 8) : row % 3 === 1 ? faker.mobile() : `user${row}@example.com`;
    rows.push([
      identity,
      faker.pick(['spring-gift-2027', 'cloud-trial-90', 'training-bonus']),
      'crm.example.com',
      faker.branch()[1],
      day(2026, 11, faker.whole(1, 20)),
    ]);
  }
  return workbook({ Participants: rows });
}
