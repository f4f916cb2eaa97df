import { type Language, type Message, message, type Param, render } from '../../errors/message.js';
import type { RowResult } from '../../ledger/contract.js';
import { STATUSES, type Status } from '../../model/status.js';
import { redactKnown } from '../../platform/client/known-secrets.js';
import type { StatusSayings } from '../../workbook/html/contract.js';
import { byUrgency } from './urgency.js';

/** Kinds of sayings that are told apart, and how many of a status are listed. */
const KINDS = 2000;
const LISTED = 10;
const LONGEST = 300;
const DIFFERS = '…';

/** Values that are what somebody said: their words tell kinds apart, where other values only fill a place. */
const SAID: ReadonlySet<string> = new Set(['text', 'cause', 'detail']);
const PLAIN_STATUSES: ReadonlySet<string> = new Set(STATUSES);

interface Kind {
  readonly status: Status;
  readonly code?: string;
  /** `licenseType: ` where a cell is at fault. */
  readonly before: string;
  readonly said: Message['code'];
  readonly params: Record<string, Param>;
  rows: number;
  readonly firstRow: number;
}

/** Groups what the rows of a run say; bounded. Messages are one kind when only their values differ. */
export class Sayings {
  readonly #kinds = new Map<string, Kind>();
  readonly #rows = new Map<Status, number>();
  readonly #beyond = new Map<Status, number>();

  add(result: RowResult): void {
    const { status, row, faults, messages } = result;
    this.#rows.set(status, (this.#rows.get(status) ?? 0) + 1);
    const code = faults.length === 0 && messages.length === 1 ? result.code : undefined;
    const said = new Map<string, readonly [before: string, said: Message]>();
    for (const fault of faults) {
      const field = fault.field?.split('.').at(-1);
      const before = field === undefined ? '' : `${field}: `;
      said.set(`${field} ${kindOf(fault.message)}`, [before, fault.message]);
    }
    for (const { item, text } of messages) {
      // Beside others an item that went well is named too, with nothing to say.
      if (item !== undefined && typeof text === 'string' && PLAIN_STATUSES.has(text)) continue;
      const it = typeof text === 'string' ? message('platform.said', { text }) : text;
      said.set(kindOf(it), ['', it]);
    }
    for (const [kind, [before, it]] of said) {
      this.#count(`${status} ${code} ${kind}`, it, { status, before, firstRow: row, code });
    }
  }

  /** By status, the most urgent first. */
  list(language: Language): readonly StatusSayings[] {
    const statuses = [...new Set([...this.#kinds.values()].map((it) => it.status))].sort(byUrgency);
    return statuses.map((status) => {
      const kinds = [...this.#kinds.values()]
        .filter((it) => it.status === status)
        .sort((a, b) => b.rows - a.rows || a.firstRow - b.firstRow);
      const rest = kinds.slice(LISTED).reduce((sum, it) => sum + it.rows, 0);
      return {
        status,
        rows: this.#rows.get(status) ?? 0,
        sayings: kinds.slice(0, LISTED).map(({ before, said, params, code, rows, firstRow }) => ({
          text: redactKnown(before + render({ code: said, params }, language)),
          ...(code === undefined ? {} : { code: redactKnown(code) }),
          rows,
          firstRow,
        })),
        others: rest + (this.#beyond.get(status) ?? 0),
      };
    });
  }

  #count(
    key: string,
    said: Message,
    at: Pick<Kind, 'status' | 'before' | 'firstRow'> & { readonly code: string | undefined },
  ): void {
    const known = this.#kinds.get(key);
    if (known) {
      known.rows += 1;
      for (const [name, value] of Object.entries(said.params)) {
        known.params[name] = common(known.params[name], value);
      }
      return;
    }
    if (this.#kinds.size >= KINDS) {
      this.#beyond.set(at.status, (this.#beyond.get(at.status) ?? 0) + 1);
      return;
    }
    const { code, ...rest } = at;
    const params = Object.assign(Object.create(null) as Record<string, Param>, said.params);
    this.#kinds.set(key, {
      ...rest,
      ...(code === undefined ? {} : { code }),
      said: said.code,
      params,
      rows: 1,
    });
  }
}

function kindOf({ code, params }: Message): string {
  const told = Object.entries(params).filter(([name]) => SAID.has(name));
  return `${code} ${told.map(([, value]) => pattern(String(value))).join(' ')}`;
}

/** What two values have in common. */
function common(a: Param | undefined, b: Param): Param {
  if (a === b) return b;
  const [one, other] = [pattern(String(a)), pattern(String(b))];
  return one === other ? one : DIFFERS;
}

/** A text without what differs from row to row: what is quoted, and words with digits. */
export function pattern(text: string): string {
  return text
    .slice(0, LONGEST)
    .replace(/"[^"]*"/g, `"${DIFFERS}"`)
    .replace(/“[^”]*”/g, `“${DIFFERS}”`)
    .replace(/[A-Za-z_@/-]*\d(?:[A-Za-z0-9_@/.:-]*[A-Za-z0-9_@/-])?/g, DIFFERS);
}
