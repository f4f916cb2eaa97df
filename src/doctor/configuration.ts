import { message } from '../errors/message.js';
import { type Connections, loadConnections, resolveConnection } from '../job/connections.js';
import { loadJobFile } from '../job/load.js';
import { type LocatedLedger, locateLedger } from '../ledger/open.js';
import type { Connection } from '../model/connection.js';
import { type AnyJob, operationsOf, workOf } from '../model/job.js';
import { withholdFromPrograms } from '../notify/secret.js';
import { COMPARISONS } from '../platform/comparisons/index.js';
import { CATALOGUE_SHAPES, operationNamed } from '../platform/operations/index.js';
import { type DoctorFinding, faultOf, finding } from './step.js';

export interface DoctorOptions {
  /** Absolute; absent: the connection of the current folder. */
  readonly jobFile?: string;
  /** Name given on the command line. */
  readonly connection?: string;
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
}

/** What the files say; parts are absent where their step is at fault. */
interface Configuration {
  readonly findings: readonly DoctorFinding[];
  readonly connection?: Connection;
  readonly ledger?: LocatedLedger;
}

/** Reads `license-sync.yaml`, the job if one is named, and finds the connection. */
export async function readConfiguration(asked: DoctorOptions): Promise<Configuration> {
  const findings: DoctorFinding[] = [];
  const connections = await found(asked, findings);
  const job = asked.jobFile === undefined ? undefined : await readJob(asked.jobFile, asked, findings);
  if (!connections) return { findings };
  const ledger = await locateLedger(connections.ledger);
  // Without its job nobody knows which connection is meant, unless one was named.
  if (asked.jobFile !== undefined && !job && asked.connection === undefined) return { findings, ledger };
  try {
    const wanted = { flag: asked.connection, job: job?.connection };
    // With no word about it anywhere, the built-in one is what a newcomer has.
    const none = asked.jobFile === undefined && wanted.flag === undefined && hasNoDefault(connections);
    const connection = resolveConnection(connections, none ? { flag: 'sandbox' } : wanted);
    findings.push(aboutConnection(connection, job));
    withholdFromPrograms([...(job?.notify ?? []), ...(connection.notify ?? [])], asked.env);
    return { findings, ledger, connection };
  } catch (error) {
    findings.push(faultOf('connection', error));
    return { findings, ledger };
  }
}

async function found(asked: DoctorOptions, findings: DoctorFinding[]): Promise<Connections | undefined> {
  try {
    const connections = await loadConnections(asked.jobFile, { env: asked.env, cwd: asked.cwd });
    const { configFile: file } = connections;
    const say =
      file === undefined ? message('doctor.no_configuration') : message('doctor.configuration', { file });
    findings.push(finding('configuration', 'ok', say));
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
    const options = { env, operations: CATALOGUE_SHAPES, comparisons: COMPARISONS };
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
  const needing = job && operationsOf(job).find((name) => operationNamed(name).endpoint.needsAppKey);
  if (needing && appKey === undefined) {
    const params = { connection: connectionName, operation: needing };
    return finding('connection', 'fault', message('run.needs_app_key', params));
  }
  if (connection.sandbox) {
    return finding('connection', 'ok', message('doctor.connection_sandbox', { name: connectionName }));
  }
  const params = { name: connectionName, address: connection.baseUrl ?? '' };
  if (appKey === undefined) return finding('connection', 'warning', message('doctor.no_app_key', params));
  return finding('connection', 'ok', message('doctor.connection', params));
}
