import { type Message, message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import { type Connections, loadConnections } from '../job/connections.js';
import { wrongArgument } from '../job/wrong-argument.js';
import type { Ledger } from '../ledger/contract/ledger.js';
import type { Run } from '../ledger/contract/run.js';
import { locateLedger, openExistingLedger, openLedger } from '../ledger/open.js';
import type { Actor } from '../people/identity.js';
import type { Act } from '../people/roles.js';
import { ledgerPlace } from '../util/ledger-place.js';
import { isPostgresUrl } from '../util/postgres-url.js';
import type { AppContext } from './context.js';
import { permitted, permittedIfAny } from './people/permit.js';

/** The place of the named ledger, or of the current folder's; it need not exist. */
export async function ledgerLocation(context: AppContext): Promise<string> {
  const { env, cwd, ledger } = context;
  const settings = () => loadConnections(undefined, { env, cwd });
  if (ledger === undefined) return ledgerOf(context, await settings());
  // The settings say where the password is found, and how long to wait for a server; what else they say wrong is of no matter here.
  const found = isPostgresUrl(ledger) ? await settings().catch(() => undefined) : undefined;
  return ledgerPlace(ledger, cwd, { env, stateIn: found?.ledger.folder });
}

/**
 * The place of the named ledger, or of the one that applies by the settings of a job or a folder; it need not exist.
 * @param warn receives what a person should change about the place
 */
export async function ledgerOf(
  { env, cwd, ledger: named, found }: AppContext,
  { ledger }: Pick<Connections, 'ledger'>,
  warn: (it: Message) => unknown = found ?? (() => {}),
): Promise<string> {
  if (named !== undefined) return ledgerPlace(named, cwd, { env, stateIn: ledger.folder });
  const { place, warning } = await locateLedger(ledger);
  if (warning) warn(warning);
  return place;
}

/** What is to be done in a ledger, and to which run. */
export interface Wish {
  readonly act: Act;
  readonly run?: string | undefined;
  /** The ledger is made where there is none. */
  readonly make?: boolean;
  /** Something is written, so that an older file is migrated first; what is not `read`, if absent. */
  readonly writes?: boolean;
  /** A ledger that was closed is written to, too. */
  readonly evenClosed?: true;
  /** What happens to an older schema on a server. */
  readonly older?: 'wait';
}

/** A ledger, and who may do what was wished for. */
export interface OpenedLedger {
  readonly ledger: Ledger;
  readonly actor: Actor;
}

const READING: Wish = { act: 'read' };

/**
 * Opens the ledger for commands about earlier runs, and closes it after the work. None is made.
 * @throws ProductError usage where there is none, safety where the caller may not do what is wished for
 */
export async function withLedger<T>(
  context: AppContext,
  work: (opened: OpenedLedger) => Promise<T>,
  wish: Wish = READING,
): Promise<T> {
  const wanted = async (found: OpenedLedger | { readonly none: Message }): Promise<T> => {
    if ('none' in found) throw new ProductError('usage', found.none);
    return work(found);
  };
  return withLedgerIfAny(context, wanted, wish);
}

/** The same for those who can do without: `none` says where was looked. A ledger that was named must be there. */
export async function withLedgerIfAny<T>(
  context: AppContext,
  work: (found: OpenedLedger | { readonly none: Message }) => Promise<T>,
  wish: Wish = READING,
): Promise<T> {
  const allowed = async (ledger: Ledger): Promise<T> =>
    work({ ledger, actor: await permitted(context, ledger, wish.act, wish.run) });
  if (context.opened) return allowed(await context.opened());
  const location = await ledgerLocation(context);
  const { writes = wish.act !== 'read', older, evenClosed = false } = wish;
  const how = { note: context.found, older, writes, evenClosed };
  const ledger = await (wish.make ? openLedger : openExistingLedger)(location, how);
  if (!ledger) {
    const none = message('ledger.none_there', { location });
    if (context.ledger !== undefined) throw new ProductError('usage', none);
    await permittedIfAny(context, undefined, wish.act);
    return work({ none });
  }
  try {
    return await allowed(ledger);
  } finally {
    await ledger.close();
  }
}

/** @throws ProductError usage when the ledger has no run of that id */
export async function runNamed(ledger: Ledger, id: string): Promise<Run> {
  const run = await ledger.runs.get(id);
  if (run) return run;
  const wrong = wrongArgument(id, 'run');
  if (wrong) throw new ProductError('usage', wrong);
  throw new ProductError('usage', message('run.no_such_run', { location: ledger.location, run: id }));
}
