import { message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import { type ConnectionOptions, loadConnections, resolveConnection } from '../job/connections.js';
import type { Run } from '../ledger/contract/run.js';
import { hostOf } from '../ledger/rules/scopes.js';
import type { Connection } from '../model/connection.js';
import { withholdFromPrograms } from '../notify/secret.js';
import { unpackSettings } from './settings.js';

/**
 * The connection for whoever goes on with a run: by its name from the settings of its job, found upwards from the job
 * file and never from where the command is called, where the same name may lead to another platform. Its token and
 * limits are as they are configured now; what the run kept stands in where it is configured no more.
 * @param asked another one by name, where the command allows that
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
  // A pruned run has kept nothing; what refuses it comes before the connection is used.
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
 * Half a run on one platform and half on another would be told as one.
 * @param asked by name, if one was
 * @throws ProductError usage when it isn't the run's own
 */
export function refuseOtherConnection(run: Run, asked: string | undefined): void {
  if (asked === undefined || asked === run.connection) return;
  const params = { run: run.id, own: run.connection, asked };
  throw new ProductError('usage', message('run.other_connection', params));
}

/**
 * A run belongs to the platform that it was made for. One whose connection leads elsewhere now is not gone on with:
 * half of it would stand on another platform, and what that one says proves nothing of the first.
 * @throws ProductError usage, naming both hosts
 */
export function refuseOtherHost(run: Run, connection: Connection): void {
  if (connection.name !== run.connection || run.prunedAt !== undefined) return;
  const before = hostOf(unpackSettings(run.settings).connection);
  const now = hostOf(connection);
  if (before === undefined || before === now) return;
  const params = { run: run.id, connection: run.connection, before, now: now ?? 'sandbox' };
  throw new ProductError('usage', message('run.other_host', params));
}
