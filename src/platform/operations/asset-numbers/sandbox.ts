import { firstNumberOf } from '../../../model/series.js';
import type { Effect, Simulation } from '../../simulated/simulation.js';
import { NUMBERS_ENDPOINT } from './wire.js';

const LARGEST_SIZE = 10_000;

interface NumbersEffect extends Effect {
  readonly kind: 'numbers';
  readonly size: number;
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
    // Those of the first series start behind the numbers of the seed data.
    const first = firstNumberOf(state.series) + (state.counts.numbers ?? 0);
    state.count('numbers', size);
    return Array.from({ length: size }, (_, index) => String(first + index));
  },
};
