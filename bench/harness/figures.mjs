export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** Figure by figure, over the rounds of one program. */
export function medians(trials) {
  return Object.fromEntries(
    Object.keys(trials[0]).map((name) => [name, median(trials.map((it) => it[name]))]),
  );
}

/**
 * How the medians stand to the measure's goals.
 * @param of medians by program; a goal that needs one that wasn't run has no value
 */
export function judge(goals, of, setting) {
  return goals.map(({ text, limit, sense, value }) => {
    const found = attempt(() => value(of, setting));
    if (found === undefined || !Number.isFinite(found)) return { text, sense, limit };
    const met = sense === 'most' ? found <= limit : found >= limit;
    return { text, sense, limit, value: found, met };
  });
}

function attempt(compute) {
  try {
    return compute();
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}
