import { type Code, type Message, message } from '../errors/message.js';

/** Cells that are named in warnings of their own; the rest of a column of a million is only counted. */
const NAMED = 20;

/** Warnings about single cells, and the warning with the number of further ones. */
const COUNTED = {
  'mapping.widthless_dropped': 'mapping.widthless_dropped_more',
  'mapping.decimals_dropped': 'mapping.decimals_dropped_more',
  'mapping.shown_otherwise': 'mapping.shown_otherwise_more',
  'mapping.not_shown': 'mapping.shown_otherwise_more',
  'mapping.date_not_shown': 'mapping.date_shown_partly_more',
  'mapping.date_shown_partly': 'mapping.date_shown_partly_more',
  'mapping.hidden_time_dropped': 'mapping.hidden_time_dropped_more',
  'mapping.marker_dropped': 'mapping.marker_dropped_more',
  'mapping.marker_in_text': 'mapping.marker_in_text_more',
  'mapping.nothing_in_text': 'mapping.nothing_in_text_more',
} as const satisfies Partial<Record<Code, Code>>;

type Counted = keyof typeof COUNTED;

/** Limits the warnings about single cells: the first ones are named, the rest is counted. */
export class CellWarnings {
  readonly #counts = new Map<Counted, number>();

  /** Whether the warning is one of those that are shown. */
  names({ code }: Message): boolean {
    if (!isCounted(code)) return true;
    const count = (this.#counts.get(code) ?? 0) + 1;
    this.#counts.set(code, count);
    return count <= NAMED;
  }

  /** Warnings with the number of cells that weren't named; call it after the last cell. */
  rest(): readonly Message[] {
    return [...this.#counts]
      .filter(([, count]) => count > NAMED)
      .map(([code, count]) => message(COUNTED[code], { count: count - NAMED }));
  }
}

function isCounted(code: Code): code is Counted {
  return Object.hasOwn(COUNTED, code);
}
