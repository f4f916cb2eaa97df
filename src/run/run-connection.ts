import { message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import { type ConnectionOptions, loadConnections, resolveConnection } from '../job/connections.js';
import type { Run } from '../ledger/contract/run.js';
import { hostOf, scopeOf, shownPlatform } from '../ledger/rules/scopes.js';
import type { Connection } from '../model/connection.js';
import { withholdFromPrograms } from '../notify/secret.js';
import { unpackSettings } from './settings.js';

/**
 * The connection for whoever continues a run. It is looked up by the run's connection name, in the settings found
 * upwards from the job file: the current folder may have another connection of that name, to another platform. Token
 * and limits are as configured now. If the connection is no longer configured, the one kept with the run is used.
 * @param asked another connection by name, where the command allows that
 * @throws ProductError usage for one that isn't configured, and for the run's own when it leads to another host now
 */
export async function connectionOfRun(
  run: Run,
  options: ConnectionOptions,
  asked?: string,
): Promise<Connection> {
  const connections = await loadConnections(run.jobFile, options);
  const name = asked ?? run.connection;
  const known = connections.connections.has(name) || connections.withheld.has(name);
  // A pruned run has no connection. It is refused before the connection is used.
  const connection =
    known || asked !== undefined
      ? resolveConnection(connections, { flag: name })
      : unpackSettings(run.settings).connection;
  if (!connection) return connection;
  withholdFromPrograms(connection.notify ?? [], options.env);
  refuseOtherHost(run, connection);
  return connection;
}

/**
 * Refuses another connection than the run's own. Half of the run would be on one platform and half on another, and its
 * result would tell both as one.
 * @param asked by name, if one was
 * @throws ProductError usage when it isn't the run's own
 */
export function refuseOtherConnection(run: Run, asked: string | undefined): void {
  if (asked === undefined || asked === run.connection) return;
  const params = { run: run.id, own: run.connection, asked };
  throw new ProductError('usage', message('run.other_connection', params));
}

/**
 * Refuses to continue a run whose connection leads to another host now. Half of the run would be on another platform,
 * and what that platform answers proves nothing about the first.
 * @throws ProductError usage, naming both hosts
 */
export function refuseOtherHost(run: Run, connection: Connection): void {
  if (connection.name !== run.connection || run.prunedAt !== undefined) return;
  const kept = unpackSettings(run.settings).connection;
  if (hostOf(kept) === undefined || scopeOf(kept) === scopeOf(connection)) return;
  const [before, now] = [shownPlatform(kept), shownPlatform(connection)];
  const params = { run: run.id, connection: run.connection, before, now };
  throw new ProductError('usage', message('run.other_host', params));
}
