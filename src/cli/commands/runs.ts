import path from 'node:path';
import { type Language, type Message, message, render } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import type { Ledger } from '../../ledger/contract/ledger.js';
import type { Resolution } from '../../ledger/contract/resolutions.js';
import type { Run } from '../../ledger/contract/run.js';
import { hostOfScope } from '../../ledger/scope.js';
import { DRIFT_STATUSES } from '../../model/drift.js';
import { EXIT } from '../../model/exit-code.js';
import { STATUSES } from '../../model/status.js';
import { liveState } from '../../run/live-state.js';
import { systemClock } from '../../util/clock.js';
import { shownPath } from '../../util/shown-path.js';
import { ageMs } from '../age.js';
import { auditJson, auditLine } from '../audit-text.js';
import { guarded } from '../exit.js';
import { languageOf } from '../language.js';
import { lookForLedger } from '../ledger-location.js';
import { runNamed } from '../run-named.js';
import { table } from '../table.js';

export interface RunsFlags {
  readonly json?: boolean;
  readonly ledger?: string;
  readonly limit: number;
}

// What only some of these need is loaded there: a list should not wait for what reads files and writes results.

/** `runs` */
export async function listRuns(flags: RunsFlags): Promise<void> {
  await withLedgerIfAny(flags, async (found) => {
    if ('none' in found) {
      if (flags.json) print([]);
      return sayNone(found.none);
    }
    const { ledger } = found;
    const runs = await ledger.runs.list(flags.limit);
    const described = [];
    for (const run of runs) described.push(await describe(ledger, run));
    if (flags.json) print(described);
    else if (described.length === 0)
      process.stdout.write(
        `${render(message('listing.no_runs', { location: ledger.location }), spoken())}\n`,
      );
    else {
      const header = (['run', 'kind', 'job', 'connection', 'state', 'rows', 'outcome'] as const).map(heading);
      const lines = described.map((it) => [
        it.run,
        it.kind,
        it.job,
        it.host === undefined ? it.connection : `${it.connection} (${it.host})`,
        it.state,
        String(it.rows),
        countsText(it.counts),
      ]);
      process.stdout.write(table([header, ...lines]));
      for (const { next } of described) if (next !== undefined) process.stdout.write(`${next}\n`);
    }
    return EXIT.ok;
  });
}

/** `runs show RUN` */
export async function showRun(id: string, flags: RunsFlags): Promise<void> {
  await withLedger(flags, async (ledger) => {
    const described = await describe(ledger, await runNamed(ledger, id));
    const resolved = await ledger.resolutions.list(id);
    if (flags.json)
      print({ ...described, ...(resolved.length > 0 ? { resolved: resolved.map(auditJson) } : {}) });
    else {
      const lines = Object.entries(described).map(([name, value]) => [
        heading(name as keyof typeof described),
        name === 'counts' ? countsText(described.counts) : String(value ?? ''),
      ]);
      if (resolved.length > 0) lines.push([heading('resolved'), resolvedText(resolved)]);
      process.stdout.write(table(lines));
      for (const line of auditLines(resolved)) process.stdout.write(`${line}\n`);
    }
    return EXIT.ok;
  });
}

/** `runs export RUN --output F` */
export async function exportRun(id: string, flags: RunsFlags & { readonly output: string }): Promise<void> {
  const language = languageOf(process.env);
  await withLedger(flags, async (ledger) => {
    const run = await runNamed(ledger, id);
    const { exportResult } = await import('../../run/report/export-result.js');
    const { SILENT } = await import('../../run/observer.js');
    const written = await exportResult(
      { ledger, language, observer: SILENT },
      run,
      path.resolve(flags.output),
    );
    if (flags.json) print({ run: id, output: written });
    else process.stdout.write(`${render(message('listing.result', { file: written }), language)}\n`);
    return EXIT.ok;
  });
}

/** `runs report RUN --output F` */
export async function reportRun(id: string, flags: RunsFlags & { readonly output: string }): Promise<void> {
  const language = languageOf(process.env);
  await withLedger(flags, async (ledger) => {
    const run = await runNamed(ledger, id);
    const file = path.resolve(flags.output);
    const { writeHtmlReport } = await import('../../run/report/html-report.js');
    const written = await writeHtmlReport({ ledger, language, clock: systemClock }, run, file);
    if (flags.json) print({ run: id, report: written });
    else process.stdout.write(`${render(message('html.written', { file: shownPath(written) }), language)}\n`);
    return EXIT.ok;
  });
}

