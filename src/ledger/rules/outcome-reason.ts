import type { Code, Message } from '../../errors/message.js';
import type { OutcomeReason } from '../../model/outcome.js';

type Repeat = Extract<OutcomeReason, { readonly run: string }>;

/** What a kept message says of another item that holds the key: found when the run was planned, or when it was claimed. */
const REPEATS: Readonly<Partial<Record<Code, Pick<Repeat, 'kind' | 'found'>>>> = {
  'run.held_unknown': { kind: 'held_unknown', found: 'planning' },
  'run.held_done': { kind: 'held_done', found: 'planning' },
  'ledger.held_unknown': { kind: 'held_unknown', found: 'sending' },
  'ledger.held_done': { kind: 'held_done', found: 'sending' },
  'ledger.held_changed': { kind: 'held_changed', found: 'sending' },
};

const BY_PERSON: ReadonlySet<Code> = new Set<Code>(['resolve.by_operator', 'resolve.by_operator_bare']);

/**
 * Why an item or row has its outcome, from the code of the message that the ledger keeps of it: ledgers of every version
 * have the message, and none has more. Whoever wants to know asks here.
 */
export function outcomeReason(text: Message | string): OutcomeReason | undefined {
  if (typeof text === 'string') return undefined;
  if (BY_PERSON.has(text.code)) return { kind: 'resolved_by_person' };
  const repeat = REPEATS[text.code];
  const { run, row } = text.params;
  return repeat && { ...repeat, run: String(run), row: Number(row) };
}
