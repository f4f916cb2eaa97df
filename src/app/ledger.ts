import path from 'node:path';
import { type Message, message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import { realFile } from '../inbox/find-files.js';
import type { MigratedSchema } from '../ledger/contract/upkeep.js';
import { migratedMessage, openExistingLedger, openLedger } from '../ledger/open.js';
import { type CheckedLedger, checkLedger as check } from '../ledger/upkeep/check.js';
import { type CopiedLedger, copyLedger as copy } from '../ledger/upkeep/copy.js';
import { type ShownLedger, showLedger as show } from '../ledger/upkeep/show.js';
import { isLedgerPath } from '../util/ledger-address.js';
import { usualTimezone } from './connections.js';
import type { AppContext } from './context.js';
import { ledgerLocation, withLedger } from './with-ledger.js';

/** `ledger show`: location and size. */
export function showLedger(context: AppContext): Promise<ShownLedger> {
  return withLedger(context, ({ ledger }) => show(ledger));
}

/**
 * `ledger copy`: copies this ledger into an empty one.
 * @param to the target's location, as for `--ledger`
 */
export async function copyLedger(
  context: AppContext,
  to: string,
): Promise<CopiedLedger & { readonly from: string }> {
  const target = await ledgerLocation({ ...context, ledger: to });
  return withLedger(
    context,
    async ({ ledger, actor }) => {
      const from = ledger.location;
      // Before copying, so that the copy contains the entry too.
      await ledger.audit.append({ who: actor.who, act: 'ledger_copy' });
      return { from, ...(await copy(ledger, target, { realFile })) };
    },
    { act: 'ledger_copy' },
  );
}

/** `ledger reopen`: makes a ledger that was copied writable again. */
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
 * `ledger backup`: a consistent copy of a ledger file and the inputs next to it, possible during runs.
 * @param file the target; must not exist
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
export function acceptRestored(
  context: AppContext,
): Promise<{ readonly location: string; readonly accepted: Message | undefined }> {
  return withLedger(
    context,
    async ({ ledger, actor }) => ({
      location: ledger.location,
      accepted: await ledger.guard.accept(context.env, actor.who),
    }),
    { act: 'ledger_accept' },
  );
}

/** The result of `ledger migrate`. The versions are equal if nothing was migrated. */
export interface MigratedLedger extends MigratedSchema {
  readonly location: string;
  readonly text: Message;
}

/** `ledger migrate`: migrates an older schema, or creates the schema in an empty database. */
export async function migrateLedger(context: AppContext): Promise<MigratedLedger> {
  const location = await ledgerLocation(context);
  let done: MigratedSchema | undefined;
  const migrated = (schema: MigratedSchema): void => {
    done = schema;
  };
  const open = isLedgerPath(location) ? openExistingLedger : openLedger;
  const ledger = await open(location, { older: 'migrate', writes: true, note: context.found, migrated });
  if (!ledger) throw new ProductError('usage', message('ledger.none_there', { location }));
  try {
    const { location } = ledger;
    const { version } = await ledger.upkeep.facts();
    await ledger.queue?.migrate();
    if (done) return { location, ...done, text: migratedMessage(location, done) };
    return {
      location,
      from: version,
      to: version,
      text: message('ledger.nothing_to_migrate', { location, version }),
    };
  } finally {
    await ledger.close();
  }
}

/** `ledger check`: inconsistencies of the ledger. */
export function checkLedger(context: AppContext): Promise<CheckedLedger & { readonly location: string }> {
  return withLedger(context, async ({ ledger }) => ({
    location: ledger.location,
    ...(await check(ledger, context.env, await usualTimezone(context))),
  }));
}
