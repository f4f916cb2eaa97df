import { type Code, type Language, type Message, message, render } from '../errors/message.js';
import { STATUSES } from '../model/status.js';
import { pauseText } from '../platform/client/platform-pause.js';
import type { PauseEvent } from '../platform/client/request-gate.js';
import type { Progress, RunObserver, Stage } from '../run/observer.js';
import { fitWidth } from '../util/text-width.js';
import { zonedText } from '../util/zoned-time.js';
import { shownText } from './shown-text.js';

const STAGE_WORDS = {
  plan: 'progress.reading',
  execute: 'progress.sending',
  report: 'progress.writing',
} as const satisfies Readonly<Record<Stage, Code>>;
const BAR_WIDTH = 20;
const REDRAW_MS = 100;
const LINE_EVERY_MS = 5_000;
const WARNINGS_SHOWN = 20;

interface ProgressOptions {
  readonly stream: NodeJS.WriteStream;
  readonly language: Language;
  readonly quiet: boolean;
  /** Milliseconds, monotonic. */
  readonly now: () => number;
}

/** Reports progress on stderr: a bar on a terminal, otherwise a line every few seconds. */
export class ProgressPrinter implements RunObserver {
  readonly #options: ProgressOptions;
  readonly #bar: boolean;
  #stage: Stage | undefined;
  #stageBegan = 0;
  #doneBefore = 0;
  #shownAt = Number.NEGATIVE_INFINITY;
  #last: Progress | undefined;
  #drawn = false;
  #warnings = 0;
  #pause: PauseEvent | undefined;
  #pausePrintedAt = Number.NEGATIVE_INFINITY;

  constructor(options: ProgressOptions) {
    this.#options = options;
    // A build server's terminal keeps every line: a bar would fill it.
    this.#bar = options.stream.isTTY === true && !options.quiet && !process.env.CI;
  }

  started(run: string): void {
    if (!this.#options.quiet) this.print(render(message('progress.run', { run }), this.#options.language));
  }

  warn(warning: Message): void {
    this.#warnings += 1;
    if (this.#warnings <= WARNINGS_SHOWN)
      this.print(this.#words(message('progress.warning', { text: render(warning, this.#options.language) })));
    else if (this.#warnings === WARNINGS_SHOWN + 1)
      this.print(this.#words(message('progress.more_warnings')));
  }

  progress(progress: Progress): void {
    if (this.#options.quiet) return;
    const now = this.#options.now();
    if (progress.stage !== this.#stage) {
      this.#stage = progress.stage;
      this.#stageBegan = now;
      // A resumed run starts with the items that were finished before.
      this.#doneBefore = progress.stage === 'execute' ? progress.done : 0;
      this.#shownAt = this.#bar ? Number.NEGATIVE_INFINITY : now;
    }
    this.#last = progress;
    const finished = progress.total !== undefined && progress.done >= progress.total;
    if (now - this.#shownAt < (this.#bar ? REDRAW_MS : LINE_EVERY_MS) && !(this.#bar && finished)) return;
    this.#shownAt = now;
    const line = this.#line(progress, now);
    if (this.#bar) this.#draw(line);
    else this.#options.stream.write(`${line}\n`);
  }

  /** A refused probe extends the pause, so repeated lines are limited. */
  paused(pause: PauseEvent | undefined): void {
    this.#pause = pause;
    const { quiet, now, language } = this.#options;
    if (quiet) return;
    if (pause && now() - this.#pausePrintedAt >= LINE_EVERY_MS) {
      this.#pausePrintedAt = now();
      this.print(pauseLine(pause, language));
    } else if (this.#bar && this.#last) this.#redraw(this.#last);
  }

  /** Prints a line above the bar. */
  print(text: string): void {
    this.clear();
    this.#options.stream.write(`${shownText(text)}\n`);
    if (this.#bar && this.#last) this.#redraw(this.#last);
  }

  /** Removes the bar before the summary is printed. */
  finish(): void {
    this.clear();
    this.#last = undefined;
  }

  clear(): void {
    if (!this.#drawn) return;
    this.#options.stream.write('\r\u001b[2K');
    this.#drawn = false;
  }

  #redraw(progress: Progress): void {
    this.#draw(this.#line(progress, this.#options.now()));
  }

  #line(progress: Progress, now: number): string {
    const { language } = this.#options;
    const elapsedMs = now - this.#stageBegan;
    const line = progressLine(progress, { elapsedMs, doneBefore: this.#doneBefore }, this.#bar, language);
    if (!this.#pause) return line;
    const waits = message('progress.waits_until', { time: pauseEnd(this.#pause) });
    return `${render(waits, language)}  ${line}`;
  }

  #words(it: Message): string {
    return render(it, this.#options.language);
  }

  #draw(line: string): void {
    const width = this.#options.stream.columns ?? 80;
    this.#options.stream.write(`\r\u001b[2K${fitWidth(line, width - 1)}`);
    this.#drawn = true;
  }
}

/** The text of a pause, with its end in the connection's time zone. */
export function pauseLine(pause: PauseEvent, language: Language): string {
  const params = { asked: pauseText(pause.asked), time: pauseEnd(pause) };
  return render(message(pause.isTooLong ? 'progress.paused_in_vain' : 'progress.paused', params), language);
}

function pauseEnd({ until, timezone }: PauseEvent): string {
  return zonedText(until, timezone);
}

/** `sending  [#####     ] 120/400  60/s  5 s left  succeeded 118 rejected 2  in flight 8  retries 1` */
export function progressLine(
  progress: Progress,
  { elapsedMs, doneBefore = 0 }: { readonly elapsedMs: number; readonly doneBefore?: number },
  bar: boolean,
  language: Language = 'en',
): string {
  const { done, total, stage } = progress;
  const text = (it: Message): string => render(it, language);
  const rate = elapsedMs > 0 ? (done - doneBefore) / (elapsedMs / 1000) : 0;
  const parts = [text(message(STAGE_WORDS[stage]))];
  if (total !== undefined && total > 0) {
    const filled = Math.min(BAR_WIDTH, Math.round((done / total) * BAR_WIDTH));
    if (bar) parts.push(`[${'#'.repeat(filled)}${' '.repeat(BAR_WIDTH - filled)}]`);
    parts.push(`${done}/${total}`);
  } else {
    parts.push(text(message('progress.rows', { done })));
  }
  if (rate > 0) parts.push(`${rate >= 10 ? Math.round(rate) : rate.toFixed(1)}/s`);
  if (total !== undefined && rate > 0 && done < total) {
    parts.push(text(message('progress.left', { time: duration((total - done) / rate) })));
  }
  const counts = STATUSES.filter((it) => progress.counts?.[it]).map((it) => `${it} ${progress.counts?.[it]}`);
  if (counts.length > 0) parts.push(counts.join(' '));
  if (progress.inFlight) parts.push(text(message('progress.in_flight', { count: progress.inFlight })));
  if (progress.retries) parts.push(text(message('progress.retries', { count: progress.retries })));
  return parts.join('  ');
}

function duration(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  return seconds < 5400 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`;
}
