import { closeSync, fstatSync, mkdirSync, openSync, readSync, writeSync } from 'node:fs';
import path from 'node:path';
import type { Logger } from 'pino';
import { type Message, message, render } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import type { AfterEvent } from '../notify/contract.js';
import type { RunEvent, RunLog } from '../run/run-events.js';
import { redactKnown } from '../util/known-secrets.js';

type Level = 'info' | 'warn' | 'error';

const WARN: ReadonlySet<RunEvent['event']> = new Set(['stopping', 'warning', 'report_failed']);
/** Outcomes of an attempt that somebody will want to find again. */
const WRONG = ['failed', 'unknown', 'rejected'] as const;

/** A log of what a command did: one JSON object a line (pino's form), for machines and for later. */
export interface LogFile extends RunLog {
  /** What ended the command, when that was an error. */
  failed(code: string, text: string, run: string | undefined): void;
  /** What followed a run, or a command that ended before there was one. */
  after(event: AfterEvent, run: string | undefined): void;
  close(): void;
}

/**
 * Opens the file of `--log-file`, at its end when it is there; new ones are readable by their owner alone. Every line
 * is with the operating system when the call returns, so nothing is lost however the process ends.
 * @param always stands on every line
 * @param onTrouble told once when the file can't be written any more; the work goes on without it
 * @throws ProductError usage when it can't be opened, or is a file of another kind.
 */
export async function openLogFile(
  file: string,
  cwd: string,
  onTrouble: (trouble: Message) => void,
  always: Readonly<Record<string, string>> = {},
): Promise<LogFile> {
  const handle = openForLines(file, path.resolve(cwd, file));
  const { pino } = await import('pino');
  let broken = false;
  const sink = {
    write(line: string): void {
      if (broken) return;
      try {
        writeWhole(handle, redactKnown(line));
      } catch (error) {
        broken = true;
        const reason = (error as NodeJS.ErrnoException).code ?? String(error);
        onTrouble(message('cli.log_broken', { file, reason }));
      }
    },
  };
  const options = {
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
  };
  return new PinoLog(pino(options, sink).child(always), () => {
    broken = true;
    closeSync(handle);
  });
}

class PinoLog implements LogFile {
  readonly #log: Logger;
  readonly #release: () => void;

  constructor(log: Logger, release: () => void) {
    this.#log = log;
    this.#release = release;
  }

  add(event: RunEvent): void {
    this.#line(levelOf(event), event);
  }

  failed(code: string, text: string, run: string | undefined): void {
    this.#log.error({ event: 'failed', ...(run === undefined ? {} : { run }), code, reason: text }, 'failed');
  }

  after(event: AfterEvent, run: string | undefined): void {
    const level = event.event === 'warning' ? 'warn' : 'info';
    this.#line(level, { ...(run === undefined ? {} : { run }), ...event });
  }

  close(): void {
    this.#release();
  }

  #line(level: Level, event: RunEvent | AfterEvent): void {
    const { event: name, ...rest } = event;
    const reason =
      'reason' in event && event.reason
        ? { code: causeOf(event.reason).code, reason: render(event.reason) }
        : {};
    this.#log[level]({ event: name, ...rest, ...reason }, name.replaceAll('_', ' '));
  }
}

/** What is behind it, where the message only adds how to go on. */
function causeOf(reason: Message): Message {
  const { why } = reason.params;
  return typeof why === 'object' ? why : reason;
}

function levelOf(event: RunEvent): Level {
  if (WARN.has(event.event)) return 'warn';
  if (event.event !== 'attempt') return 'info';
  const clean = event.outcome === 'reply' && WRONG.every((status) => event.settled[status] === undefined);
  return clean ? 'info' : 'warn';
}

function openForLines(file: string, at: string): number {
  try {
    mkdirSync(path.dirname(at), { recursive: true });
    const handle = openSync(at, 'a+', 0o600);
    if (isLog(handle)) {
      endLine(handle);
      return handle;
    }
    closeSync(handle);
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? String(error);
    throw new ProductError('usage', message('cli.log_unwritable', { file, reason }), { cause: error });
  }
  throw new ProductError('usage', message('cli.log_not_a_log', { file }));
}

/** Lines added to a spreadsheet or to the ledger itself, named by mistake, would destroy it. */
function isLog(handle: number): boolean {
  const about = fstatSync(handle);
  if (!about.isFile() || about.size === 0) return true;
  const first = Buffer.alloc(1);
  readSync(handle, first, 0, 1, 0);
  return first.toString('latin1') === '{';
}

/** A line that a full disk cut off must not swallow the next one. */
function endLine(handle: number): void {
  const about = fstatSync(handle);
  if (!about.isFile() || about.size === 0) return;
  const last = Buffer.alloc(1);
  readSync(handle, last, 0, 1, about.size - 1);
  if (last.toString('latin1') !== '\n') writeSync(handle, '\n');
}

function writeWhole(handle: number, text: string): void {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; ) at += writeSync(handle, bytes, at);
}
