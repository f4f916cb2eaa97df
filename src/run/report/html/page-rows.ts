import { type Language, type Message, message, render } from '../../../errors/message.js';
import type { RowResult } from '../../../ledger/contract/report.js';
import { byUrgency, NEEDS_NOTHING, type Status } from '../../../model/status.js';
import type { PageProblem, PageProblems, StatusMessages } from '../../../pages/run-page.js';
import { redactKnown } from '../../../util/secrets.js';
import { cutText } from '../../../util/text.js';
import { commonMessage, isBareStatus, messageKey, resultMessage } from '../result-message.js';

/** Maximum number of distinct kinds, and of kinds listed for each status. */
const KINDS = 2000;
const LISTED = 10;

interface Kind {
  readonly status: Status;
  readonly code?: string;
  /** `licenseType: ` for an invalid cell. */
  readonly prefix: string;
  text: Message;
  rows: number;
  readonly firstRow: number;
}

/** Groups the messages of a run's rows, with limited memory. Messages are of one kind if only their values differ. */
export class MessageGroups {
  readonly #kinds = new Map<string, Kind>();
  readonly #rows = new Map<Status, number>();
  readonly #uncounted = new Map<Status, number>();

  add(result: RowResult): void {
    const { status, row, faults, messages } = result;
    this.#rows.set(status, (this.#rows.get(status) ?? 0) + 1);
    const code = faults.length === 0 && messages.length === 1 ? result.code : undefined;
    const distinct = new Map<string, readonly [prefix: string, text: Message]>();
    for (const fault of faults) {
      const field = fault.field?.split('.').at(-1);
      const prefix = field === undefined ? '' : `${field}: `;
      distinct.set(`${field} ${messageKey(fault.message)}`, [prefix, fault.message]);
    }
    for (const itemMessage of messages) {
      if (isBareStatus(itemMessage)) continue;
      const { text } = itemMessage;
      const grouped = typeof text === 'string' ? message('platform.said', { text }) : text;
      distinct.set(messageKey(grouped), ['', grouped]);
    }
    for (const [kind, [prefix, grouped]] of distinct)
      this.#count(`${status} ${code} ${kind}`, grouped, { status, prefix, firstRow: row, code });
  }

  /** By status, the most urgent first. */
  list(language: Language): readonly StatusMessages[] {
    const statuses = [...new Set([...this.#kinds.values()].map((kind) => kind.status))].sort(byUrgency);
    return statuses.map((status) => {
      const kinds = [...this.#kinds.values()]
        .filter((kind) => kind.status === status)
        .sort((a, b) => b.rows - a.rows || a.firstRow - b.firstRow);
      const rest = kinds.slice(LISTED).reduce((sum, kind) => sum + kind.rows, 0);
      return {
        status,
        rows: this.#rows.get(status) ?? 0,
        groups: kinds.slice(0, LISTED).map(({ prefix, text, code, rows, firstRow }) => ({
          text: redactKnown(prefix + render(text, language)),
          code: code && redactKnown(code),
          rows,
          firstRow,
        })),
        others: rest + (this.#uncounted.get(status) ?? 0),
      };
    });
  }

  #count(
    key: string,
    text: Message,
    facts: Pick<Kind, 'status' | 'prefix' | 'firstRow'> & { readonly code: string | undefined },
  ): void {
    const known = this.#kinds.get(key);
    if (known) {
      known.rows += 1;
      known.text = commonMessage(known.text, text);
      return;
    }
    if (this.#kinds.size >= KINDS) {
      this.#uncounted.set(facts.status, (this.#uncounted.get(facts.status) ?? 0) + 1);
      return;
    }
    const { code, ...rest } = facts;
    this.#kinds.set(key, { ...rest, code, text, rows: 1 });
  }
}

/** Maximum rows on a page, and bytes of each message. The workbook has all. */
const PROBLEMS_SHOWN = 5000;
const MESSAGE_BYTES = 1500;

/** Stores the rows that need attention, the most urgent if there are too many. */
export class ProblemRows {
  readonly #limit: number;
  readonly #language: Language;
  readonly #shown = new Map<Status, PageProblem[]>();
  readonly #all = new Map<Status, number>();

  constructor(language: Language, limit = PROBLEMS_SHOWN) {
    this.#language = language;
    this.#limit = limit;
  }

  /** @param held the row is skipped because an earlier run left it unknown */
  add(result: RowResult, held: boolean): void {
    const { status } = result;
    if (NEEDS_NOTHING.has(status) && !held) return;
    this.#all.set(status, (this.#all.get(status) ?? 0) + 1);
    const shown = this.#shown.get(status) ?? [];
    this.#shown.set(status, shown);
    if (shown.length >= this.#limit) return;
    const { row, code, licenseOrderId } = result;
    shown.push({
      row,
      status,
      code: code && redactKnown(code),
      message: redactKnown(cutText(resultMessage(result, this.#language), MESSAGE_BYTES)),
      licenseOrderId: licenseOrderId && redactKnown(licenseOrderId),
    });
  }

  problems(): PageProblems {
    const rows: PageProblem[] = [];
    const left: { status: Status; rows: number }[] = [];
    for (const status of [...this.#all.keys()].sort(byUrgency)) {
      const shown = (this.#shown.get(status) ?? []).slice(0, this.#limit - rows.length);
      rows.push(...shown);
      const beyond = (this.#all.get(status) ?? 0) - shown.length;
      if (beyond > 0) left.push({ status, rows: beyond });
    }
    return { rows: rows.sort((a, b) => (a.row ?? 0) - (b.row ?? 0)), left };
  }
}