/** `runs prune --older-than AGE` */
export async function pruneRuns(flags: RunsFlags & { readonly olderThan: string }): Promise<void> {
  await withLedgerIfAny(flags, async (found) => {
    const before = Date.now() - ageMs(flags.olderThan);
    if ('none' in found) {
      if (flags.json) print({ pruned: 0, inputs: 0, kept: [] });
      return sayNone(found.none);
    }
    const { ledger } = found;
    const pruned = await ledger.runs.prune(before);
    const { pruneInputs } = await import('../../ledger/inputs.js');
    const inputs = await pruneInputs(ledger, Date.now());
    const runs = await ledger.runs.list(Number.MAX_SAFE_INTEGER);
    const old = runs.filter(
      (it) => it.prunedAt === undefined && it.endedAt !== undefined && it.endedAt < before,
    );
    const kept = old.map((it) => it.id);
    if (flags.json) print({ pruned, inputs, kept });
    else {
      process.stdout.write(`${render(message('listing.pruned', { pruned, inputs }), spoken())}\n`);
      for (const { id: run } of old) {
        const { unknown } = await ledger.runs.counts(run);
        const why = unknown ? message('run.kept_unknown', { run }) : message('run.kept_resumable', { run });
        process.stdout.write(`${render(why, languageOf(process.env))}\n`);
      }
    }
    return EXIT.ok;
  });
}

const spoken = (): Language => languageOf(process.env);

/** What a column or line of a listing is called; --json keeps the names themselves. */
function heading(name: Named): string {
  return render(message(`listing.${name}`), spoken());
}

type Named = keyof Awaited<ReturnType<typeof describe>> | 'outcome' | 'resolved';

async function withLedger(flags: RunsFlags, work: (ledger: Ledger) => Promise<number>): Promise<void> {
  await withLedgerIfAny(flags, async (found) => {
    if ('none' in found) throw new ProductError('usage', found.none);
    return work(found.ledger);
  });
}

async function withLedgerIfAny(
  flags: RunsFlags,
  work: (found: Awaited<ReturnType<typeof lookForLedger>>) => Promise<number>,
): Promise<void> {
  await guarded(
    languageOf(process.env),
    async () => {
      const found = await lookForLedger(flags.ledger);
      // One that was named is meant to be there.
      if ('none' in found && flags.ledger !== undefined) throw new ProductError('usage', found.none);
      try {
        return await work(found);
      } finally {
        if ('ledger' in found) await found.ledger.close();
      }
    },
    flags.json,
  );
}

/** Where nothing was ever run, there is nothing to tell of: no fault. */
function sayNone(none: Message): number {
  process.stderr.write(`${render(none, languageOf(process.env))}\n`);
  return EXIT.ok;
}

async function describe(ledger: Ledger, run: Run) {
  const state = await liveState(ledger, run);
  return {
    run: run.id,
    kind: run.kind,
    job: run.job,
    operation: run.operation,
    connection: run.connection,
    host: hostOfScope(run),
    parent: run.parent,
    state,
    ...(state === 'cut off' ? { next: cutOffNext(run) } : {}),
    started: new Date(run.startedAt).toISOString(),
    ended: run.endedAt === undefined ? undefined : new Date(run.endedAt).toISOString(),
    input: run.inputFile,
    inputSha256: run.inputSha256,
    rows: run.rows,
    items: run.items,
    counts: await ledger.runs.counts(run.id),
    requests: run.requests,
    retries: run.retries,
    exitCode: run.exitCode,
    output: run.output,
    reason: run.reason && render(run.reason, languageOf(process.env)),
  };
}

/** A comparison changes nothing by itself and is simply made again. */
function cutOffNext(run: Run): string {
  const { id, jobFile, kind } = run;
  const next =
    kind === 'reconcile'
      ? message('run.cut_off_compare', { run: id, jobFile })
      : message('run.cut_off_resume', { run: id });
  return render(next, languageOf(process.env));
}

/** How many lines of the audit are shown; --json has all. */
const RESOLUTIONS_SHOWN = 20;

/** `2 items: succeeded 1, failed 1`, as they count now. */
function resolvedText(resolved: readonly Resolution[]): string {
  // A correction takes the place of what it corrects.
  const last = [...new Map(resolved.map((it) => [it.item, it.to])).values()];
  const parts = (['succeeded', 'failed', 'unknown'] as const).flatMap((to) => {
    const count = last.filter((it) => it === to).length;
    return count > 0 ? [`${to} ${count}`] : [];
  });
  return render(message('listing.resolved_items', { count: last.length, parts: parts.join(', ') }), spoken());
}

/** Who settled what, the newest last. */
function auditLines(resolved: readonly Resolution[]): readonly string[] {
  const language = languageOf(process.env);
  const lines = resolved.slice(-RESOLUTIONS_SHOWN).map((it) => {
    const rows = render(message('resolve.rows', { rows: it.rows.join(', ') }), language);
    return `  ${rows}: ${auditLine(it, language)}`;
  });
  return resolved.length > lines.length ? ['  …', ...lines] : lines;
}

function countsText(counts: Readonly<Record<string, number | undefined>>): string {
  const words = new Set<string>([...STATUSES, ...DRIFT_STATUSES]);
  return [...words]
    .filter((it) => counts[it])
    .map((it) => `${it} ${counts[it]}`)
    .join(', ');
}

function print(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value, undefined, 2)}\n`);
}
