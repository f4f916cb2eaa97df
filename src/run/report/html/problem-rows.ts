import type { Language } from '../../../errors/message.js';
import type { RowResult } from '../../../ledger/contract/report.js';
import { byUrgency, NEEDS_NOTHING, type Status } from '../../../model/status.js';
import type { PageProblem, PageProblems } from '../../../pages/contract.js';
import { cutText } from '../../../util/cut-text.js';
import { redactKnown } from '../../../util/known-secrets.js';
import { resultMessage } from '../result-message.js';

/** How many rows a page shows, and bytes of each message. The workbook has all. */
const PROBLEMS_SHOWN = 5000;
const MESSAGE_BYTES = 1500;

/** Keeps the rows that need attention, the most urgent if there are too many. */
export class ProblemRows {
  readonly #limit: number;
  readonly #language: Language;
  readonly #kept = new Map<Status, PageProblem[]>();
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
    const kept = this.#kept.get(status) ?? [];
    this.#kept.set(status, kept);
    if (kept.length >= this.#limit) return;
    const { row, code, licenseOrderId } = result;
    kept.push({
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
      const taken = (this.#kept.get(status) ?? []).slice(0, this.#limit - rows.length);
      rows.push(...taken);
      const beyond = (this.#all.get(status) ?? 0) - taken.length;
      if (beyond > 0) left.push({ status, rows: beyond });
    }
    return { rows: rows.sort((a, b) => (a.row ?? 0) - (b.row ?? 0)), left };
  }
}
