import { userInfo } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { type Message, message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import { isLoopback } from './loopback.js';
import { readSecret } from './read-secret.js';
import type { CommandSource, SecretSource } from './secret-source.js';
import { rememberSecret, withholdVariables } from './secrets.js';

/** How a session is protected, with the words and meaning of PostgreSQL's own clients. */
export const SSL_MODES = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'] as const;
export type SslMode = (typeof SSL_MODES)[number];

export const DEFAULT_SCHEMA = 'license_sync';

/** The parts of a URL: server, database and credentials. */
export interface PostgresAddress {
  /** A name, an address, or the folder of a socket. */
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
  readonly password?: string;
  readonly schema: string;
  readonly sslMode: SslMode;
  readonly sslRootCert?: string;
  readonly sslCert?: string;
  readonly sslKey?: string;
}

/** A problem of a URL: its kind and the part concerned. The URL is never repeated: it may contain a password. */
export class BadPostgresUrl extends Error {
  readonly why: 'form' | 'host' | 'port' | 'parameter' | 'sslmode' | 'schema';
  readonly about: string;

  constructor(why: BadPostgresUrl['why'], about = '') {
    super(why);
    this.why = why;
    this.about = about;
  }
}

const SCHEME = /^\s*postgres(?:ql)?:\/\//i;
const KNOWN: ReadonlySet<string> = new Set([
  'host',
  'port',
  'user',
  'password',
  'dbname',
  'schema',
  'sslmode',
  'sslrootcert',
  'sslcert',
  'sslkey',
  // Used by many providers; their settings apply anyway, or make no difference here.
  'application_name',
  'channel_binding',
  'connect_timeout',
  'gssencmode',
  'sslnegotiation',
  'target_session_attrs',
]);

export function isPostgresUrl(text: string): boolean {
  return SCHEME.test(text);
}

/**
 * @param env `PGUSER` and `PGDATABASE` are the defaults of parts that the URL omits
 * @throws BadPostgresUrl
 */
export function parsePostgresUrl(text: string, env: NodeJS.ProcessEnv = {}): PostgresAddress {
  const [, authority = '', path = '', query = ''] =
    /^\s*postgres(?:ql)?:\/\/([^/?#]*)(?:\/([^?#]*))?(?:\?([^#]*))?\s*$/i.exec(text) ?? [];
  if (!isPostgresUrl(text) || (authority === '' && path === '' && query === ''))
    throw new BadPostgresUrl('form');
  const at = authority.lastIndexOf('@');
  const [userPart = '', ...passwordParts] = at < 0 ? [] : authority.slice(0, at).split(':');
  const place = authority.slice(at + 1);
  const [, bracketed, plain = '', portText] = /^(?:\[([^\]]*)\]|([^:]*))(?::(.*))?$/.exec(place) ?? [];
  const params = new URLSearchParams(query);
  for (const name of params.keys()) if (!KNOWN.has(name)) throw new BadPostgresUrl('parameter', name);
  const host = params.get('host') ?? bracketed ?? decoded(plain);
  if (place.includes(',') || host.includes(',')) throw new BadPostgresUrl('host');
  const user = params.get('user') ?? decoded(userPart);
  const password = params.get('password') ?? decoded(passwordParts.join(':'));
  const named = user || env.PGUSER || userInfo().username;
  const schema = params.get('schema') ?? DEFAULT_SCHEMA;
  if (!isSchemaName(schema)) throw new BadPostgresUrl('schema', schema);
  const [sslRootCert, sslCert, sslKey] = ['sslrootcert', 'sslcert', 'sslkey'].map((it) => params.get(it));
  return {
    host: host || 'localhost',
    port: portOf(params.get('port') ?? portText),
    user: named,
    database: params.get('dbname') ?? (decoded(path) || env.PGDATABASE || named),
    ...(password === '' ? {} : { password }),
    schema,
    sslMode: sslModeOf(params.get('sslmode'), host || 'localhost'),
    ...(sslRootCert ? { sslRootCert } : {}),
    ...(sslCert ? { sslCert } : {}),
    ...(sslKey ? { sslKey } : {}),
  };
}

/** A plain name, so that it needs no quoting, short enough for `_queue`. */
export function isSchemaName(text: string): boolean {
  return /^[a-z_][a-z0-9_]{0,55}$/.test(text) && !text.startsWith('pg_');
}

/** Shown to users and passed to other processes: without the password, which they find as this process did. */
export function postgresUrl(address: PostgresAddress): string {
  const socket = address.host.startsWith('/');
  const host = socket ? '' : address.host.includes(':') ? `[${address.host}]` : address.host;
  const params = new URLSearchParams();
  if (socket) params.set('host', address.host);
  if (address.schema !== DEFAULT_SCHEMA) params.set('schema', address.schema);
  if (address.sslMode !== sslModeOf(null, address.host)) params.set('sslmode', address.sslMode);
  if (address.sslRootCert !== undefined) params.set('sslrootcert', address.sslRootCert);
  if (address.sslCert !== undefined) params.set('sslcert', address.sslCert);
  if (address.sslKey !== undefined) params.set('sslkey', address.sslKey);
  const query = params.size === 0 ? '' : `?${params}`;
  const user = encodeURIComponent(address.user);
  return `postgres://${user}@${host}:${address.port}/${encodeURIComponent(address.database)}${query}`;
}

function sslModeOf(named: string | null, host: string): SslMode {
  if (named === null) return host.startsWith('/') || isLoopback(host) ? 'prefer' : 'verify-full';
  const mode = SSL_MODES.find((it) => it === named);
  if (!mode) throw new BadPostgresUrl('sslmode', named);
  return mode;
}

function portOf(text: string | undefined): number {
  if (text === undefined || text === '') return 5432;
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (port < 1 || port > 65535) throw new BadPostgresUrl('port', text);
  return port;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new BadPostgresUrl('form');
  }
}

/** `postgres://…`, `sqlite:/…`, `file:…`; a drive letter (`C:\…`) is not a scheme. */
const ADDRESS = /^\s*(?:[a-z][a-z0-9+.-]+:[/\\]|(?:postgres(?:ql)?|mysql|sqlite3?|file|https?):)/i;
/** SQLite's application id of a ledger file: the letters LSYC. */
export const APPLICATION_ID = 0x4c53_5943;
/** The usual name of the folder with a ledger. */
export const OWN_FOLDER = '.license-sync';

export function isLedgerPath(address: string): boolean {
  return address.trim() !== '' && !ADDRESS.test(address);
}

/** @throws ProductError usage for neither a path nor a server's URL. It is not repeated: it may contain a password. */
export function refuseAddress(address: string): void {
  if (!isLedgerPath(address) && !isPostgresUrl(address))
    throw new ProductError('usage', message('ledger.bad_address'));
}

/** The ledger that applies if the command line names none. */
export interface LedgerChoice {
  readonly place: string;
  /** Contains `.license-sync/` with the local files of this machine. */
  readonly folder: string;
  /** Another ledger in the current folder, where 0.1 searched. */
  readonly former?: string;
}

/** Source of a password; the location of a ledger never contains it. */
export type PasswordSource =
  | SecretSource
  | CommandSource
  /** From the URL. */
  | { readonly kind: 'given'; readonly password: string };

/** Belongs to a server's URL and must not be part of it. */
export interface LedgerAccess {
  readonly password?: PasswordSource;
  readonly env: NodeJS.ProcessEnv;
  /** Contains the state folder of the ledger. */
  readonly folder: string;
}

/** By the URL that `ledgerPlace` returned, until the process exits: ledgers are passed on as texts. */
const ACCESS = new Map<string, LedgerAccess>();

const USUAL_PATIENCE_MS = 60_000;
let patienceMs = USUAL_PATIENCE_MS;

/** How long a run waits for an unavailable server, by the settings that this process read last. */
export function ledgerPatienceMs(): number {
  return patienceMs;
}

/** @param ms from the settings; undefined: default */
export function rememberLedgerPatience(ms: number | undefined): void {
  patienceMs = ms ?? USUAL_PATIENCE_MS;
}

/** A connection without a reply for this long is considered broken (docs/team.md). */
const USUAL_REPLY_MS = 10_000;
let replyMs = USUAL_REPLY_MS;

export function ledgerReplyMs(): number {
  return replyMs;
}

/** @param ms shorter in tests; undefined: default */
export function rememberLedgerReply(ms: number | undefined): void {
  replyMs = ms ?? USUAL_REPLY_MS;
}

interface LedgerPlaceOptions {
  readonly env?: NodeJS.ProcessEnv;
  /** Contains the local files of a server's ledger; default the folder that paths are relative to. */
  readonly stateIn?: string;
  readonly password?: PasswordSource;
  readonly schema?: string;
}

/**
 * The location of a ledger named on the command line, in a call, in the environment or in settings: an absolute path
 * (relative paths start at `folder`), or a server's URL without its password, which is remembered.
 * @throws ProductError usage for another address, or a URL with an invalid part
 */
export function ledgerPlace(
  address: string,
  folder: string,
  { env = process.env, stateIn = folder, ...options }: LedgerPlaceOptions = {},
): string {
  refuseAddress(address);
  if (!isPostgresUrl(address)) return resolve(folder, address);
  try {
    const { password: given, ...parsed } = parsePostgresUrl(address, env);
    const { schema = parsed.schema } = options;
    const place = postgresUrl({ ...parsed, schema });
    const known = ACCESS.get(place);
    const password: PasswordSource | undefined =
      given === undefined ? (options.password ?? known?.password) : { kind: 'given', password: given };
    ACCESS.set(place, { env, folder: stateIn, ...(password ? { password } : {}) });
    if (given !== undefined) rememberSecret(given);
    withholdVariables(['PGPASSWORD', ...(password?.kind === 'env' ? [password.name] : [])]);
    return place;
  } catch (error) {
    if (error instanceof BadPostgresUrl) throw new ProductError('usage', badUrl(error));
    throw error;
  }
}

/** The location for an address that comes from `ledgerPlace` or from another caller. */
export function placeOfAddress(address: string): string {
  return ACCESS.has(address) ? address : ledgerPlace(address, process.cwd());
}

/** Environment, folder and password source of a location that `ledgerPlace` returned. */
export function accessOf(place: string): LedgerAccess {
  return ACCESS.get(place) ?? { env: process.env, folder: process.cwd() };
}

/**
 * The password of a ledger, from the source named by its URL or settings, or from `PGPASSWORD`. If undefined, `~/.pgpass` is used.
 * @throws ProductError usage that names the source, never the value
 */
export async function passwordOf({ password, env }: LedgerAccess): Promise<string | undefined> {
  if (password && password.kind !== 'given') {
    const found = await readSecret(password, env);
    if (found.kind === 'text') return found.text;
    throw new ProductError('usage', message(`ledger.password_${found.why}`, found.params));
  }
  const text = password ? password.password : env.PGPASSWORD || undefined;
  if (text !== undefined) rememberSecret(text);
  return text;
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

/** The state folder of a ledger's location, whether it exists or not. */
export function stateFolderOf(place: string): string {
  return isPostgresUrl(place) ? join(accessOf(place).folder, OWN_FOLDER) : dirname(place);
}
