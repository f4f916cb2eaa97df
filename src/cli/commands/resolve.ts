import path from 'node:path';
import { type Language, type Message, message, render } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import type { Run } from '../../ledger/contract/run.js';
import { EXIT } from '../../model/exit-code.js';
import type { PauseNews } from '../../platform/client/request-gate.js';
import { SILENT } from '../../run/observer.js';
import { evidenceText } from '../../run/report/evidence-text.js';
import { exportResult } from '../../run/report/export-result.js';
import { connectionOfRun } from '../../run/run-connection.js';
import {
  type Resolved,
  type ResolveServices,
  type RowResolution,
  resolveRow,
  verifyRun,
} from '../../run/settle/resolve.js';
import { systemClock } from '../../util/clock.js';
import { guarded } from '../exit.js';
import { languageOf } from '../language.js';
import { findLedger } from '../ledger-location.js';
import { pauseLine } from '../progress.js';
import { runNamed } from '../run-named.js';
import { currentUser } from '../who.js';

export interface ResolveFlags {
  readonly row?: number;
  readonly as?: 'succeeded' | 'failed';
  readonly licenseOrderId?: string;
  readonly note?: string;
  readonly verify?: boolean;
  readonly output?: string;
  readonly json?: boolean;
  readonly ledger?: string;
}

/** `resolve RUN` */
export async function resolve(id: string, flags: ResolveFlags): Promise<void> {
  const language = languageOf(process.env);
  await guarded(
    language,
    async () => {
      const wanted = wish(flags);
      const note = flags.note?.trim() || undefined;
      const { ledger, stateFolder } = await findLedger(flags.ledger);
      try {
        const run = await runNamed(ledger, id);
        const parts = {
          ledger,
          stateFolder,
          clock: systemClock,
          who: currentUser(),
          ...(note === undefined ? {} : { note }),
          paused: (pause: PauseNews | undefined) => {
            if (pause) process.stderr.write(`${pauseLine(pause, language)}\n`);
          },
        };
        const resolved =
          wanted.kind === 'known'
            ? await resolveRow(parts, run, wanted.known)
            : await verify(parts, run, flags.row);
        const output =
          flags.output === undefined
            ? undefined
            : await exportResult({ ledger, language, observer: SILENT }, run, path.resolve(flags.output));
        if (flags.json) {
          const counts = await ledger.runs.counts(run.id);
          const said = { run: run.id, ...resolvedJson(run, resolved), counts, output };
          process.stdout.write(`${JSON.stringify(said)}\n`);
        } else {
          process.stdout.write(resolvedText(run, resolved, language));
          if (output !== undefined)
            process.stdout.write(`${render(message('listing.result', { file: output }), language)}\n`);
        }
        return resolved.left.length > 0 ? EXIT.unknown : EXIT.ok;
      } finally {
        await ledger.close();
      }
    },
    flags.json,
  );
}

async function verify(parts: ResolveServices, run: Run, row: number | undefined): Promise<Resolved> {
  return verifyRun(parts, run, await connectionOfRun(run, { env: process.env, cwd: process.cwd() }), row);
}

type Wish = { readonly kind: 'verify' } | { readonly kind: 'known'; readonly known: RowResolution };

function wish(flags: ResolveFlags): Wish {
  const { row, as } = flags;
  const licenseOrderId = flags.licenseOrderId?.trim() || undefined;
  const refuse = (code: 'resolve.what' | 'resolve.not_both' | 'resolve.order_id_unfit'): never => {
    throw new ProductError('usage', message(code));
  };
  if (flags.verify && as !== undefined) return refuse('resolve.not_both');
  if (licenseOrderId !== undefined && as !== 'succeeded') return refuse('resolve.order_id_unfit');
  if (flags.verify) return { kind: 'verify' };
  if (row === undefined || as === undefined) return refuse('resolve.what');
  const known = {
    row,
    as,
    ...(licenseOrderId === undefined ? {} : { licenseOrderId }),
  };
  return { kind: 'known', known };
}

/** The command that settles a row once a person knows. */
function byHand(run: Run, row: number): string {
  const order = run.operation.startsWith('order.') ? ' [--license-order-id ID]' : '';
  return `license-sync resolve ${run.id} --row ${row} --as succeeded${order} | --as failed`;
}

function because(reason: Message, detail: Message | string | undefined, language: Language): string {
  const more = evidenceText(detail, language);
  return more === '' ? render(reason, language) : `${render(reason, language)}: ${more}`;
}

function resolvedJson(run: Run, { settled, left }: Resolved): Record<string, unknown> {
  return {
    settled: settled.map(({ evidence, warning, ...it }) => ({
      ...it,
      evidence: evidenceText(evidence, 'en'),
      ...(warning ? { warning: render(warning) } : {}),
    })),
    left: left.map(({ rows, reason, detail }) => ({
      rows,
      reason: because(reason, detail, 'en'),
      command: byHand(run, rows[0] ?? 0),
    })),
  };
}

function resolvedText(run: Run, { settled, left }: Resolved, language: Language): string {
  if (settled.length + left.length === 0)
    return `${render(message('resolve.none', { run: run.id }), language)}\n`;
  const params = { run: run.id, settled: settled.length, left: left.length };
  const lines = [render(message('resolve.summary', params), language)];
  const rowsText = (rows: readonly number[]): string =>
    render(message('resolve.rows', { rows: rows.join(', ') }), language);
  for (const { rows, to, corrects, licenseOrderId, evidence, warning } of settled) {
    const change = corrects ? render(message('resolve.corrects', { from: corrects }), language) : '';
    const said = [to, change, licenseOrderId ?? '', evidenceText(evidence, language)].filter(
      (it) => it !== '',
    );
    lines.push(`  ${rowsText(rows)}: ${said.join('; ')}`);
    if (warning) lines.push(`    ${render(warning, language)}`);
  }
  for (const { rows, reason, detail } of left) {
    const leftWords = render(message('resolve.left_unknown'), language);
    lines.push(`  ${rowsText(rows)}: ${leftWords}: ${because(reason, detail, language)}`);
    lines.push(`    ${render(message('resolve.by_hand', { command: byHand(run, rows[0] ?? 0) }), language)}`);
  }
  return `${lines.join('\n')}\n`;
}
