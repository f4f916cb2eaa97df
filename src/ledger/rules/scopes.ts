import type { Connection } from '../../model/connection.js';

/**
 * The host (and port) that a connection was configured with; undefined for a sandbox that is started or found when it is
 * needed, whose address changes with every start.
 */
export function hostOf({ baseUrl, served }: Pick<Connection, 'baseUrl' | 'served'>): string | undefined {
  return baseUrl === undefined || served ? undefined : new URL(baseUrl).host;
}

/**
 * The name under which runs of a connection find each other's repeats. Connections of one name that lead to different
 * hosts are different platforms: what one of them carried out says nothing of the other.
 *
 * Ledgers of 0.1 have scopes that are the bare name, of an unknown host. Those hold keys back for every host of that
 * name: an order too few can be sent later, an order too many can't be taken back.
 */
export function scopeOf(connection: Pick<Connection, 'name' | 'baseUrl' | 'served'>): string {
  const host = hostOf(connection);
  return host === undefined ? connection.name : `${connection.name} ${host}`;
}

/** The host of a run's scope; undefined where it isn't known, or changed with every start. */
export function hostOfScope({
  connection,
  scope,
}: {
  readonly connection: string;
  readonly scope: string;
}): string | undefined {
  const start = `${connection} `;
  return scope.startsWith(start) ? scope.slice(start.length) : undefined;
}

/**
 * Whether keys of one scope hold for runs of the other: both are of one name, and the host of one of them isn't known,
 * so that they may be the same platform.
 */
export function sharesKeys(one: string, other: string, connection: string): boolean {
  const own = `${connection} `;
  if (one === other) return true;
  return one === connection ? other.startsWith(own) : one.startsWith(own) && other === connection;
}

/** A scope as a dialect keeps it; `connection` is that of the run that is asked about. */
export interface ScopeLine {
  readonly id: number;
  readonly name: string;
  readonly connection: string;
}

/** Ids of the scopes beside a run's own whose keys hold for it too. */
export function kindredOf(own: number, all: readonly ScopeLine[]): readonly number[] {
  const mine = all.find((it) => it.id === own);
  if (!mine) return [];
  return all
    .filter((it) => it.id !== own && sharesKeys(mine.name, it.name, mine.connection))
    .map((it) => it.id);
}
