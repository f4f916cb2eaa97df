import path from 'node:path';
import { type Message, message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import { realFile } from '../inbox/pending-files.js';
import type { MigratedSchema } from '../ledger/contract/upkeep.js';
import { migratedMessage, openExistingLedger, openLedger } from '../ledger/open.js';
import { type CheckedLedger, checkLedger as check } from '../ledger/upkeep/check.js';
import { type CopiedLedger, copyLedger as copy } from '../ledger/upkeep/copy.js';
import { type ShownLedger, showLedger as show } from '../ledger/upkeep/show.js';
import { isLedgerPath } from '../util/ledger-place.js';
import { acceptRestored as accept } from './accept-restored.js';
import type { AppContext } from './context.js';
import { ledgerLocation, withLedger } from './open.js';

/** `ledger show`: where it is, and how much there is of it. */
export function showLedger(context: AppContext): Promise<ShownLedger> {
  return withLedger(context, ({ ledger }) => show(ledger));
}

/**
 * `ledger copy`: all of this ledger into an empty one.
 * @param to its place, as `--ledger` takes it
 * @returns with where it was copied from
 */
export async function copyLedger(
  context: AppContext,
  to: string,
): Promise<CopiedLedger & { readonly from: string }> {
  const place = await ledgerLocation({ ...context, ledger: to });
  return withLedger(
    context,
    async ({ ledger, actor }) => {
      const from = ledger.location;
      // The copy holds it too.
      await ledger.audit.append({ who: actor.who, act: 'ledger_copy' });
      return { from, ...(await copy(ledger, place, { realFile })) };
    },
    { act: 'ledger_copy' },
  );
}

/** `ledger reopen`: a ledger that was copied is written to again. */
export function reopenLedger(
  context: AppContext,
): Promise<{ readonly location: string; readonly copied: string | undefined }> {
  return withLedger(
    context,
    async ({ ledger, actor }) => {
      const copied = await ledger.guard.closedTo();
      if (copied !== undefined) {
        await ledger.guard.close(undefined);
        await ledger.audit.append({ who: actor.who, act: 'ledger_reopen' });
      }
      return { location: ledger.location, copied };
    },
    { act: 'ledger_copy', evenClosed: true },
  );
}

/**
 * `ledger backup`: a consistent copy of a ledger file, and of the inputs beside it, while runs go on.
 * @param file where it is written; nothing may be there
 * @returns its absolute path, the folder of the inputs and how many were copied
 */
export async function backupLedger(
  context: AppContext,
  file: string,
): Promise<{
  readonly location: string;
  readonly file: string;
  readonly inputs: string;
  readonly copied: number;
}> {
  return withLedger(
    context,
    async ({ ledger }) => {
      const { location, upkeep } = ledger;
      if (!upkeep.backup) throw new ProductError('usage', message('ledger.backup_server', { location }));
      return { location, ...(await upkeep.backup(path.resolve(context.cwd, file))) };
    },
    { act: 'ledger_copy', writes: false },
  );
}

/** `ledger accept-restored`: sending continues although records were lost. */
export function acceptRestored(context: AppContext): ReturnType<typeof accept> {
  return withLedger(context, ({ ledger }) => accept(context, ledger), { act: 'read', writes: true });
}

/** What `ledger migrate` found: the versions are the same where nothing was to be done. */
export interface MigratedLedger extends MigratedSchema {
  readonly location: string;
  readonly said: Message;
}

/** `ledger migrate`: brings an older schema up to date; an empty database is set up. */
export async function migrateLedger(context: AppContext): Promise<MigratedLedger> {
  const place = await ledgerLocation(context);
  let done: MigratedSchema | undefined;
  const migrated = (it: MigratedSchema): void => {
    done = it;
  };
  const open = isLedgerPath(place) ? openExistingLedger : openLedger;
  const ledger = await open(place, { older: 'migrate', writes: true, note: context.found, migrated });
  if (!ledger) throw new ProductError('usage', message('ledger.none_there', { location: place }));
  try {
    const { location } = ledger;
    const { version } = await ledger.upkeep.facts();
    await ledger.queue?.migrate();
    if (done) return { location, ...done, said: migratedMessage(location, done) };
    return {
      location,
      from: version,
      to: version,
      said: message('ledger.nothing_to_migrate', { location, version }),
    };
  } finally {
    await ledger.close();
  }
}

/** `ledger check`: what doesn't fit in it. */
export function checkLedger(context: AppContext): Promise<CheckedLedger & { readonly location: string }> {
  return withLedger(context, async ({ ledger }) => ({
    location: ledger.location,
    ...(await check(ledger, context.env)),
  }));
}
