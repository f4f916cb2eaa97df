import { message } from '../errors/message.js';
import { type Connections, loadConnections, resolveConnection } from '../job/connections.js';
import { loadJobFile } from '../job/load.js';
import { type LocatedLedger, locateLedger } from '../ledger/open.js';
import type { Connection } from '../model/connection.js';
import { type AnyJob, operationsOf, workOf } from '../model/job.js';
import { withholdFromPrograms } from '../notify/secret.js';
import { ALL_OPERATIONS, COMPARISONS, operationNamed } from '../platform/operations/catalogue.js';
import { type DoctorFinding, faultOf, finding } from './step.js';

export interface DoctorOptions {
  /** Absolute; absent: the connection of the current folder. */
  readonly jobFile?: string;
  /** Name given on the command line. */
  readonly connection?: string;
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
}

/** The configuration; parts whose step failed are absent. */
interface Configuration {
  readonly findings: readonly DoctorFinding[];
  readonly connection?: Connection;
  readonly ledger?: LocatedLedger;
}

/** Reads `license-sync.yaml` and the job if one is named, and resolves the connection. */
export async function readConfiguration(options: DoctorOptions): Promise<Configuration> {
  const findings: DoctorFinding[] = [];
  const connections = await readConnections(options, findings);
  const job = options.jobFile === undefined ? undefined : await readJob(options.jobFile, options, findings);
  if (!connections) return { findings };
  const ledger = await locateLedger(connections.ledger);
  // If the job is invalid, the connection is unknown unless one was named.
  if (options.jobFile !== undefined && !job && options.connection === undefined) return { findings, ledger };
  try {
    const named = { flag: options.connection, job: job?.connection };
    // If no connection is configured, the built-in sandbox is checked.
    const isUnconfigured =
      options.jobFile === undefined && named.flag === undefined && hasNoDefault(connections);
    const connection = resolveConnection(connections, isUnconfigured ? { flag: 'sandbox' } : named);
    findings.push(aboutConnection(connection, job));
    withholdFromPrograms([...(job?.notify ?? []), ...(connection.notify ?? [])], options.env);
    return { findings, ledger, connection };
  } catch (error) {
    findings.push(faultOf('connection', error));
    return { findings, ledger };
  }
}

async function readConnections(
  options: DoctorOptions,
  findings: DoctorFinding[],
): Promise<Connections | undefined> {
  try {
    const connections = await loadConnections(options.jobFile, { env: options.env, cwd: options.cwd });
    const { configFile: file } = connections;
    const text =
      file === undefined ? message('doctor.no_configuration') : message('doctor.configuration', { file });
    findings.push(finding('configuration', 'ok', text));
    return connections;
  } catch (error) {
    findings.push(faultOf('configuration', error));
    return undefined;
  }
}

async function readJob(
  file: string,
  { env }: DoctorOptions,
  findings: DoctorFinding[],
): Promise<AnyJob | undefined> {
  try {
    const options = { env, operations: ALL_OPERATIONS, comparisons: COMPARISONS };
    const job = await loadJobFile(file, options);
    const params = { file, name: job.name, operation: workOf(job) };
    findings.push(finding('job', 'ok', message('doctor.job', params)));
    return job;
  } catch (error) {
    findings.push(faultOf('job', error));
    return undefined;
  }
}

function hasNoDefault({ defaultConnection, connections, withheld }: Connections): boolean {
  return defaultConnection === undefined && !connections.has('env') && !withheld.has('env');
}

function aboutConnection(connection: Connection, job: AnyJob | undefined): DoctorFinding {
  const { name: connectionName, appKey } = connection;
  const operation = job && operationsOf(job).find((name) => operationNamed(name).endpoint.needsAppKey);
  if (operation && appKey === undefined) {
    const params = { connection: connectionName, operation };
    return finding('connection', 'fault', message('run.needs_app_key', params));
  }
  if (connection.sandbox) {
    return finding('connection', 'ok', message('doctor.connection_sandbox', { name: connectionName }));
  }
  const params = { name: connectionName, address: connection.baseUrl ?? '' };
  if (appKey === undefined) return finding('connection', 'warning', message('doctor.no_app_key', params));
  return finding('connection', 'ok', message('doctor.connection', params));
}
