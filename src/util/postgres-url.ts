import { userInfo } from 'node:os';
import { isLoopback } from './loopback.js';

/** How a session is protected, in the words and the meaning of PostgreSQL's own clients. */
export const SSL_MODES = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'] as const;
export type SslMode = (typeof SSL_MODES)[number];

export const DEFAULT_SCHEMA = 'license_sync';

/** What a URL says of a server, a database and how to get in. */
export interface PostgresAddress {
  /** A name, an address, or the folder of a socket. */
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
  readonly password?: string;
  readonly schema: string;
  readonly sslMode: SslMode;
  /** Files. */
  readonly sslRootCert?: string;
  readonly sslCert?: string;
  readonly sslKey?: string;
}

/** What is wrong with a URL, as a word and what it is about. It is never repeated whole: it may hold a password. */
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
  // Said by many providers; what they ask for holds anyway, or makes no difference here.
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
 * @param env `PGUSER` and `PGDATABASE` stand in for what the URL leaves out
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

/** A plain name, so that it needs no quoting anywhere, and leaves room for `_queue`. */
export function isSchemaName(text: string): boolean {
  return /^[a-z_][a-z0-9_]{0,55}$/.test(text) && !text.startsWith('pg_');
}

/** For people and other processes: without the password, which they find as this one did. */
export function postgresUrl(it: PostgresAddress): string {
  const socket = it.host.startsWith('/');
  const host = socket ? '' : it.host.includes(':') ? `[${it.host}]` : it.host;
  const params = new URLSearchParams();
  if (socket) params.set('host', it.host);
  if (it.schema !== DEFAULT_SCHEMA) params.set('schema', it.schema);
  if (it.sslMode !== sslModeOf(null, it.host)) params.set('sslmode', it.sslMode);
  if (it.sslRootCert !== undefined) params.set('sslrootcert', it.sslRootCert);
  if (it.sslCert !== undefined) params.set('sslcert', it.sslCert);
  if (it.sslKey !== undefined) params.set('sslkey', it.sslKey);
  const query = params.size === 0 ? '' : `?${params}`;
  const user = encodeURIComponent(it.user);
  return `postgres://${user}@${host}:${it.port}/${encodeURIComponent(it.database)}${query}`;
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
