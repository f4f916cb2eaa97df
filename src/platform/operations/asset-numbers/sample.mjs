// Sample inputs, made into jobs/data/ by scripts/generate.mjs.

/** By file; each made anew, alike every time. */
export function samples(make) {
  return { 'numbers-to-allocate.csv': regions(make) };
}

function regions({ delimited, people, textFile }) {
  const they = people(3_593_403_449);
  const numbers = [['region', 'size', 'requested_by']];
  for (let row = 1; row <= 20; row += 1)
    numbers.push([they.branch()[1], String(they.whole(1, 12)), they.person()]);
  return textFile(delimited(numbers));
}
