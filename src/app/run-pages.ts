import path from 'node:path';
import { type Language, type Message, message } from '../errors/message.js';
import type { Run } from '../ledger/contract/runs.js';
import type { ComparedRows } from '../run/report/html-report.js';
import type { RunServices } from '../run/run-context.js';
import { systemClock } from '../util/clock.js';
import { resultPath } from '../workbook/result-files.js';
import type { AppContext } from './context.js';
import { failureOf } from './failure.js';

const NOTHING_COMPARED: ComparedRows = { applied: false, problems: { rows: [], left: [] }, warnings: [] };

/** The web pages of `--report`: one for each run of a command. */
export class RunPages {
  readonly #cwd: string;
  readonly #report: string | undefined;
  readonly #language: Language;
  readonly #warn: (warning: Message) => void;
  readonly #written: string[] = [];
  readonly #compared = new Map<string, ComparedRows>();

  /** @param report path of the page; may contain `{job}`, `{run}` and `{input}` */
  constructor(report: string | undefined, { cwd, language }: AppContext, warn: (warning: Message) => void) {
    this.#cwd = cwd;
    this.#report = report === undefined ? undefined : path.resolve(cwd, report);
    this.#language = language;
    this.#warn = warn;
  }

  get written(): readonly string[] {
    return this.#written;
  }

  /** Paths of the written pages for the `--json` object. */
  json(): { readonly report?: string; readonly reports?: readonly string[] } {
    const [first, ...others] = this.#written;
    if (first === undefined) return {};
    return others.length === 0 ? { report: first } : { reports: this.#written };
  }

  /** Checks the path before anything is sent. @throws ProductError usage if no page can be written there */
  async check(): Promise<void> {
    if (this.#report === undefined) return;
    // A folder named after the run cannot be checked yet.
    const { dir, base } = path.parse(this.#report);
    const checked = dir.includes('{') ? path.join(this.#cwd, base) : this.#report;
    const { checkPageTarget } = await import('../pages/write.js');
    await checkPageTarget(checked);
  }

  /** Rows that a comparison found, for its page: the ledger stores only their number. */
  compared(id: string, rows: ComparedRows): void {
    this.#compared.set(id, rows);
  }

  /** Writes the page of a run. Never rejects, because a failed page does not change the run's outcome. */
  async write(
    { ledger, resultNotes }: Pick<RunServices, 'ledger' | 'resultNotes'>,
    id: string,
  ): Promise<void> {
    if (this.#report === undefined) return;
    try {
      const run = await ledger.runs.get(id);
      if (!run) return;
      const target = this.#target(this.#report, run);
      const parts = {
        ...{ ledger, language: this.#language, clock: systemClock, warn: this.#warn },
        resultNotes,
      };
      const { writeComparisonPage, writeHtmlReport } = await import('../run/report/html-report.js');
      const compared = this.#compared.get(id) ?? NOTHING_COMPARED;
      const written =
        run.kind === 'reconcile'
          ? await writeComparisonPage(parts, run, compared, target)
          : await writeHtmlReport(parts, run, target);
      this.#written.push(written);
    } catch (error) {
      const why = failureOf(error, this.#language).text;
      this.#warn(message('html.not_written', { run: id, why }));
    }
  }

  /** A path that no other run of the command used. */
  #target(file: string, run: Run): string {
    const job = { name: run.job, source: { file: run.inputFile }, output: { file } };
    const target = resultPath(job, run.id);
    if (!this.#written.includes(target)) return target;
    const { dir, name, ext } = path.parse(target);
    return path.join(dir, `${name}-${run.id}${ext}`);
  }
}
