import { message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import { type ConnectionOptions, loadConnections, resolveConnection } from '../job/connections.js';
import type { Run } from '../ledger/contract/runs.js';
import { hostOf, scopeOf, shownPlatform } from '../ledger/rules/scopes.js';
import type { Connection } from '../model/connection.js';
import { withholdFromPrograms } from '../notify/secret.js';
import { unpackSettings } from './settings.js';

/**
 * The connection for continuing a run. It is looked up by the run's connection name, in the settings found upwards from
 * the job file, because the current folder may have another connection of that name. Token and limits are as configured
 * now. If the connection is no longer configured, the one stored with the run is used.
 * @param requested another connection by name, if the command allows that
 * @throws ProductError usage if it is not configured, and if the run's own connection has another host now
 */
export async function connectionOfRun(
  run: Run,
  options: ConnectionOptions,
  requested?: string,
): Promise<Connection> {
  const connections = await loadConnections(run.jobFile, options);
  const name = requested ?? run.connection;
  const known = connections.connections.has(name) || connections.withheld.has(name);
  // A pruned run has no connection. It is refused before the connection is used.
  const connection =
    known || requested !== undefined
      ? resolveConnection(connections, { flag: name })
      : unpackSettings(run.settings).connection;
  if (!connection) return connection;
  withholdFromPrograms(connection.notify ?? [], options.env);
  refuseOtherHost(run, connection);
  return connection;
}

/**
 * Rejects another connection than the run's own. Part of the run would be on one platform and part on another, and its
 * result would mix both.
 * @param requested the connection's name, if one was given
 * @throws ProductError usage if it is not the run's own
 */
export function refuseOtherConnection(run: Run, requested: string | undefined): void {
  if (requested === undefined || requested === run.connection) return;
  const params = { run: run.id, own: run.connection, asked: requested };
  throw new ProductError('usage', message('run.other_connection', params));
}

/**
 * Refuses to continue a run whose connection has another host now. Part of the run would be on another platform, whose
 * replies prove nothing about the first.
 * @throws ProductError usage, naming both hosts
 */
export function refuseOtherHost(run: Run, connection: Connection): void {
  if (connection.name !== run.connection || run.prunedAt !== undefined) return;
  const stored = unpackSettings(run.settings).connection;
  if (hostOf(stored) === undefined || scopeOf(stored) === scopeOf(connection)) return;
  const [before, now] = [shownPlatform(stored), shownPlatform(connection)];
  const params = { run: run.id, connection: run.connection, before, now };
  throw new ProductError('usage', message('run.other_host', params));
}
