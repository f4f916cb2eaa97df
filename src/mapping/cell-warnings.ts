import { type Code, type Message, message } from '../errors/message.js';

/** Cells that are named one by one; a column of a million of them is told as a number. */
const NAMED = 20;

/** Warnings of single cells, and what says how many more there are of each kind. */
const COUNTED = {
  'mapping.widthless_dropped': 'mapping.widthless_dropped_more',
  'mapping.decimals_dropped': 'mapping.decimals_dropped_more',
} as const satisfies Partial<Record<Code, Code>>;

type Counted = keyof typeof COUNTED;

/** Bounds what is said of single cells: the first are named, the rest are counted. */
export class CellWarnings {
  readonly #counts = new Map<Counted, number>();

  /** Whether the warning is to be said by itself. */
  names({ code }: Message): boolean {
    if (!isCounted(code)) return true;
    const count = (this.#counts.get(code) ?? 0) + 1;
    this.#counts.set(code, count);
    return count <= NAMED;
  }

  /** What is left to say when all cells were read. */
  rest(): readonly Message[] {
    return [...this.#counts]
      .filter(([, count]) => count > NAMED)
      .map(([code, count]) => message(COUNTED[code], { count: count - NAMED }));
  }
}

function isCounted(code: Code): code is Counted {
  return Object.hasOwn(COUNTED, code);
}
