import { dirname, resolve } from 'node:path';
import { message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import { type Connection, policiesOf, policyHost } from '../model/connection.js';
import { type LedgerChoice, ledgerPlace } from '../util/ledger-place.js';
import { nearestName } from '../util/nearest.js';
import { environmentConnection, SANDBOX, USUAL_CONSOLE, WORKER_LEASE_MS } from './built-in-connections.js';
import type { Config } from './config-file.js';
import { defaultLedger, findConfig } from './find-config.js';
import { type Problem, throwProblems } from './problem.js';

export interface Connections extends Omit<Config, 'namedLedger'> {
  /** Absolute; absent when there is none. */
  readonly configFile?: string;
  /** Which one it is tells `locateLedger`. */
  readonly ledger: LedgerChoice;
}

export interface ConnectionOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
}

/**
 * Finds `license-sync.yaml` upwards from the job file's folder (from `cwd` when there is no job) and reads it, with
 * the built-in connection `sandbox` and the connection `env` where LICENSE_SYNC_BASE_URL is set (contract section 3).
 * Throws a `ProblemsError` of kind usage with everything wrong in the file.
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
      console: USUAL_CONSOLE,
      connections,
      withheld,
    };
  }
  // Loaded only when used: without such a file, commands that read none start faster.
  const { readConfig } = await import('./config-file.js');
  const { namedLedger, ...config } = await readConfig(configFile, { connections, withheld }, options);
  return {
    configFile,
    ...config,
    connections: withHostApprovals(config.connections),
    ledger: fromVariable() ?? (namedLedger === undefined ? byDefault : choice(namedLedger)),
  };
}

/** What one connection wants holds over every other one that leads to the same host, whatever that is called. */
function withHostApprovals(connections: ReadonlyMap<string, Connection>): Map<string, Connection> {
  const wanting = [...connections.values()].filter((it) => policiesOf(it).length > 0);
  return new Map(
    [...connections].map(([name, it]) => {
      const host = policyHost(it);
      const others = wanting.filter(
        (other) => host !== undefined && other !== it && policyHost(other) === host,
      );
      const hostApprovals = others.flatMap((other) => policiesOf(other));
      return [name, hostApprovals.length === 0 ? it : { ...it, hostApprovals }];
    }),
  );
}

/** The connection that a job runs on, by the first of: `--connection`, the job, `defaultConnection`, the environment. */
export function resolveConnection(
  from: Connections,
  wanted: { readonly flag?: string | undefined; readonly job?: string | undefined },
): Connection {
  const hasEnv = from.connections.has('env') || from.withheld.has('env');
  const name = wanted.flag ?? wanted.job ?? from.defaultConnection ?? (hasEnv ? 'env' : undefined);
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
