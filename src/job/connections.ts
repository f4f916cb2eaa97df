import { dirname, resolve } from 'node:path';
import { message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import { type Connection, policiesOf, policyHost } from '../model/connection.js';
import { type LedgerChoice, ledgerPlace } from '../util/ledger-address.js';
import { nearestName } from '../util/name-match.js';
import { DEFAULT_CONSOLE, environmentConnection, SANDBOX, WORKER_LEASE_MS } from './built-in-connections.js';
import type { Config } from './config-file.js';
import { defaultLedger, findConfig } from './find-config.js';
import { type Problem, throwProblems } from './problem.js';

export interface Connections extends Omit<Config, 'namedLedger'> {
  /** Absolute; absent if there is no file. */
  readonly configFile?: string;
  /** `locateLedger` resolves it. */
  readonly ledger: LedgerChoice;
}

export interface ConnectionOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
}

/**
 * Finds `license-sync.yaml` upwards from the job file's folder (from `cwd` without a job) and reads it. Adds the built-in
 * connection `sandbox`, and the connection `env` if LICENSE_SYNC_BASE_URL is set (contract section 3).
 * @throws ProblemsError usage with all problems of the file
 */
export async function loadConnections(
  jobFile: string | undefined,
  options: ConnectionOptions,
): Promise<Connections> {
  const { env, cwd } = options;
  const connections = new Map<string, Connection>([['sandbox', SANDBOX]]);
  const withheld = new Map<string, readonly Problem[]>();
  const fromEnvironment = environmentConnection(env);
  if (fromEnvironment?.connection) connections.set('env', fromEnvironment.connection);
  else if (fromEnvironment) withheld.set('env', fromEnvironment.problems);

  const folder = jobFile ? dirname(resolve(cwd, jobFile)) : cwd;
  const configFile = await findConfig(folder);
  const byDefault = await defaultLedger(folder, configFile, options);
  const choice = (place: string): LedgerChoice => ({ place, folder: byDefault.folder });
  const moved = env.LICENSE_SYNC_LEDGER;
  const fromVariable = (): LedgerChoice | undefined =>
    moved ? choice(ledgerPlace(moved, cwd, { env, stateIn: byDefault.folder })) : undefined;
  if (!configFile) {
    return {
      ledger: fromVariable() ?? byDefault,
      workerLeaseMs: WORKER_LEASE_MS,
      console: DEFAULT_CONSOLE,
      connections,
      withheld,
    };
  }
  // Imported on demand, so that commands without a configuration file start faster.
  const { readConfig } = await import('./config-file.js');
  const { namedLedger, ...config } = await readConfig(configFile, { connections, withheld }, options);
  return {
    configFile,
    ...config,
    connections: withHostApprovals(config.connections),
    ledger: fromVariable() ?? (namedLedger === undefined ? byDefault : choice(namedLedger)),
  };
}

/** An approval that one connection requires applies to all connections to the same host, whatever their names. */
function withHostApprovals(connections: ReadonlyMap<string, Connection>): Map<string, Connection> {
  const withPolicies = [...connections.values()].filter((connection) => policiesOf(connection).length > 0);
  return new Map(
    [...connections].map(([name, connection]) => {
      const host = policyHost(connection);
      const sameHost = withPolicies.filter(
        (policy) => host !== undefined && policy !== connection && policyHost(policy) === host,
      );
      const hostApprovals = sameHost.flatMap(policiesOf);
      return [name, hostApprovals.length === 0 ? connection : { ...connection, hostApprovals }];
    }),
  );
}

/** The connection of a job, named by the first of: `--connection`, the job, `defaultConnection`, the environment. */
export function resolveConnection(
  from: Connections,
  requested: { readonly flag?: string; readonly job?: string },
): Connection {
  const hasEnv = from.connections.has('env') || from.withheld.has('env');
  const name = requested.flag ?? requested.job ?? from.defaultConnection ?? (hasEnv ? 'env' : undefined);
  const names = [...new Set([...from.connections.keys(), ...from.withheld.keys()])];
  const known = names.join(', ');
  if (name === undefined) throw new ProductError('usage', message('job.no_connection', { known }));
  const found = from.connections.get(name);
  if (found) return found;
  throwProblems(from.withheld.get(name) ?? []);
  const near = nearestName(name, names);
  throw new ProductError(
    'usage',
    near === undefined
      ? message('job.unknown_connection_far', { name, known })
      : message('job.unknown_connection', { name, near, known }),
  );
}
