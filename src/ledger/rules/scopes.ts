import { type Connection, hostNameOf, platformAddress } from '../../model/connection.js';
import type { JsonObject } from '../../model/json.js';
import { isLoopback } from '../../util/loopback.js';
import type { OnPlatform } from '../contract/sending-guard.js';

/** The members of a connection that determine its platform. */
export type PlatformOf = Pick<Connection, 'name' | 'sandbox' | 'baseUrl' | 'served' | 'platform'>;

const SANDBOX = 'sandbox';
const NAMED = 'platform:';

/** The host (and port) that a connection was configured with; undefined for a sandbox that is started or found when needed. */
export function hostOf({ baseUrl, served }: Pick<Connection, 'baseUrl' | 'served'>): string | undefined {
  return baseUrl === undefined || served ? undefined : new URL(baseUrl).host;
}

/**
 * The platform of a connection: its normalised address, or the name that `platform` gives it. Everything that applies to one
 * platform goes by it: repeats, unknown items, one run of a job at a time. The connection's name, `appKey` and time zone
 * do not matter. A sandbox is a separate platform.
 */
export function scopeOf({ name, sandbox, baseUrl, served, platform }: PlatformOf): string {
  const address = baseUrl === undefined || served ? undefined : platformAddress(baseUrl);
  if (sandbox) return address === undefined ? SANDBOX : `${SANDBOX} ${address}`;
  if (platform !== undefined) return `${NAMED}${platform}`;
  return address ?? name;
}

export function onPlatform(connection: PlatformOf): OnPlatform {
  return { connection: connection.name, scope: scopeOf(connection) };
}

/** The selection of a worker: a connection with its platform. Another connection to it may have another credential. */
export function lineOf(connection: PlatformOf): string {
  return `${connection.name} ${scopeOf(connection)}`;
}

/** The host of a scope, for users; undefined if it is not known. */
export function hostOfScope(scope: string): string | undefined {
  const address = addressOf(scope);
  if (address !== undefined) return new URL(address).host;
  return formerHost(scope);
}

/** The host of a run as it was configured; of a pruned run, as far as its scope shows it. */
export function hostOfRun({
  scope,
  settings,
}: {
  readonly scope: string;
  readonly settings: JsonObject;
}): string | undefined {
  const { connection } = settings as { readonly connection?: Pick<Connection, 'baseUrl'> };
  return (connection && hostOf(connection)) ?? (connection ? undefined : hostOfScope(scope));
}

/** The platform of a connection as it is configured. */
export function shownPlatform({ name, baseUrl, platform }: PlatformOf): string {
  return platform === undefined ? (baseUrl ?? name) : `platform ${platform}`;
}

/** A scope as shown to users. */
export function shownScope(scope: string): string {
  return scope.startsWith(NAMED) ? `platform ${scope.slice(NAMED.length)}` : scope;
}

/**
 * Whether keys of one scope apply to runs of the other, although the scopes differ. Ledgers of 0.1 have scopes `NAME HOST`,
 * and older ones `NAME`. They are migrated with the data of their runs, which pruned runs no longer have: their keys apply to
 * every platform that may be theirs. A missing order can be sent later; an order sent twice cannot be reverted.
 * @param connection the name of the run's connection
 */
export function sharesKeys(a: string, b: string, connection: string): boolean {
  if (a === b) return true;
  if (isSandbox(a) || isSandbox(b)) {
    if (!isSandbox(a) || !isSandbox(b)) return false;
    return a === SANDBOX || b === SANDBOX || sameHost(a, b);
  }
  return mayInclude(a, b, connection) || mayInclude(b, a, connection);
}

/** Whether a scope of an earlier version may belong to that platform. */
function mayInclude(former: string, scope: string, connection: string): boolean {
  if (addressOf(former) !== undefined || former.startsWith(NAMED)) return false;
  if (formerHost(former) === undefined) return former === connection;
  // The address of a named platform is not known here.
  if (scope.startsWith(NAMED)) return former.startsWith(`${connection} `);
  return sameHost(former, scope);
}

function sameHost(a: string, b: string): boolean {
  const host = normalHostOf(a);
  return host !== undefined && host === normalHostOf(b);
}

function normalHostOf(scope: string): string | undefined {
  const host = hostOfScope(scope);
  if (host === undefined || !URL.canParse(`https://${host}`)) return undefined;
  const url = new URL(`https://${host}`);
  return `${hostNameOf(url)}:${url.port}`;
}

function isSandbox(scope: string): boolean {
  if (scope === SANDBOX) return true;
  if (!scope.startsWith(`${SANDBOX} `)) return false;
  const host = hostOfScope(scope);
  // In ledgers of 0.1 a connection with this name may lead to a real platform.
  return host !== undefined && isLoopback(hostNameOf(new URL(`https://${host}`)));
}

function addressOf(scope: string): string | undefined {
  const address = scope.startsWith(`${SANDBOX} http`) ? scope.slice(SANDBOX.length + 1) : scope;
  return /^https?:\/\//.test(address) ? address : undefined;
}

/** The host of a scope `NAME HOST`. */
function formerHost(scope: string): string | undefined {
  if (scope.startsWith(NAMED)) return undefined;
  const [, host] = /^\S.* (\S+)$/.exec(scope) ?? [];
  // Only a host and its port: a name may contain anything.
  return host !== undefined && URL.canParse(`https://${host}`) && !host.includes('/') ? host : undefined;
}

/** A scope as stored. */
export interface NamedScope {
  readonly id: number;
  readonly name: string;
}

/** A scope as stored, with the connection of the run for which it is read. */
export interface ScopeLine extends NamedScope {
  readonly connection: string;
}

/** Ids of all scopes whose keys apply on a platform. */
export function scopesOf({ connection, scope }: OnPlatform, all: readonly NamedScope[]): readonly number[] {
  return all.filter((it) => sharesKeys(scope, it.name, connection)).map((it) => it.id);
}

/** Ids of the other scopes whose keys apply to the run, too. */
export function relatedScopesOf(id: number, all: readonly ScopeLine[]): readonly number[] {
  const scope = all.find((it) => it.id === id);
  if (!scope) return [];
  return all
    .filter((it) => it.id !== id && sharesKeys(scope.name, it.name, scope.connection))
    .map((it) => it.id);
}
