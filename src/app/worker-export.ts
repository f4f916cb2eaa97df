import path from 'node:path';
import { loadConnections } from '../job/connections.js';
import type { ExportedFile } from '../model/exported-file.js';
import { VERSION } from '../util/own-package.js';
import { parsePostgresUrl, postgresUrl } from '../util/postgres-url.js';
import { workerManifests } from '../workers/export/kubernetes.js';
import { workerUnits } from '../workers/export/systemd.js';
import type { AppContext } from './context.js';
import { ledgerOf } from './open.js';
import { refuseFile } from './team.js';
import type { WorkerInput } from './worker.js';

interface WorkerExportInput extends Pick<WorkerInput, 'slots' | 'connections' | 'logFile'> {
  readonly format: 'systemd' | 'kubernetes';
  readonly image?: string;
  /** The program and its first arguments, as it is to be started. */
  readonly program: readonly string[];
}

/**
 * `worker --export`: what keeps a worker running elsewhere, as files without any secret.
 * @throws ProductError usage where the ledger is a file
 */
export async function workerFiles(
  context: AppContext,
  input: WorkerExportInput,
): Promise<readonly ExportedFile[]> {
  const { env, cwd, ledger } = context;
  const settings = await loadConnections(undefined, { env, cwd });
  const moved = ledger ?? env.LICENSE_SYNC_LEDGER;
  const location = await ledgerOf(context, settings);
  refuseFile('worker', location);
  const { connections, logFile, slots, program, image } = input;
  const tokens = [...settings.connections.values()].flatMap(({ token }) =>
    token.kind === 'env' ? [token.name] : [],
  );
  const ground = {
    home: settings.configFile === undefined ? cwd : path.dirname(settings.configFile),
    program,
    slots,
    connections,
    logFile,
    ...(moved ? { movedLedger: postgresUrl(parsePostgresUrl(location)) } : {}),
    secrets: [...new Set([...tokens, 'LICENSE_SYNC_LEDGER_PASSWORD'])],
    image: image ?? `license-sync:${VERSION}`,
    version: VERSION,
  };
  return input.format === 'systemd' ? workerUnits(ground) : workerManifests(ground);
}
