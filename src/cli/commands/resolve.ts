import type { AppContext } from '../../app/context.js';
import { type ResolveInput, resolvedData, resolveRun } from '../../app/resolve.js';
import { type Language, message, render } from '../../errors/message.js';
import { EXIT } from '../../model/run-outcome.js';
import { pauseLine } from '../progress.js';
import { type JsonFlag, printJson, printMessage } from '../shown-text.js';

/** `resolve RUN` */
export async function resolve(
  context: AppContext,
  id: string,
  flags: ResolveInput & JsonFlag,
): Promise<number> {
  const { language } = context;
  const resolved = await resolveRun(context, id, flags, (pause) => {
    if (pause) process.stderr.write(`${pauseLine(pause, language)}\n`);
  });
  const { output } = resolved;
  if (flags.json) printJson(resolvedData(resolved, 'en'));
  else {
    process.stdout.write(resolvedText(resolvedData(resolved, language), language));
    if (output !== undefined) printMessage(message('listing.result', { file: output }), language);
  }
  return resolved.left.length > 0 ? EXIT.unknown : EXIT.ok;
}

function resolvedText(
  { run, settled, left, counts }: ReturnType<typeof resolvedData>,
  language: Language,
): string {
  if (settled.length + left.length === 0) return `${render(message('resolve.none', { run }), language)}\n`;
  // If only some rows were resolved, others may still be unknown.
  const unknown = counts.unknown ?? 0;
  const summary =
    left.length === 0 && unknown > 0
      ? message('resolve.row_summary', { run, settled: settled.length, unknown })
      : message('resolve.summary', { run, settled: settled.length, left: left.length });
  const lines = [render(summary, language)];
  const rowsText = (rows: readonly number[]): string =>
    render(message('resolve.rows', { rows: rows.join(', ') }), language);
  for (const { rows, to, corrects, licenseOrderId, evidence, warning } of settled) {
    const change = corrects ? render(message('resolve.corrects', { from: corrects }), language) : '';
    const parts = [to, change, licenseOrderId ?? '', evidence].filter((it) => it !== '');
    lines.push(`  ${rowsText(rows)}: ${parts.join('; ')}`);
    if (warning) lines.push(`    ${warning}`);
  }
  for (const { rows, reason, command } of left) {
    const leftText = render(message('resolve.left_unknown'), language);
    lines.push(`  ${rowsText(rows)}: ${leftText}: ${reason}`);
    lines.push(`    ${render(message('resolve.by_hand', { command }), language)}`);
  }
  return `${lines.join('\n')}\n`;
}
