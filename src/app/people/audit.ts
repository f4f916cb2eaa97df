import { type Message, message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import type { AuditLine, AuditQuery } from '../../ledger/contract/audit.js';
import { chainFault, checkChain } from '../../ledger/upkeep/check-chain.js';
import { systemClock } from '../../util/clock.js';
import { ageMs } from '../age.js';
import type { AppContext } from '../context.js';
import { withLedgerIfAny } from '../open.js';
import { auditWords } from './audit-words.js';

export interface AuditInput {
  readonly run?: string;
  readonly who?: string;
  /** Lines of that time or later: ISO 8601, or an age such as `7d`. */
  readonly since?: string;
}

interface CheckedAudit {
  /** Lines that are as they were written, from the first one. */
  readonly sound: number;
  /** The first line that isn't. */
  readonly fault?: { readonly n: number; readonly text: Message };
  /** Where no ledger was found. */
  readonly none?: Message;
}

/**
 * `audit`: what was done and by whom, oldest first; told page by page, as there may be any number.
 * @returns where no ledger was found: then there is nothing to tell
 */
export async function tellAudit(
  context: AppContext,
  input: AuditInput,
  tell: (lines: readonly AuditLine[]) => unknown,
): Promise<{ readonly none?: Message }> {
  const query = queryOf(input);
  return withLedgerIfAny(context, async (found) => {
    if ('none' in found) return found;
    for await (const lines of found.ledger.audit.list(query)) await tell(lines);
    return {};
  });
}

/** A page of the audit, newest first; `next`: `before` of the next one. */
export async function auditPage(
  context: AppContext,
  { before, limit, ...input }: AuditInput & { readonly before?: number; readonly limit: number },
) {
  const query = queryOf(input);
  return withLedgerIfAny(context, async (found) => {
    if ('none' in found) return { items: [] };
    const lines = await found.ledger.audit.page({
      ...query,
      limit,
      ...(before === undefined ? {} : { before }),
    });
    const next = lines.length === limit ? lines.at(-1)?.n : undefined;
    return {
      items: lines.map((it) => ({
        n: it.n,
        ...auditLineData(it),
        words: auditWords(it, context.language),
      })),
      ...(next === undefined ? {} : { next }),
    };
  });
}

/** `audit check`: whether the lines are a chain without a gap, each as it was written. */
export function checkAudit(context: AppContext): Promise<CheckedAudit> {
  return withLedgerIfAny(context, async (found) => {
    if ('none' in found) return { sound: 0, none: found.none };
    const { sound, fault } = await checkChain(found.ledger.audit);
    return fault ? { sound, fault: { n: sound + 1, text: chainFault(fault) } } : { sound };
  });
}

/** A line as `--json` prints it. */
export function auditLineData({ at, who, act, run, detail, prev, hash }: AuditLine) {
  return { at: new Date(at).toISOString(), who, act, run: run ?? null, detail, prev, hash };
}

function queryOf({ since, ...query }: AuditInput): AuditQuery {
  return since === undefined ? query : { ...query, since: sinceOf(since) };
}

const ISO_TIME = /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?)?$/;

/** A time without a zone is one of this machine's; a date begins at its midnight there. */
function sinceOf(text: string): number {
  if (!ISO_TIME.test(text)) return pastOf(text);
  const at = Date.parse(text.length === 10 ? `${text}T00:00` : text.replace(' ', 'T'));
  if (Number.isNaN(at)) throw new ProductError('usage', message('people.bad_since', { text }));
  return at;
}

function pastOf(text: string): number {
  if (!/^\d+[smhd]$/.test(text)) throw new ProductError('usage', message('people.bad_since', { text }));
  return systemClock.now() - ageMs(text);
}
