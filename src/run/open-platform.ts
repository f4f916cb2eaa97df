import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Connection } from '../model/connection.js';
import type { JobBase } from '../model/job.js';
import type { Series } from '../model/run-outcome.js';
import type { PlatformClient } from '../platform/client/client.js';
import { OWN_FOLDER } from '../util/ledger-address.js';
import { isAlive, ownProcess } from '../util/process.js';

export interface OpenedPlatform {
  readonly client: PlatformClient;
  close(): Promise<void>;
}

/** The file with the address of a served sandbox, next to the ledger. */
export function sandboxNote(stateFolder: string): string {
  return path.join(stateFolder, 'sandbox.json');
}

/**
 * A client for the connection. For the sandbox: the one served from this state folder or in the current folder,
 * otherwise one started in this process for the duration of the run.
 * @param series numbers of a started sandbox, if other processes execute, or executed, the same run
 * @throws ProductError usage if the credential is unavailable or the address is not allowed
 */
export async function openPlatform(
  connection: Connection,
  job: Pick<JobBase, 'run'>,
  stateFolder: string,
  env?: NodeJS.ProcessEnv,
  series?: Series,
): Promise<OpenedPlatform> {
  const platform = await locatePlatform(connection, stateFolder, series);
  try {
    const { connection } = platform;
    // Loaded on first sending, so that checks and refusals do not wait for it.
    const { createClient } = await import('../platform/client/client.js');
    const client = await createClient({ connection, concurrency: job.run.concurrency, env });
    return {
      client,
      close: async () => {
        await client.close();
        await platform.close();
      },
    };
  } catch (error) {
    await platform.close();
    throw error;
  }
}

interface LocatedPlatform {
  /** The connection with its `baseUrl`. */
  readonly connection: Connection;
  /** A sandbox was started in this process. */
  readonly inProcess: boolean;
  close(): Promise<void>;
}

/** Locates the connection's platform: for the sandbox the served one, otherwise one that is started here. */
export async function locatePlatform(
  connection: Connection,
  stateFolder: string,
  series?: Series,
): Promise<LocatedPlatform> {
  const nothing = async (): Promise<void> => {};
  if (!connection.sandbox || connection.baseUrl !== undefined)
    return { connection, inProcess: false, close: nothing };
  // The ledger's folder is the job's. A sandbox served in the current folder is accepted too.
  const served = (await servedSandbox(stateFolder)) ?? (await servedSandbox(OWN_FOLDER));
  if (served !== undefined)
    return { connection: { ...connection, baseUrl: served, served: true }, inProcess: false, close: nothing };
  const { startSandbox } = await import('../sandbox/serve.js');
  const sandbox = await startSandbox({ timestamps: connection.timestamps, series });
  return {
    connection: { ...connection, baseUrl: sandbox.url, served: true },
    inProcess: true,
    close: () => sandbox.close(),
  };
}

/** The address of a served sandbox whose process exists. */
async function servedSandbox(stateFolder: string): Promise<string | undefined> {
  const text = await readFile(sandboxNote(stateFolder), 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  try {
    const { url, pid } = JSON.parse(text) as { url: string; pid: number };
    return isAlive({ ...ownProcess(), process: pid }) ? url : undefined;
  } catch {
    return undefined;
  }
}
