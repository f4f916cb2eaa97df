import { type Message, message } from '../../errors/message.js';
import type { AuditLine, AuditStore } from '../contract/audit.js';
import { BEFORE_FIRST, type ChainEnd, follows } from '../rules/audit-chain.js';

export interface CheckedChain {
  /** Lines that are as they were written, from the first one. */
  readonly sound: number;
  /** The first line that isn't: altered, out of its place, or gone. */
  readonly fault?: ChainFault;
}

type ChainFault =
  | { readonly kind: 'altered'; readonly line: AuditLine }
  | { readonly kind: 'missing'; readonly n: number };

export function chainFault(fault: ChainFault): Message {
  if (fault.kind === 'missing') return message('people.audit_missing', { n: fault.n });
  const { n, at, who, act, run = '-' } = fault.line;
  return message('people.audit_altered', { n, at: new Date(at).toISOString(), who, act, run });
}

/** Goes through an audit from its first line to where the ledger has noted its end. Lines may be added meanwhile. */
export async function checkChain(audit: AuditStore): Promise<CheckedChain> {
  // Noted before: lines that are added later follow it.
  const head = await audit.head();
  let end: ChainEnd = BEFORE_FIRST;
  for await (const lines of audit.list()) {
    for (const line of lines) {
      if (line.n > end.n + 1) return { sound: end.n, fault: { kind: 'missing', n: end.n + 1 } };
      const isHead = line.n !== head?.n || line.hash === head.hash;
      if (!follows(end, line) || !isHead) return { sound: end.n, fault: { kind: 'altered', line } };
      end = line;
    }
  }
  // Without a note of its end nobody knows how many lines were cut off there.
  return end.n < (head?.n ?? Number.POSITIVE_INFINITY)
    ? { sound: end.n, fault: { kind: 'missing', n: end.n + 1 } }
    : { sound: end.n };
}
