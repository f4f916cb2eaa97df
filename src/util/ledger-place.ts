import { dirname, join, resolve } from 'node:path';
import { type Message, message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import { rememberSecret, withholdVariables } from './known-secrets.js';
import { BadPostgresUrl, isPostgresUrl, parsePostgresUrl, postgresUrl } from './postgres-url.js';

/** `postgres://…`, `sqlite:/…`, `file:…`; a drive letter (`C:\…`) is no scheme. */
const ADDRESS = /^\s*(?:[a-z][a-z0-9+.-]+:[/\\]|(?:postgres(?:ql)?|mysql|sqlite3?|file|https?):)/i;
/** The usual name of the folder with a ledger. */
export const OWN_FOLDER = '.license-sync';

/** Whether a text names a ledger in a file. */
export function isLedgerPath(it: string): boolean {
  return it.trim() !== '' && !ADDRESS.test(it);
}

/** @throws ProductError usage for what is neither a path nor a server's URL. It is not repeated: it may hold a password. */
export function refuseAddress(it: string): void {
  if (!isLedgerPath(it) && !isPostgresUrl(it)) throw new ProductError('usage', message('ledger.bad_address'));
}

/** The ledger that applies where none is named on the command line. */
export interface LedgerChoice {
  readonly place: string;
  /** Contains `.license-sync/` with what belongs to this machine. */
  readonly folder: string;
  /** A ledger in the current folder, where none was found: 0.1 looked there. */
  readonly former?: string;
}

/** Where a password is found; it never stands in a place. */
export type PasswordSource =
  | { readonly kind: 'env'; readonly name: string }
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'command'; readonly argv: readonly string[] }
  /** It stood in the URL. */
  | { readonly kind: 'given'; readonly password: string };

/** What goes with a server's URL and must not stand in it. */
export interface LedgerAccess {
  readonly password?: PasswordSource;
  readonly env: NodeJS.ProcessEnv;
  /** Beside which the local things of the ledger lie. */
  readonly folder: string;
}

/** By the URL that `ledgerPlace` gave. Kept as long as the process lives: what names a ledger is passed on as text. */
const ACCESS = new Map<string, LedgerAccess>();

const USUAL_PATIENCE_MS = 60_000;
let patienceMs = USUAL_PATIENCE_MS;

/** How long what a run holds waits for a server that is gone: as the settings say that this process has read last. */
export function ledgerPatienceMs(): number {
  return patienceMs;
}

/** @param ms as the settings say; undefined where they say nothing */
export function rememberLedgerPatience(ms: number | undefined): void {
  patienceMs = ms ?? USUAL_PATIENCE_MS;
}

/** A connection without a reply for so long is considered broken (docs/team.md). */
const USUAL_REPLY_MS = 10_000;
let replyMs = USUAL_REPLY_MS;

export function ledgerReplyMs(): number {
  return replyMs;
}

/** @param ms shorter in tests; undefined: as usual */
export function rememberLedgerReply(ms: number | undefined): void {
  replyMs = ms ?? USUAL_REPLY_MS;
}

interface Naming {
  readonly env?: NodeJS.ProcessEnv;
  /** Contains the local things of a server's ledger; default the folder that paths are relative to. */
  readonly stateIn?: string;
  readonly password?: PasswordSource;
  readonly schema?: string;
}

/**
 * The place of a ledger that was named on the command line, in a call, in the environment or in settings: an absolute
 * path, a relative one being taken from `folder`; or a server's URL, without its password, which is remembered.
 * @throws ProductError usage for another address, or a URL that says what can't be
 */
export function ledgerPlace(
  it: string,
  folder: string,
  { env = process.env, stateIn = folder, ...naming }: Naming = {},
): string {
  refuseAddress(it);
  if (!isPostgresUrl(it)) return resolve(folder, it);
  try {
    const { password: given, ...parsed } = parsePostgresUrl(it, env);
    const { schema = parsed.schema } = naming;
    const place = postgresUrl({ ...parsed, schema });
    const known = ACCESS.get(place);
    const password: PasswordSource | undefined =
      given === undefined ? (naming.password ?? known?.password) : { kind: 'given', password: given };
    ACCESS.set(place, { env, folder: stateIn, ...(password ? { password } : {}) });
    if (given !== undefined) rememberSecret(given);
    withholdVariables(['PGPASSWORD', ...(password?.kind === 'env' ? [password.name] : [])]);
    return place;
  } catch (error) {
    if (error instanceof BadPostgresUrl) throw new ProductError('usage', badUrl(error));
    throw error;
  }
}

/** The place that an address names which may come from `ledgerPlace`, or from a caller that knows nothing of it. */
export function placeOfAddress(it: string): string {
  return ACCESS.has(it) ? it : ledgerPlace(it, process.cwd());
}

/** What goes with a place that `ledgerPlace` gave. */
export function accessOf(place: string): LedgerAccess {
  return ACCESS.get(place) ?? { env: process.env, folder: process.cwd() };
}

function badUrl({ why, about }: BadPostgresUrl): Message {
  switch (why) {
    case 'form':
      return message('ledger.url_form');
    case 'host':
      return message('ledger.url_hosts');
    case 'port':
      return message('ledger.url_port');
    case 'parameter':
      return message('ledger.url_parameter', { name: about });
    case 'sslmode':
      return message('ledger.url_sslmode');
    case 'schema':
      return message('ledger.url_schema');
  }
}

/** The local folder for all that goes with the ledger of a place, whether there is one yet or not. */
export function stateFolderOf(place: string): string {
  return isPostgresUrl(place) ? join(accessOf(place).folder, OWN_FOLDER) : dirname(place);
}
