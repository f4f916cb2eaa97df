import type { Message } from '../../../errors/message.js';
import type { ShapeProblem } from '../../../model/field.js';
import type { ReplyReading } from '../../../model/operation.js';
import type { ItemOutcome } from '../../../model/outcome.js';

const PROBLEMS_NAMED = 3;

/** Reading of a reply that settles its only item. */
export function settled(outcome: ItemOutcome): ReplyReading {
  return { outcomes: [outcome], warnings: [] };
}

/** Reading of a reply that can't be relied on as a whole. */
export function malformed(problems: readonly ShapeProblem[], items: number): ReplyReading {
  const named = problems.slice(0, PROBLEMS_NAMED).map(problemText).join('; ');
  const rest = problems.length - PROBLEMS_NAMED;
  return {
    outcomes: Array.from({ length: items }, () => undefined),
    warnings: [],
    malformed: rest > 0 ? `${named}; … (+${rest})` : named,
  };
}

/** Reading of a reply that is about something else, or that no reply can be. */
export function unbelievable(why: Message, items: number): ReplyReading {
  return { outcomes: Array.from({ length: items }, () => undefined), warnings: [], unbelievable: why };
}

/** `data[0].customerId: expected String`. */
export function problemText({ path, problem, expected }: ShapeProblem): string {
  return problem === 'missing' ? `${path}: missing (${expected})` : `${path}: not ${expected}`;
}
