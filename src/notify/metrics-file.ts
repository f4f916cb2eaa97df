import { chmod, open, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type Message, message, render } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import { removeLeftTemporaries, temporaryPath } from '../util/atomic-file.js';
import { errorDetail } from '../util/error-detail.js';
import { makeFolder } from '../util/files.js';
import { VERSION } from '../util/own-package.js';
import { keyOf, type LastRun, metricsText } from './metrics.js';
import type { AfterRunOptions, CommandEnd, MetricsPlace, MetricsSource } from './notification-types.js';

/** First line of the file, which identifies it as ours. */
const TITLE = '# license-sync: one file for each ledger, rewritten after every run';
/** Prefix of the JSON of an end that is not in the ledger. */
const UNRECORDED = '# not in the ledger: ';
const READ_BYTES = 1 << 20;

/**
 * Writes the metrics of a ledger, whole or not at all. A command that failed before the ledger had a run is treated as the
 * job's last run until a later run has ended. The file itself stores it.
 */
export async function writeMetrics(
  { file, openLedger, recovered }: MetricsPlace,
  over: CommandEnd | undefined,
  { language, onEvent }: Pick<AfterRunOptions, 'language' | 'onEvent'>,
): Promise<void> {
  try {
    const before = await readBefore(file, TITLE);
    if (before === undefined) {
      onEvent({ event: 'warning', reason: message('metrics.not_metrics', { file }) });
      return;
    }
    const ledger = await openLedger();
    let text: string;
    try {
      const failures = unrecordedIn(before).filter((it) => !recovered || keyOf(it) !== keyOf(recovered));
      text = await metricsOf(ledger, failures, over);
    } finally {
      await ledger.close();
    }
    await replace(file, text);
    onEvent({ event: 'metrics_written', file });
    if (path.extname(file) !== '.prom')
      onEvent({ event: 'warning', reason: message('metrics.name', { file }) });
  } catch (error) {
    const known = error instanceof ProductError ? render(error.detail, language) : errorDetail(error);
    const reason = (error as NodeJS.ErrnoException).code ?? known;
    onEvent({ event: 'warning', reason: message('metrics.unwritable', { file, reason }) });
  }
}

/**
 * Writes other metrics than the ledger's, whole or not at all. The first line is the title, which identifies the file as ours.
 * @returns why it could not be written; undefined on success
 */
export async function writeTitledMetrics(
  file: string,
  title: string,
  metrics: string,
): Promise<Message | undefined> {
  try {
    if ((await readBefore(file, title)) === undefined) return message('metrics.not_metrics', { file });
    await replace(file, `${title}\n${metrics}`);
    return undefined;
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? errorDetail(error);
    return message('metrics.unwritable', { file, reason });
  }
}

/** The file's content; empty if there is no file; undefined if it is another file, which must not be overwritten. */
async function readBefore(file: string, title: string): Promise<string | undefined> {
  const stats = await stat(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (!stats) return '';
  // Opening a named pipe would wait for a writer.
  if (!stats.isFile()) return undefined;
  const handle = await open(file, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(READ_BYTES), 0, READ_BYTES, 0);
    const text = buffer.toString('utf8', 0, bytesRead);
    return text === '' || text.startsWith(`${title}\n`) ? text : undefined;
  } finally {
    await handle.close();
  }
}

async function metricsOf(
  ledger: MetricsSource,
  before: readonly LastRun[],
  over: CommandEnd | undefined,
): Promise<string> {
  const totals = await ledger.runs.totals();
  const last = new Map<string, LastRun>();
  for (const { last: run, ...of } of totals) {
    const endedAt = run.endedAt ?? run.startedAt;
    last.set(keyOf(of), {
      job: of.job,
      connection: of.connection,
      operation: of.operation,
      endedAt,
      durationMs: Math.max(0, endedAt - (run.appliedAt ?? run.startedAt)),
      exitCode: run.exitCode ?? 0,
      counts: await ledger.runs.counts(run.id),
    });
  }
  const unrecorded = new Map<string, LastRun>();
  for (const it of [...before, ...(over ? await unrecordedRun(ledger, over) : [])]) {
    const recorded = last.get(keyOf(it));
    if (!recorded || recorded.endedAt < it.endedAt) unrecorded.set(keyOf(it), it);
  }
  for (const [key, it] of unrecorded) last.set(key, it);
  const remembered = [...unrecorded.values()].map((it) => `${UNRECORDED}${JSON.stringify(it)}\n`);
  const metrics = metricsText({
    version: VERSION,
    ledger: ledger.location,
    totals,
    last: [...last.values()],
  });
  return `${TITLE}\n${remembered.join('')}${metrics}`;
}

/** The end, if the ledger has no such run or no exit code of it. */
async function unrecordedRun(ledger: MetricsSource, over: CommandEnd): Promise<readonly LastRun[]> {
  if (over.refused) return [];
  const { job, connection, operation, exitCode, startedAt, endedAt } = over;
  const run = over.run === undefined ? undefined : await ledger.runs.get(over.run);
  if (run?.exitCode !== undefined) return [];
  const counts = run ? await ledger.runs.counts(run.id) : {};
  return [{ job, connection, operation, endedAt, durationMs: endedAt - startedAt, exitCode, counts }];
}

/** The ends that an earlier write stored in comments. Invalid lines are ignored. */
function unrecordedIn(text: string): readonly LastRun[] {
  const lines = text.split('\n').filter((line) => line.startsWith(UNRECORDED));
  return lines.flatMap((line) => {
    try {
      const run = JSON.parse(line.slice(UNRECORDED.length)) as LastRun;
      return isLastRun(run) ? [run] : [];
    } catch {
      return [];
    }
  });
}

function isLastRun(it: LastRun): boolean {
  const texts = [it.job, it.connection, it.operation];
  const numbers = [it.endedAt, it.durationMs, it.exitCode, ...Object.values(it.counts)];
  return (
    texts.every((text) => typeof text === 'string') && numbers.every((number) => Number.isFinite(number))
  );
}

/** Writes the file readable by all users, because the collector runs as another user. */
async function replace(file: string, text: string): Promise<void> {
  const folder = path.dirname(file);
  await makeFolder(folder);
  await removeLeftTemporaries(folder);
  const temporary = temporaryPath(folder);
  try {
    await writeFile(temporary, text, { flag: 'wx', flush: true });
    // Independent of the umask.
    await chmod(temporary, 0o644);
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
