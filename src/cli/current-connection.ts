import { loadConnections, resolveConnection } from '../job/connections.js';
import type { Run } from '../ledger/contract.js';
import type { Connection } from '../model/connection.js';

/**
 * The connection of a run, or another one by its name, as it is configured now (its address or token may have been
 * mended); undefined when the run's own is configured no more.
 */
export async function currentConnection(run: Run, flag?: string): Promise<Connection | undefined> {
  const connections = await loadConnections(run.jobFile, { env: process.env, cwd: process.cwd() });
  if (flag === undefined && !connections.connections.has(run.connection)) return undefined;
  return resolveConnection(connections, { flag: flag ?? run.connection });
}
