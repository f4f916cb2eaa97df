const RANGES_TOLD = 50;

/** `3, 5-9, 12`. */
export function rowsText(rows: readonly number[]): string {
  const ranges: [number, number][] = [];
  for (const row of rows) {
    const last = ranges.at(-1);
    if (last && row === last[1] + 1) last[1] = row;
    else ranges.push([row, row]);
  }
  const told = ranges
    .slice(0, RANGES_TOLD)
    .map(([from, to]) => (from === to ? String(from) : `${from}-${to}`));
  return [...told, ...(ranges.length > told.length ? ['…'] : [])].join(', ');
}
