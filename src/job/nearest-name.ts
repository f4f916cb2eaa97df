import { nearest } from '../util/nearest.js';

/** As `nearest`, and a name whose last part was given: `new_buy` means `order.new_buy`. */
export function nearestName(word: string, known: readonly string[]): string | undefined {
  const tail = `.${word.toLowerCase()}`;
  return known.find((name) => name.toLowerCase().endsWith(tail)) ?? nearest(word, known);
}
