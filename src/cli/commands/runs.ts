import type { AppContext } from '../../app/context.js';
import { listRuns as list, type RunListing, resolutionData, showRun as show } from '../../app/runs.js';
import { type Language, type Message, message, render } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import type { Resolution } from '../../ledger/contract/resolutions.js';
import type { StepEnd } from '../../model/run-outcome.js';
import { zonedText } from '../../util/zoned-time.js';
import {
  countsText,
  type JsonFlag,
  printJson,
  printMessage,
  printNote,
  printResult,
  shownPath,
  table,
} from '../shown-text.js';

// Modules that only some commands need are not loaded here, so that a list does not wait for them.

/** `runs` */
export async function listRuns(
  context: AppContext,
  flags: JsonFlag & { readonly limit: number },
): Promise<void> {
  const { language } = context;
  const found = await list(context, flags.limit);
  const runs = 'runs' in found ? found.runs : [];
  if (flags.json) printJson(runs, 2);
  // Without a ledger nothing was run yet, which is no error.
  if ('none' in found) printNote(found.none, language);
  else if (flags.json) return;
  else if (runs.length === 0) {
    const { location } = found;
    printMessage(message('listing.no_runs', { location }), language);
  } else {
    const { timezones } = found;
    const header = (['run', 'kind', 'job', 'connection', 'state', 'rows', 'outcome'] as const).map((it) =>
      heading(it, language),
    );
    const lines = runs.map((it) => [
      it.run,
      it.kind,
      it.job,
      it.host === undefined ? it.connection : `${it.connection} (${it.host})`,
      (it.kind === 'plan' ? stateText(it, language, timezones.get(it.run)) : undefined) ?? it.state,
      String(it.rows),
      countsText(it.counts),
    ]);
    process.stdout.write(table([header, ...lines]));
    for (const { next } of runs) if (next !== undefined) process.stdout.write(`${next}\n`);
  }
}

/** `runs show RUN` */
export async function showRun(context: AppContext, id: string, flags: JsonFlag): Promise<void> {
  const { language } = context;
  const { run, steps, resolved, timezone } = await show(context, id);
  if (flags.json) {
    const audit = resolved.map((it) => resolutionData(it, 'en'));
    const data = {
      steps: steps.length > 0 ? steps : undefined,
      resolved: audit.length > 0 ? audit : undefined,
    };
    return printJson({ ...run, ...data }, 2);
  }
  const lines = Object.entries(run).flatMap(([name, value]) => {
    if (name === 'revertedBy') return revertLines(run, language);
    const text =
      name === 'counts'
        ? countsText(run.counts)
        : name === 'approval'
          ? (stateText(run, language, timezone) ?? '')
          : TIMES.has(name) && value !== undefined
            ? timeText(String(value), timezone)
            : String(value ?? '');
    return [[heading(name as keyof RunListing, language), text]];
  });
  lines.push(...resolvedLines(resolved, language));
  process.stdout.write(table(lines));
  process.stdout.write(stepsTable(steps, language));
  for (const line of [...reviewLines(run, language, timezone), ...auditLines(resolved, language, timezone)])
    process.stdout.write(`${line}\n`);
}

function timeText(iso: string | undefined, zone: string): string {
  return iso === undefined ? '' : zonedText(Date.parse(iso), zone);
}

const TIMES: ReadonlySet<string> = new Set(['started', 'applied', 'ended']);

/** `20261121-020311-4f9a21 (2/3)`: how many of its rows have reverted something. A plan has reverted nothing. */
function revertLines({ revertedBy = [] }: RunListing, language: Language): string[][] {
  const runs = revertedBy.filter((it) => !it.plan).map((it) => `${it.run} (${it.succeeded}/${it.rows})`);
  const plans = revertedBy.filter((it) => it.plan).map((it) => it.run);
  return [
    ...(runs.length > 0 ? [[heading('revertedBy', language), runs.join(', ')]] : []),
    ...(plans.length > 0 ? [[render(message('listing.revert_plans'), language), plans.join(', ')]] : []),
  ];
}

/** `runs export RUN --output F`, or `--corrected F`, or both */
export async function exportRun(
  context: AppContext,
  id: string,
  flags: JsonFlag & { readonly output?: string; readonly corrected?: string },
): Promise<void> {
  const { exportCorrected, exportRun: write } = await import('../../app/export.js');
  if (flags.output === undefined && flags.corrected === undefined)
    throw new ProductError('usage', message('listing.export_where', { run: id }));
  const output = flags.output === undefined ? undefined : await write(context, id, flags.output);
  const corrected =
    flags.corrected === undefined ? undefined : await exportCorrected(context, id, flags.corrected);
  if (flags.json) printJson({ run: id, output, corrected }, 2);
  else {
    for (const file of [output, corrected])
      if (file !== undefined) printMessage(message('listing.result', { file }), context.language);
  }
}

/** `runs report RUN --output F` */
export async function reportRun(
  context: AppContext,
  id: string,
  flags: JsonFlag & { readonly output: string },
): Promise<void> {
  const { reportRun: write } = await import('../../app/export.js');
  const report = await write(context, id, flags.output);
  const text = message('html.written', { file: shownPath(report) });
  printResult(flags, { run: id, report }, text, context.language, 2);
}

