import { CATALOGUE } from '../../errors/catalogue/index.js';
import { type Code, type Language, type Message, message, render } from '../../errors/message.js';
import type { AuditAct, AuditLine } from '../../ledger/contract/audit.js';
import type { ApprovalPolicy } from '../../model/connection.js';
import type { Act } from '../../people/roles.js';

/** A line of the audit in words: what was done, and what is told of it. */
export interface AuditWords {
  readonly act: string;
  readonly detail: string;
}

/** What a newer program wrote is told as it stands. */
export function auditWords(
  { act, detail }: Pick<AuditLine, 'act' | 'detail'>,
  language: Language,
): AuditWords {
  const { act: refused, ...others } = detail;
  const isDenied = act === 'denied';
  const shown = Object.entries(isDenied ? others : detail).map(([name, value]) =>
    render(message('audit.detail', { name: word('of', name), value: shownValue(name, value) }), language),
  );
  const done = isDenied
    ? message('audit.act_denied', { act: word('act', String(refused ?? '')) })
    : word('act', act);
  return {
    act: typeof done === 'string' ? done : render(done, language),
    detail: shown.join(language === 'zh' ? '；' : '; '),
  };
}

const CODES = {
  // Typed, so that no act is without a word.
  act: (it: Exclude<AuditAct | Act, 'denied'>): Code => `audit.act_${it}`,
  of: (it: string) => `audit.of_${it}`,
  why: (it: string) => `audit.why_${it}`,
};

/** As it is where there is no word for it. */
function word(kind: keyof typeof CODES, name: string): Message | string {
  const code = CODES[kind](name as never);
  return Object.hasOwn(CATALOGUE, code) ? { code: code as Code, params: {} } : name;
}

const HASH_SHOWN = 12;

function shownValue(name: string, value: unknown): Message | string {
  if (name === 'why') return word('why', String(value));
  if (name === 'maxAgeMs' && typeof value === 'number') return durationOf(value);
  if (name === 'policy') return policyWords(value as ApprovalPolicy);
  if (name === 'planHash' || name === 'input') return String(value).slice(0, HASH_SHOWN);
  if (Array.isArray(value)) return value.join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Which plans want an approval. */
export function policyWords({ operations, above }: ApprovalPolicy): Message {
  const names = operations?.join(', ');
  if (names === undefined)
    return above === undefined ? message('approval.of_all') : message('approval.of_more', { above });
  return above === undefined
    ? message('approval.of_operations', { operations: names })
    : message('approval.of_both', { operations: names, above });
}

const UNITS = [
  ['audit.days', 86_400_000],
  ['audit.hours', 3_600_000],
  ['audit.minutes', 60_000],
] as const;

/** In the largest unit that it is whole in: it was said so. */
function durationOf(ms: number): Message {
  const [code, unit] =
    UNITS.find(([, it]) => ms >= it && ms % it === 0) ?? (['audit.seconds', 1000] as const);
  return message(code, { count: ms / unit });
}
