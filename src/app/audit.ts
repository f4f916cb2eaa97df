import { type Code, isCode, type Language, type Message, message, render } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import { AUDIT_ACTS, type AuditAct, type AuditLine, type AuditQuery } from '../ledger/contract/audit.js';
import { chainFault, checkChain } from '../ledger/upkeep/check.js';
import type { ApprovalPolicy } from '../model/connection.js';
import type { Act } from '../people/identity.js';
import { systemClock } from '../util/clock.js';
import { zonedText } from '../util/zoned-time.js';
import { csvLine } from '../workbook/text-results.js';
import { usualTimezone } from './connections.js';
import type { AppContext } from './context.js';
import { ageMs } from './input-values.js';
import { withLedgerIfAny } from './with-ledger.js';

export interface AuditInput {
  readonly run?: string;
  readonly who?: string;
  readonly act?: string;
  /** Entries of that time or later: ISO 8601, or an age such as `7d`. */
  readonly since?: string;
  /** Entries of that time or earlier, in the same forms; a date includes its whole day. */
  readonly until?: string;
}

interface CheckedAudit {
  /** Number of unchanged entries from the first one. */
  readonly sound: number;
  /** The first changed entry. */
  readonly fault?: { readonly n: number; readonly text: Message };
  /** Set if there is no ledger: names where it was looked for. */
  readonly none?: Message;
}

/**
 * `audit`: passes the entries to `print` page by page, oldest first.
 * @returns `none` if there is no ledger
 */
export async function printAudit(
  context: AppContext,
  input: AuditInput,
  print: (lines: readonly AuditLine[]) => unknown,
): Promise<{ readonly none?: Message }> {
  const query = queryOf(input);
  return withLedgerIfAny(context, async (found) => {
    if ('none' in found) return found;
    for await (const lines of found.ledger.audit.list(query)) await print(lines);
    return {};
  });
}

/** A page of the audit, newest first; `next` is the `before` of the next page. */
export async function auditPage(
  context: AppContext,
  { before, limit, ...input }: AuditInput & { readonly before?: number; readonly limit: number },
) {
  const query = queryOf(input);
  const zone = await usualTimezone(context);
  const { language } = context;
  const acts = AUDIT_ACTS.map((act) => ({
    act,
    name: auditWords({ act, detail: { act: '…' } }, language, zone).act,
  }));
  return withLedgerIfAny(context, async (found) => {
    if ('none' in found) return { items: [], acts };
    const lines = await found.ledger.audit.page({ ...query, limit, before });
    const next = lines.length === limit ? lines.at(-1)?.n : undefined;
    return {
      items: lines.map((it) => ({
        n: it.n,
        ...auditLineData(it),
        words: auditWords(it, language, zone),
      })),
      next,
      acts,
    };
  });
}

const CSV_COLUMNS = ['at', 'who', 'act', 'run', 'detail'] as const;

/** All matching entries as UTF-8 CSV, oldest first, with times in UTC. */
export function auditCsv(context: AppContext, input: AuditInput): ReadableStream<Uint8Array> {
  const { language } = context;
  // Before the response begins: an invalid time is a problem document.
  queryOf(input);
  const { readable, writable } = new TextEncoderStream();
  const writer = writable.getWriter();
  const write = async (): Promise<void> => {
    const names = CSV_COLUMNS.map((it) => render(message(`people.audit_${it}`), language));
    await writer.write(`\ufeff${csvLine(['#', ...names])}`);
    const zone = await usualTimezone(context);
    await printAudit(context, input, (lines) => {
      const texts = lines.map((it) => {
        const { act, detail } = auditWords(it, language, zone);
        return csvLine([String(it.n), auditLineData(it).at, it.who, act, it.run ?? '', detail]);
      });
      return writer.write(texts.join(''));
    });
    await writer.close();
  };
  write().catch((error: unknown) => writer.abort(error));
  return readable;
}

/** `audit check`: whether the entries are unchanged and form a chain without gaps. */
export function checkAudit(context: AppContext): Promise<CheckedAudit> {
  return withLedgerIfAny(context, async (found) => {
    if ('none' in found) return { sound: 0, none: found.none };
    const { sound, fault } = await checkChain(found.ledger.audit);
    if (!fault) return { sound };
    return { sound, fault: { n: sound + 1, text: chainFault(fault, await usualTimezone(context)) } };
  });
}

/** An entry as `--json` prints it. */
export function auditLineData({ at, who, act, run, detail, prev, hash }: AuditLine) {
  return { at: new Date(at).toISOString(), who, act, run: run ?? null, detail, prev, hash };
}

function queryOf({ since, until, ...query }: AuditInput): AuditQuery {
  return {
    ...query,
    ...(since === undefined ? {} : { since: timeOf(since) }),
    ...(until === undefined ? {} : { until: timeOf(until.length === 10 ? `${until}T23:59:59.999` : until) }),
  };
}

const ISO_TIME = /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?)?$/;

/** A time without a zone is in this machine's zone; a date begins at midnight. */
function timeOf(text: string): number {
  if (!ISO_TIME.test(text)) return pastOf(text);
  const at = Date.parse(text.length === 10 ? `${text}T00:00` : text.replace(' ', 'T'));
  if (Number.isNaN(at)) throw new ProductError('usage', message('people.bad_since', { text }));
  return at;
}

function pastOf(text: string): number {
  if (!/^\d+[smhd]$/.test(text)) throw new ProductError('usage', message('people.bad_since', { text }));
  return systemClock.now() - ageMs(text);
}

/** An audit entry in words: the action and its details. */
export interface AuditWords {
  readonly act: string;
  readonly detail: string;
}

/**
 * Actions and details of newer versions are shown unchanged.
 * @param zone of the times in details
 */
export function auditWords(
  { act, detail }: Pick<AuditLine, 'act' | 'detail'>,
  language: Language,
  zone: string,
): AuditWords {
  const { act: refused, ...others } = detail;
  const isDenied = act === 'denied';
  const shown = Object.entries(isDenied ? others : detail).map(([name, value]) =>
    render(
      message('audit.detail', { name: word('of', name), value: shownValue(name, value, zone) }),
      language,
    ),
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
  // Typed, so that every act has a text.
  act: (it: Exclude<AuditAct | Act, 'denied'>): Code => `audit.act_${it}`,
  of: (it: string) => `audit.of_${it}`,
  why: (it: string) => `audit.why_${it}`,
};

/** The text for a name; the name itself if there is none. */
function word(kind: keyof typeof CODES, name: string): Message | string {
  const code = CODES[kind](name as never);
  return isCode(code) ? { code, params: {} } : name;
}

const HASH_SHOWN = 12;

/** Form of times in details. */
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;

function shownValue(name: string, value: unknown, zone: string): Message | string {
  if (name === 'why') return word('why', String(value));
  if (name === 'maxAgeMs' && typeof value === 'number') return durationOf(value);
  if (name === 'policy') return policyWords(value as ApprovalPolicy);
  if (name === 'planHash' || name === 'input') return String(value).slice(0, HASH_SHOWN);
  if (Array.isArray(value)) return value.join(', ');
  if (typeof value !== 'string') return JSON.stringify(value);
  return INSTANT.test(value) ? zonedText(Date.parse(value), zone) : value;
}

/** Which plans require approval. */
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

/** In the largest unit that gives a whole number. */
function durationOf(ms: number): Message {
  const [code, unit] =
    UNITS.find(([, it]) => ms >= it && ms % it === 0) ?? (['audit.seconds', 1000] as const);
  return message(code, { count: ms / unit });
}
