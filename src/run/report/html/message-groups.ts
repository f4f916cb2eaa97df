import { type Language, type Message, message, render } from '../../../errors/message.js';
import type { RowResult } from '../../../ledger/contract/report.js';
import { byUrgency, type Status } from '../../../model/status.js';
import type { StatusMessages } from '../../../pages/contract.js';
import { redactKnown } from '../../../util/known-secrets.js';
import { commonMessage, isBareStatus, messageKey } from '../row-messages.js';

/** How many kinds are told apart, and how many of them are listed for each status. */
const KINDS = 2000;
const LISTED = 10;

interface Kind {
  readonly status: Status;
  readonly code?: string;
  /** `licenseType: ` where a cell is at fault. */
  readonly before: string;
  said: Message;
  rows: number;
  readonly firstRow: number;
}

/** Groups the messages of a run's rows, in bounded memory. Messages are of one kind when only their values differ. */
export class MessageGroups {
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
      said.set(`${field} ${messageKey(fault.message)}`, [before, fault.message]);
    }
    for (const saying of messages) {
      if (isBareStatus(saying)) continue;
      const { text } = saying;
      const it = typeof text === 'string' ? message('platform.said', { text }) : text;
      said.set(messageKey(it), ['', it]);
    }
    for (const [kind, [before, it]] of said) {
      this.#count(`${status} ${code} ${kind}`, it, { status, before, firstRow: row, code });
    }
  }

  /** By status, the most urgent first. */
  list(language: Language): readonly StatusMessages[] {
    const statuses = [...new Set([...this.#kinds.values()].map((it) => it.status))].sort(byUrgency);
    return statuses.map((status) => {
      const kinds = [...this.#kinds.values()]
        .filter((it) => it.status === status)
        .sort((a, b) => b.rows - a.rows || a.firstRow - b.firstRow);
      const rest = kinds.slice(LISTED).reduce((sum, it) => sum + it.rows, 0);
      return {
        status,
        rows: this.#rows.get(status) ?? 0,
        groups: kinds.slice(0, LISTED).map(({ before, said, code, rows, firstRow }) => ({
          text: redactKnown(before + render(said, language)),
          code: code && redactKnown(code),
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
      known.said = commonMessage(known.said, said);
      return;
    }
    if (this.#kinds.size >= KINDS) {
      this.#beyond.set(at.status, (this.#beyond.get(at.status) ?? 0) + 1);
      return;
    }
    const { code, ...rest } = at;
    this.#kinds.set(key, {
      ...rest,
      code,
      said,
      rows: 1,
    });
  }
}
