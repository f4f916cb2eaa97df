import { type Message, message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import { type Connections, loadConnections } from '../job/connections.js';
import { wrongArgument } from '../job/wrong-argument.js';
import type { Ledger } from '../ledger/contract/ledger.js';
import type { Run } from '../ledger/contract/runs.js';
import { LedgerClosed } from '../ledger/ledger-errors.js';
import { locateLedger, openExistingLedger, openLedger } from '../ledger/open.js';
import type { QueueStore } from '../ledger/postgres/queue.js';
import type { Act, Actor } from '../people/identity.js';
import { isLedgerPath, isPostgresUrl, ledgerPlace } from '../util/ledger-address.js';
import type { AppContext } from './context.js';
import { permitted, permittedIfAny } from './permit.js';

/** The location of the named ledger, or of the current folder's; it need not exist. */
export async function ledgerLocation(context: AppContext): Promise<string> {
  const { env, cwd, ledger } = context;
  const settings = () => loadConnections(undefined, { env, cwd });
  if (ledger === undefined) return ledgerOf(context, await settings());
  // The settings name the password and the wait time for a server. Other errors in them do not matter here.
  const found = isPostgresUrl(ledger) ? await settings().catch(() => undefined) : undefined;
  return ledgerPlace(ledger, cwd, { env, stateIn: found?.ledger.folder });
}

/**
 * The location of the named ledger, or of the one in the settings of a job or a folder; it need not exist.
 * @param warn receives what the user should change about the location
 */
export async function ledgerOf(
  { env, cwd, ledger: named, found }: AppContext,
  { ledger }: Pick<Connections, 'ledger'>,
  warn: (warning: Message) => unknown = found ?? (() => {}),
): Promise<string> {
  if (named !== undefined) return ledgerPlace(named, cwd, { env, stateIn: ledger.folder });
  const { place, warning } = await locateLedger(ledger);
  if (warning) warn(warning);
  return place;
}

/** The purpose of opening a ledger. */
export interface LedgerOptions {
  readonly act: Act;
  readonly run?: string | undefined;
  /** The ledger is created if there is none. */
  readonly make?: boolean;
  /** Something is written, so an older file is migrated first. Default: every act but `read`. */
  readonly writes?: boolean;
  /** Also opens a ledger that was closed because it was copied. */
  readonly evenClosed?: true;
  /** What happens to an older schema on a server. */
  readonly older?: 'wait';
  /** The ledger's address by the jobs' settings, in place of the context's. It need not exist. */
  readonly location?: string;
}

/** An open ledger, and the caller, who is permitted to do what it was opened for. */
export interface OpenedLedger {
  readonly ledger: Ledger;
  readonly actor: Actor;
}

const READING: LedgerOptions = { act: 'read' };

/**
 * Opens the ledger and checks that the caller may do `options.act`, unless the entry point has. The caller closes it.
 * @returns `none`, which names where it was looked for, if there is no ledger
 * @throws ProductError usage if a ledger that was named does not exist, safety if the caller is not permitted
 */
export async function openPermitted(
  context: AppContext,
  options: LedgerOptions = READING,
): Promise<(OpenedLedger & { close(): Promise<void> }) | { readonly none: Message }> {
  const { act, run, writes = act !== 'read', older, evenClosed = false } = options;
  const opened = await context.opened?.();
  if (opened && (options.location ?? opened.address) === opened.address) {
    const { allowed } = context;
    const isAllowed = allowed && (allowed.act === act || act === 'read');
    const actor = isAllowed ? allowed.actor : await permitted(context, opened, act, run);
    return { ledger: opened, actor, close: async () => {} };
  }
  const location = options.location ?? (await ledgerLocation(context));
  const open = options.make ? openLedger : openExistingLedger;
  const ledger = await open(location, { note: context.found, older, writes, evenClosed });
  if (!ledger) {
    const none = message('ledger.none_there', { location });
    if (context.ledger !== undefined && options.location === undefined) throw new ProductError('usage', none);
    await permittedIfAny(context, undefined, act);
    return { none };
  }
  try {
    return { ledger, actor: await permitted(context, ledger, act, run), close: () => ledger.close() };
  } catch (error) {
    await ledger.close();
    throw error;
  }
}

/**
 * Opens the ledger for commands about earlier runs, and closes it after the work. None is created.
 * @throws ProductError usage if there is none, safety if the caller is not permitted
 */
export async function withLedger<T>(
  context: AppContext,
  work: (opened: OpenedLedger) => Promise<T>,
  options: LedgerOptions = READING,
): Promise<T> {
  const opened = await openPermitted(context, options);
  if ('none' in opened) throw new ProductError('usage', opened.none);
  try {
    return await work(opened);
  } finally {
    await opened.close();
  }
}

/** The same for work that is possible without a ledger: it is given `none` then. */
export async function withLedgerIfAny<T>(
  context: AppContext,
  work: (found: OpenedLedger | { readonly none: Message }) => Promise<T>,
  options: LedgerOptions = READING,
): Promise<T> {
  const opened = await openPermitted(context, options);
  try {
    return await work(opened);
  } finally {
    if ('close' in opened) await opened.close();
  }
}

/** @throws ProductError usage if the ledger has no run with this id */
export async function runNamed(ledger: Ledger, id: string): Promise<Run> {
  const run = await ledger.runs.get(id);
  if (run) return run;
  const wrong = wrongArgument(id, 'run');
  if (wrong) throw new ProductError('usage', wrong);
  throw new ProductError('usage', message('run.no_such_run', { location: ledger.location, run: id }));
}

/** @throws ProductError usage if the ledger is a file, before the file is created; a closed one names its copy */
export async function refuseFile(command: string, location: string): Promise<void> {
  if (!isLedgerPath(location)) return;
  const ledger = await openExistingLedger(location).catch(() => undefined);
  const to = await ledger?.guard.closedTo();
  await ledger?.close();
  if (to !== undefined) throw new LedgerClosed(location, to);
  throw new ProductError('usage', message('team.needs_server', { command, location }));
}

/**
 * Opens the ledger for a command that needs its queue.
 * @throws ProductError usage if the ledger is a file
 */
export async function withQueue<T>(
  command: string,
  context: AppContext,
  work: (ledger: Ledger, queue: QueueStore, actor: Actor) => Promise<T>,
  options?: LedgerOptions,
): Promise<T> {
  await refuseFile(command, await ledgerLocation(context));
  return withLedger(
    context,
    async ({ ledger, actor }) => {
      const { queue, location } = ledger;
      if (!queue) throw new ProductError('usage', message('team.needs_server', { command, location }));
      return work(ledger, queue, actor);
    },
    options,
  );
}
