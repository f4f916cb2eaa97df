/** Row numbers as ascending ranges, both ends included: a million consecutive rows are one pair. */
export type RowRanges = readonly (readonly [first: number, last: number])[];

/** The ranges of some row numbers, in any order. */
export function rangesOf(rows: Iterable<number>): RowRanges {
  const ranges: [number, number][] = [];
  for (const row of Uint32Array.from(rows).sort()) {
    const last = ranges.at(-1);
    if (last && row <= last[1] + 1) last[1] = row;
    else ranges.push([row, row]);
  }
  return ranges;
}

export function inRanges(ranges: RowRanges): (row: number) => boolean {
  return (row) => {
    let low = 0;
    let high = ranges.length - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const [first, last] = ranges[middle]!;
      if (row < first) high = middle - 1;
      else if (row > last) low = middle + 1;
      else return true;
    }
    return false;
  };
}
