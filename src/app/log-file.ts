import { closeSync, fstatSync, mkdirSync, openSync, readSync, writeSync } from 'node:fs';
import path from 'node:path';
import type { Logger } from 'pino';
import { type Message, message, render } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import type { NotificationEvent } from '../notify/notification-types.js';
import type { RunEvent, RunLog } from '../run/run-events.js';
import { redactKnown } from '../util/secrets.js';

type Level = 'info' | 'warn' | 'error';

const WARN: ReadonlySet<RunEvent['event']> = new Set(['stopping', 'warning', 'report_failed']);
/** Outcomes of an attempt that are logged as warnings. */
const WRONG = ['failed', 'unknown', 'rejected'] as const;

/** A log of a command: one JSON object per line, in pino's format. */
export interface LogFile extends RunLog {
  failed(code: string, text: string, run: string | undefined): void;
  /** Logs an event after a run, or after a command that ended before a run was created. */
  after(event: NotificationEvent, run: string | undefined): void;
  close(): void;
}

/**
 * Opens the file of `--log-file` for appending. New files are readable by the owner only. Every line is passed to the
 * operating system before the call returns, so a crash of the process loses no line.
 * @param always fields of every line
 * @param onBroken called once if the file cannot be written any more; later lines are dropped
 * @throws ProductError usage if it cannot be opened or is not a log.
 */
export async function openLogFile(
  file: string,
  cwd: string,
  onBroken: (warning: Message) => void,
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
        onBroken(message('cli.log_broken', { file, reason }));
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

  after(event: NotificationEvent, run: string | undefined): void {
    const level = event.event === 'warning' ? 'warn' : 'info';
    this.#line(level, { ...(run === undefined ? {} : { run }), ...event });
  }

  close(): void {
    this.#release();
  }

  #line(level: Level, event: RunEvent | NotificationEvent): void {
    const { event: name, ...rest } = event;
    const reason =
      'reason' in event && event.reason
        ? { code: causeOf(event.reason).code, reason: render(event.reason) }
        : {};
    this.#log[level]({ event: name, ...rest, ...reason }, name.replaceAll('_', ' '));
  }
}

/** The cause, if the message only adds the next step. */
function causeOf(reason: Message): Message {
  const { why } = reason.params;
  return typeof why === 'object' && 'code' in why ? why : reason;
}

function levelOf(event: RunEvent): Level {
  if (WARN.has(event.event)) return 'warn';
  if (event.event !== 'attempt') return 'info';
  const isClean = event.outcome === 'reply' && WRONG.every((status) => event.settled[status] === undefined);
  return isClean ? 'info' : 'warn';
}

function openForLines(file: string, absolute: string): number {
  try {
    mkdirSync(path.dirname(absolute), { recursive: true });
    const handle = openSync(absolute, 'a+', 0o600);
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

/** Appending to a spreadsheet or to the ledger, named by mistake, would destroy it. */
function isLog(handle: number): boolean {
  const stats = fstatSync(handle);
  if (!stats.isFile() || stats.size === 0) return true;
  const first = Buffer.alloc(1);
  readSync(handle, first, 0, 1, 0);
  return first.toString('latin1') === '{';
}

/** Ends a line that a full disk cut off, so that the next one starts on a new line. */
function endLine(handle: number): void {
  const stats = fstatSync(handle);
  if (!stats.isFile() || stats.size === 0) return;
  const last = Buffer.alloc(1);
  readSync(handle, last, 0, 1, stats.size - 1);
  if (last.toString('latin1') !== '\n') writeSync(handle, '\n');
}

function writeWhole(handle: number, text: string): void {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; ) at += writeSync(handle, bytes, at);
}
