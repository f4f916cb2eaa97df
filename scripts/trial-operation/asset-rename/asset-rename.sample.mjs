/** By file; each made again, alike every time. */
export function samples({ delimited, numbered, people, textFile }) {
  const they = people(11);
  const rows = [['Asset To Label', 'Sticker', 'Seen by']];
  for (let lock = 1; lock <= 20; lock += 1)
    rows.push([numbered('81', lock, 8), `L-${they.digits(4)}`, they.person()]);
  return { 'relabel-assets.csv': textFile(delimited(rows)) };
}
