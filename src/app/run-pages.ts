import path from 'node:path';
import { type Language, type Message, message } from '../errors/message.js';
import type { Run } from '../ledger/contract/run.js';
import type { ComparedRows } from '../run/report/html-report.js';
import type { RunServices } from '../run/run-context.js';
import { systemClock } from '../util/clock.js';
import { resultPath } from '../workbook/result-path.js';
import type { AppContext } from './context.js';
import { failureOf } from './failure.js';

const NOTHING_COMPARED: ComparedRows = { applied: false, problems: { rows: [], left: [] }, warnings: [] };

/** The web pages that `--report` asks for: one for each run of a command. */
export class RunPages {
  readonly #cwd: string;
  readonly #wanted: string | undefined;
  readonly #language: Language;
  readonly #warn: (warning: Message) => void;
  readonly #written: string[] = [];
  readonly #compared = new Map<string, ComparedRows>();

  /** @param wanted may hold `{job}`, `{run}` and `{input}` */
  constructor(wanted: string | undefined, { cwd, language }: AppContext, warn: (warning: Message) => void) {
    this.#cwd = cwd;
    this.#wanted = wanted === undefined ? undefined : path.resolve(cwd, wanted);
    this.#language = language;
    this.#warn = warn;
  }

  get written(): readonly string[] {
    return this.#written;
  }

  /** For the `--json` object: where the page is, or the pages of several runs are. */
  json(): { readonly report?: string; readonly reports?: readonly string[] } {
    const [first, ...others] = this.#written;
    if (first === undefined) return {};
    return others.length === 0 ? { report: first } : { reports: this.#written };
  }

  /** @throws ProductError usage when no page could be written there: told before anything is sent. */
  async check(): Promise<void> {
    if (this.#wanted === undefined) return;
    // Of a folder named after the run nothing is known yet.
    const { dir, base } = path.parse(this.#wanted);
    const known = dir.includes('{') ? path.join(this.#cwd, base) : this.#wanted;
    const { checkPageTarget } = await import('../pages/write.js');
    await checkPageTarget(known);
  }

  /** What a comparison found, for its page: the ledger has only how many. */
  compared(id: string, rows: ComparedRows): void {
    this.#compared.set(id, rows);
  }

  /** Writes the page of a run. Never rejects: the run is what it is, with a page or without. */
  async write(
    { ledger, resultNotes }: Pick<RunServices, 'ledger' | 'resultNotes'>,
    id: string,
  ): Promise<void> {
    if (this.#wanted === undefined) return;
    try {
      const run = await ledger.runs.get(id);
      if (!run) return;
      const wanted = this.#target(this.#wanted, run);
      const parts = {
        ...{ ledger, language: this.#language, clock: systemClock, warn: this.#warn },
        ...(resultNotes === undefined ? {} : { resultNotes }),
      };
      const { writeComparisonPage, writeHtmlReport } = await import('../run/report/html-report.js');
      const compared = this.#compared.get(id) ?? NOTHING_COMPARED;
      const written =
        run.kind === 'reconcile'
          ? await writeComparisonPage(parts, run, compared, wanted)
          : await writeHtmlReport(parts, run, wanted);
      this.#written.push(written);
    } catch (error) {
      const why = failureOf(error, this.#language).text;
      this.#warn(message('html.not_written', { run: id, why }));
    }
  }

  /** A command with several runs writes no page over another. */
  #target(file: string, run: Run): string {
    const job = { name: run.job, source: { file: run.inputFile }, output: { file } };
    const target = resultPath(job, run.id);
    if (!this.#written.includes(target)) return target;
    const { dir, name, ext } = path.parse(target);
    return path.join(dir, `${name}-${run.id}${ext}`);
  }
}
