import { chmod, open, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type Message, message, render } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import { errorDetail } from '../util/error-detail.js';
import { makeFolder } from '../util/make-folder.js';
import { VERSION } from '../util/own-package.js';
import { removeLeftTemporaries, temporaryPath } from '../util/temporary-file.js';
import type { AfterRunOptions, CommandEnd, MetricsPlace, MetricsSource } from './contract.js';
import { keyOf, type LastRun, metricsText } from './metrics.js';

/** First line of the file. It shows that the file is ours. */
const TITLE = '# license-sync: one file for each ledger, written anew after every run';
/** Before the JSON of an end that the ledger doesn't have. */
const UNRECORDED = '# not in the ledger: ';
const READ_BYTES = 1 << 20;

/**
 * Writes the metrics of a ledger, whole or not at all. A command that failed before the ledger had a run of it counts
 * as the job's last run until a later run has ended; the file itself remembers it.
 */
export async function writeMetrics(
  { file, openLedger, recovered: settled }: MetricsPlace,
  over: CommandEnd | undefined,
  { language, tell }: Pick<AfterRunOptions, 'language' | 'tell'>,
): Promise<void> {
  try {
    const before = await readBefore(file, TITLE);
    if (before === undefined) {
      tell({ event: 'warning', reason: message('metrics.not_metrics', { file }) });
      return;
    }
    const ledger = await openLedger();
    let text: string;
    try {
      const still = unrecordedIn(before).filter((it) => !settled || keyOf(it) !== keyOf(settled));
      text = await metricsOf(ledger, still, over);
    } finally {
      await ledger.close();
    }
    await replace(file, text);
    tell({ event: 'metrics_written', file });
    if (path.extname(file) !== '.prom') tell({ event: 'warning', reason: message('metrics.name', { file }) });
  } catch (error) {
    const known = error instanceof ProductError ? render(error.detail, language) : errorDetail(error);
    const reason = (error as NodeJS.ErrnoException).code ?? known;
    tell({ event: 'warning', reason: message('metrics.unwritable', { file, reason }) });
  }
}

/**
 * Writes metrics of another kind than the ledger's, whole or not at all. Its first line is the title, by which the file is
 * known to be ours.
 * @returns why it could not be written; undefined when it was
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

/**
 * The file's content; empty when there is no file; undefined when it is some other file, which must not be overwritten.
 */
async function readBefore(file: string, title: string): Promise<string | undefined> {
  const about = await stat(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (!about) return '';
  // Opening a named pipe would wait for somebody to write to it.
  if (!about.isFile()) return undefined;
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

/** The end itself, if the ledger has no such run or no exit code of it. */
async function unrecordedRun(ledger: MetricsSource, over: CommandEnd): Promise<readonly LastRun[]> {
  if (over.refused) return [];
  const { job, connection, operation, exitCode, startedAt, endedAt } = over;
  const run = over.run === undefined ? undefined : await ledger.runs.get(over.run);
  if (run?.exitCode !== undefined) return [];
  const counts = run ? await ledger.runs.counts(run.id) : {};
  return [{ job, connection, operation, endedAt, durationMs: endedAt - startedAt, exitCode, counts }];
}

/** The ends that an earlier write kept in comments; lines that somebody changed are ignored. */
function unrecordedIn(text: string): readonly LastRun[] {
  const lines = text.split('\n').filter((line) => line.startsWith(UNRECORDED));
  return lines.flatMap((line) => {
    try {
      const it = JSON.parse(line.slice(UNRECORDED.length)) as LastRun;
      return isLastRun(it) ? [it] : [];
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

/** For everyone to read: the collector runs as another user. */
async function replace(file: string, text: string): Promise<void> {
  const folder = path.dirname(file);
  await makeFolder(folder);
  await removeLeftTemporaries(folder);
  const temporary = temporaryPath(folder);
  try {
    await writeFile(temporary, text, { flag: 'wx', flush: true });
    // Whatever the umask says.
    await chmod(temporary, 0o644);
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
