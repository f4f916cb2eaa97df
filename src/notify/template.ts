import { DRIFT_STATUSES } from '../model/drift.js';
import { STATUSES } from '../model/status.js';

/** Fields of summaries. Some occur only at times: with a plan, a reason, an error. */
const FIELDS = [
  'run',
  'job',
  'operation',
  'connection',
  'status',
  'exitCode',
  'rows',
  'counts',
  'requests',
  'retries',
  'output',
  'reason',
  'error.code',
  'error.message',
  'startedAt',
  'endedAt',
  'durationMs',
  'executeMs',
  'parent',
  'sandbox',
  'actions',
] as const;

const COUNTED: ReadonlySet<string> = new Set([...STATUSES, ...DRIFT_STATUSES]);

/** `{field}` and `{counts.succeeded}`; a brace of JSON is followed by a quote or a space. */
const PLACE = /\{([A-Za-z][\w.]*)\}/gu;

/** All fields that a template may name, for people. */
export const FIELDS_SHOWN = `${FIELDS.join(', ')}, counts.STATUS`;

interface Filled {
  readonly text: string;
  /** The template is JSON, and values were escaped for JSON strings. */
  readonly json: boolean;
  /** Names that no summary has. */
  readonly unknown: readonly string[];
}

/** Fills a template with a run's summary. What the run doesn't have is empty; a status without rows is 0. */
export function fillTemplate(template: string, summary: Readonly<Record<string, unknown>>): Filled {
  const json = isJson(template);
  const unknown = new Set<string>();
  const text = template.replace(PLACE, (_whole, name: string) => {
    const value = found(name, summary);
    if (value === undefined && !isKnown(name)) unknown.add(name);
    const words = wordsOf(value);
    return json ? JSON.stringify(words).slice(1, -1) : words;
  });
  return { text, json, unknown: [...unknown] };
}

/** True when the template is a JSON object or list if every place is filled with a number. */
function isJson(template: string): boolean {
  const example = template.replace(PLACE, '0').trim();
  if (!/^[[{]/u.test(example)) return false;
  try {
    JSON.parse(example);
    return true;
  } catch {
    return false;
  }
}

function found(name: string, summary: Readonly<Record<string, unknown>>): unknown {
  const [first = '', ...rest] = name.split('.');
  const value = rest.reduce(member, member(summary, first));
  if (value === undefined && isCount(name)) return 0;
  // Without a result the reason is the error's text; a template need not ask for both.
  return value === undefined && name === 'reason' ? member(summary.error, 'message') : value;
}

function member(of: unknown, name: string): unknown {
  if (typeof of !== 'object' || of === null || !Object.hasOwn(of, name)) return undefined;
  return (of as Record<string, unknown>)[name];
}

function isCount(name: string): boolean {
  return name.startsWith('counts.') && COUNTED.has(name.slice('counts.'.length));
}

function isKnown(name: string): boolean {
  return isCount(name) || FIELDS.some((it) => it === name || it.startsWith(`${name}.`));
}

/** `succeeded 3, rejected 1` for counts, `none` where there are none. */
function wordsOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (Array.isArray(value)) return value.map(wordsOf).join('; ');
  if (typeof value !== 'object') return String(value);
  const parts = Object.entries(value).map(([name, part]) => `${name} ${wordsOf(part)}`);
  return parts.join(', ') || 'none';
}
