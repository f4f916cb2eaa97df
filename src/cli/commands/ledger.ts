import type { AppContext } from '../../app/context.js';
import * as app from '../../app/ledger.js';
import { message, render } from '../../errors/message.js';
import { EXIT } from '../../model/run-outcome.js';
import { type JsonFlag, printJson, printMessage, printResult, table } from '../shown-text.js';

const HEADINGS = {
  location: message('team.ledger_location'),
  closedTo: message('team.ledger_closed_to'),
  kind: message('team.ledger_kind'),
  version: message('team.ledger_version'),
  server: message('team.ledger_server'),
  bytes: message('team.ledger_bytes'),
  runs: message('team.ledger_runs'),
  workers: message('team.ledger_workers'),
};

/** `ledger show` */
export async function showLedger(context: AppContext, flags: JsonFlag): Promise<void> {
  const shown = await app.showLedger(context);
  if (flags.json) return printJson(shown);
  const lines = Object.entries(HEADINGS).flatMap(([name, heading]) => {
    const value = shown[name as keyof typeof HEADINGS];
    return value === undefined ? [] : [[render(heading, context.language), String(value)]];
  });
  process.stdout.write(table(lines));
}

/** `ledger copy --to URL` */
export async function copyLedger(
  context: AppContext,
  flags: JsonFlag & { readonly to: string },
): Promise<void> {
  const copied = await app.copyLedger(context, flags.to);
  const { location, from, tables } = copied;
  const rows = tables.reduce((sum, it) => sum + it.rows, 0);
  const text = message('team.ledger_copied', { location, from, rows, tables: tables.length });
  printResult(flags, copied, text, context.language);
}

/** `ledger backup FILE` */
export async function backupLedger(context: AppContext, file: string, flags: JsonFlag): Promise<void> {
  const saved = await app.backupLedger(context, file);
  printResult(flags, saved, message('ledger.backed_up', saved), context.language);
}

/** `ledger reopen` */
export async function reopenLedger(context: AppContext, flags: JsonFlag): Promise<void> {
  const { location, copied: to } = await app.reopenLedger(context);
  const text =
    to === undefined
      ? message('ledger.not_closed', { location })
      : message('ledger.reopened', { location, to });
  printResult(flags, { location, reopened: to !== undefined }, text, context.language);
}

/** `ledger accept-restored` */
export async function acceptRestored(context: AppContext, flags: JsonFlag): Promise<void> {
  const { location, accepted } = await app.acceptRestored(context);
  if (accepted && !flags.json) printMessage(accepted, context.language);
  const text = message(accepted ? 'ledger.accepted' : 'ledger.nothing_to_accept', { location });
  printResult(flags, { location, accepted: accepted && render(accepted, 'en') }, text, context.language);
}

/** `ledger migrate` */
export async function migrateLedger(context: AppContext, flags: JsonFlag): Promise<void> {
  const { text, ...migrated } = await app.migrateLedger(context);
  printResult(flags, migrated, text, context.language);
}

/** `ledger check` */
export async function checkLedger(context: AppContext, flags: JsonFlag): Promise<number> {
  const { language } = context;
  const { faults, open, location, counted } = await app.checkLedger(context);
  if (flags.json) printJson({ location, faults: faults.map((it) => render(it, 'en')), open, counted });
  else {
    for (const it of [...faults, ...open.map((run) => message('team.ledger_open', run))])
      printMessage(it, language);
    const count = faults.length;
    printMessage(
      count === 0
        ? message('team.ledger_sound', { location, ...counted })
        : message('team.ledger_unsound', { location, count }),
      language,
    );
  }
  return faults.length === 0 ? EXIT.ok : EXIT.someRowsWrong;
}
