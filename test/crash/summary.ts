import type { Reported } from './driver.js';

/**
 * The figures of many stories, as lines for people. `broken`: for each story that ended badly the orders that were
 * executed again, as far as that is known; a story that went well has none, or it would have ended badly.
 */
export function summary(
  reported: readonly Reported[],
  broken: readonly (number | undefined)[],
  ms: number,
): string {
  const kills = reported.flatMap((it) => it.kills);
  const sum = (of: (it: Reported) => number): number => reported.reduce((total, it) => total + of(it), 0);
  const unknown = reported.map((it) => it.unknown).sort((a, b) => a - b);
  const allowed = reported.map(({ story, kills: its }) => its.length * story.concurrency * story.batch);
  const twice = broken.reduce<number>((total, it) => total + (it ?? 0), 0);
  const unreported = broken.filter((it) => it === undefined).length;
  return [
    `runs ${reported.length + broken.length}, broken promises in ${broken.length}, ${Math.round(ms / 1000)} s`,
    ...(broken.length === 0 ? [] : [`all but the last line is of the ${reported.length} others`]),
    `orders ${sum((it) => it.story.orders)}, carried out ${sum((it) => it.carriedOut)}, requests ${sum((it) => it.requests)}`,
    `kills ${kills.length} (${sum((it) => it.missed)} more came too late)`,
    `  by the run's state: ${tally(kills.map((it) => it.state))}`,
    `  at named points: ${tally(kills.flatMap((it) => it.point ?? []))}`,
    `faults injected ${sum((it) => it.faults)}, connections to the ledger broken ${sum((it) => it.cuts)}`,
    `unknown a run: least ${unknown[0] ?? 0}, median ${unknown[unknown.length >> 1] ?? 0}, most ${unknown.at(-1) ?? 0}` +
      ` (kills alone allow up to ${Math.max(0, ...allowed)})`,
    `of the unknown, carried out all the same: ${sum((it) => it.unknownDone)} of ${sum((it) => it.unknown)}`,
    `orders carried out twice ${twice}${unreported === 0 ? '' : ` (in ${unreported} runs it could not be told)`}`,
  ].join('\n');
}

function tally(words: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  const parts = [...counts].sort(([, a], [, b]) => b - a).map(([word, count]) => `${word} ${count}`);
  return parts.join(', ') || 'none';
}
