import { type Series, THE_FIRST } from '../../../model/series.js';
import type { Effect, Simulation } from '../../simulated/simulation.js';
import { NUMBERS_ENDPOINT } from './wire.js';

/** Numbers handed out start behind those of the seed data (§4.8: region marker 8, then nine digits). */
const FIRST_NUMBER = 8_600_000_001;
const LARGEST_SIZE = 10_000;

interface NumbersEffect extends Effect {
  readonly kind: 'numbers';
  readonly size: number;
}

/** `8600000001`, of another series `861200000001`: digits alone, as an asset number has them. */
function inSeries(number: string, series: Series): string {
  return series === THE_FIRST ? number : number.slice(0, 2) + series + number.slice(2);
}

export const NUMBERS_SIMULATION: Simulation<NumbersEffect> = {
  name: 'assetNumbers',
  endpoint: NUMBERS_ENDPOINT,
  effect: 'numbers',
  counts: ['numbers'],
  choices: [
    {
      section: '§4.8',
      text: 'Asset numbers begin at 8600000001; size goes from 1 to 10000.',
    },
  ],
  decide: (_, { body }) => {
    const size = Number(body.size);
    if (size < 1 || size > LARGEST_SIZE) {
      return { kind: 'invalid', problems: [`size must be from 1 to ${LARGEST_SIZE}`] };
    }
    return { kind: 'effect', effect: { kind: 'numbers', size } };
  },
  /** The next numbers of the sequence; none is ever handed out twice. */
  apply: (state, { size }) => {
    const first = FIRST_NUMBER + (state.counts.numbers ?? 0);
    state.count('numbers', size);
    return Array.from({ length: size }, (_, index) => inSeries(String(first + index), state.series));
  },
};