/** `runs prune --older-than AGE` */
export async function pruneRuns(
  context: AppContext,
  flags: JsonFlag & { readonly olderThan: string },
): Promise<void> {
  const { language } = context;
  const { pruneRuns: prune } = await import('../../app/prune.js');
  const { kept, none, pruned, inputs } = await prune(context, flags.olderThan);
  if (flags.json) printJson({ pruned, inputs, kept: kept.map((it) => it.run) }, 2);
  if (none) printNote(none, language);
  else if (!flags.json) {
    printMessage(message('listing.pruned', { pruned, inputs }), language);
    for (const { why } of kept) printMessage(why, language);
  }
}

/** `waiting for approval`, `approved by wang until …`; undefined if no approval is needed. */
function stateText({ approval }: RunListing, language: Language, zone = 'UTC'): string | undefined {
  if (!approval) return undefined;
  const { state, by = '', until } = approval;
  return render(message(`approval.state_${state}`, { by, until: timeText(until, zone) }), language);
}

/** The makers and approval entries of a plan, the newest last. */
function reviewLines({ approval }: RunListing, language: Language, zone: string): readonly string[] {
  if (!approval) return [];
  const { appliedBy: by, appliedAt } = approval;
  const lines = approval.lines.map((it) => {
    const times = { at: timeText(it.at, zone), until: timeText(it.until, zone) };
    const text = render(message(`approval.line_${it.act}`, { ...it, ...times }), language);
    return `  ${text}${it.comment === undefined ? '' : `: ${shownPath(it.comment)}`}`;
  });
  const made = `  ${render(makersText(approval.makers, language), language)}`;
  return by === undefined
    ? [made, ...lines]
    : [
        made,
        ...lines,
        `  ${render(message('approval.line_apply', { by, at: timeText(appliedAt, zone) }), language)}`,
      ];
}

function makersText(makers: NonNullable<RunListing['approval']>['makers'], language: Language): Message {
  const parts = makers.map(({ who, did }) =>
    render(
      message('approval.maker', {
        who: shownPath(who),
        did: render(message(`approval.maker_${did}`), language),
      }),
      language,
    ),
  );
  return message('approval.made_by', { makers: parts.join(language === 'zh' ? '、' : ', ') });
}

/** The steps of a run, indented. */
function stepsTable(steps: readonly StepEnd[], language: Language): string {
  if (steps.length === 0) return '';
  const header = (['step', 'operation', 'run', 'state', 'requests', 'outcome'] as const).map((it) =>
    heading(it, language),
  );
  const lines = steps.map(({ name, operation, run = '-', status, requests, counts }) => [
    name,
    operation,
    run,
    status,
    String(requests),
    countsText(counts),
  ]);
  return table([header, ...lines].map(([first = '', ...rest]) => [`  ${first}`, ...rest]));
}

/** The heading of a column or line of a listing. */
function heading(name: keyof RunListing | 'outcome' | 'resolved' | 'late', language: Language): string {
  return render(message(`listing.${name}`), language);
}

/** Number of audit lines shown; --json contains all. */
const RESOLUTIONS_SHOWN = 20;

/** Resolutions by people and by the platform, and separately those by late replies. */
function resolvedLines(resolved: readonly Resolution[], language: Language): readonly string[][] {
  // A later resolution of an item replaces the earlier one.
  const last = [...new Map(resolved.map((it) => [it.item, it])).values()];
  const late = last.filter((it) => it.how === 'late_reply');
  const others = last.filter((it) => it.how !== 'late_reply');
  return [
    ...(others.length > 0 ? [[heading('resolved', language), resolvedText(others, language)]] : []),
    ...(late.length > 0 ? [[heading('late', language), resolvedText(late, language)]] : []),
  ];
}

/** `2 items: succeeded 1, failed 1`. */
function resolvedText(last: readonly Resolution[], language: Language): string {
  const parts = (['succeeded', 'failed', 'unknown'] as const).flatMap((to) => {
    const count = last.filter((it) => it.to === to).length;
    return count > 0 ? [`${to} ${count}`] : [];
  });
  return render(message('listing.resolved_items', { count: last.length, parts: parts.join(', ') }), language);
}

/** Audit lines of resolutions, the newest last. */
function auditLines(resolved: readonly Resolution[], language: Language, zone: string): readonly string[] {
  const lines = resolved.slice(-RESOLUTIONS_SHOWN).map((it) => {
    const rows = render(message('resolve.rows', { rows: it.rows.join(', ') }), language);
    return `  ${rows}: ${resolutionText(it, language, zone)}`;
  });
  return resolved.length > lines.length ? ['  …', ...lines] : lines;
}

/** A resolution in one line: time, source, outcome and evidence. */
export function resolutionText(it: Resolution, language: Language, zone: string): string {
  const { how, who, from, to, at, licenseOrderId, note } = it;
  const params = { time: zonedText(at, zone), who, to };
  const line =
    how === 'late_reply'
      ? message('explain.audit_late', { ...params, from })
      : how === 'operator'
        ? message('explain.audit_operator', { ...params, from })
        : to === 'unknown'
          ? message('explain.audit_left', params)
          : message('explain.audit_platform', { ...params, from });
  const rest = [
    licenseOrderId ?? '',
    resolutionData(it, language).evidence,
    note === undefined ? '' : render(message('explain.audit_note', { note }), language),
  ];
  return [render(line, language), ...rest.filter((text) => text !== '')].join('; ');
}
