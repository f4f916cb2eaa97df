import {
  acceptRestored as accept,
  backupLedger as backup,
  checkLedger as check,
  copyLedger as copy,
  migrateLedger as migrate,
  reopenLedger as reopen,
  showLedger as show,
} from '../../app/ledger.js';
import { message, render } from '../../errors/message.js';
import { EXIT } from '../../model/run-outcome.js';
import { guarded } from '../process.js';
import { table } from '../shown-text.js';

interface LedgerFlags {
  readonly json?: boolean;
  readonly ledger?: string;
}

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
export async function showLedger(flags: LedgerFlags): Promise<void> {
  await guarded(flags, async (context) => {
    const shown = await show(context);
    const { language } = context;
    const lines = Object.entries(HEADINGS)
      .map(([name, heading]) => [render(heading, language), shown[name as keyof typeof HEADINGS]] as const)
      .flatMap(([heading, value]) => (value === undefined ? [] : [[heading, String(value)]]));
    process.stdout.write(flags.json ? json(shown) : table(lines));
    return EXIT.ok;
  });
}

/** `ledger copy --to URL` */
export async function copyLedger(flags: LedgerFlags & { readonly to: string }): Promise<void> {
  await guarded(flags, async (context) => {
    const copied = await copy(context, flags.to);
    const { location, from, tables } = copied;
    const rows = tables.reduce((sum, it) => sum + it.rows, 0);
    const text = message('team.ledger_copied', { location, from, rows, tables: tables.length });
    process.stdout.write(flags.json ? json(copied) : `${render(text, context.language)}\n`);
    return EXIT.ok;
  });
}

/** `ledger backup FILE` */
export async function backupLedger(file: string, flags: LedgerFlags): Promise<void> {
  await guarded(flags, async (context) => {
    const saved = await backup(context, file);
    const text = message('ledger.backed_up', saved);
    process.stdout.write(flags.json ? json(saved) : `${render(text, context.language)}\n`);
    return EXIT.ok;
  });
}

/** `ledger reopen` */
export async function reopenLedger(flags: LedgerFlags): Promise<void> {
  await guarded(flags, async (context) => {
    const { location, copied: to } = await reopen(context);
    const text =
      to === undefined
        ? message('ledger.not_closed', { location })
        : message('ledger.reopened', { location, to });
    process.stdout.write(
      flags.json ? json({ location, reopened: to !== undefined }) : `${render(text, context.language)}\n`,
    );
    return EXIT.ok;
  });
}

/** `ledger accept-restored` */
export async function acceptRestored(flags: LedgerFlags): Promise<void> {
  await guarded(flags, async (context) => {
    const { location, accepted } = await accept(context);
    const { language } = context;
    const text = message(accepted ? 'ledger.accepted' : 'ledger.nothing_to_accept', { location });
    const why = accepted ? { accepted: render(accepted, 'en') } : {};
    process.stdout.write(
      flags.json
        ? json({ location, ...why })
        : `${accepted ? `${render(accepted, language)}\n` : ''}${render(text, language)}\n`,
    );
    return EXIT.ok;
  });
}

/** `ledger migrate` */
export async function migrateLedger(flags: LedgerFlags): Promise<void> {
  await guarded(flags, async (context) => {
    const { text, ...migrated } = await migrate(context);
    process.stdout.write(flags.json ? json(migrated) : `${render(text, context.language)}\n`);
    return EXIT.ok;
  });
}

/** `ledger check` */
export async function checkLedger(flags: LedgerFlags): Promise<void> {
  await guarded(flags, async (context) => {
    const { language } = context;
    const { faults, open, location, counted } = await check(context);
    const texts = faults.map((it) => render(it, flags.json ? 'en' : language));
    if (flags.json) process.stdout.write(json({ location, faults: texts, open, counted }));
    else {
      const lines = [
        ...texts,
        ...open.map((it) => render(message('team.ledger_open', it), language)),
        faults.length === 0
          ? render(message('team.ledger_sound', { location, ...counted }), language)
          : render(message('team.ledger_unsound', { location, count: faults.length }), language),
      ];
      process.stdout.write(`${lines.join('\n')}\n`);
    }
    return faults.length === 0 ? EXIT.ok : EXIT.someRowsWrong;
  });
}

function json(value: unknown): string {
  return `${JSON.stringify(value)}\n`;
}
