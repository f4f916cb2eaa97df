import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Connection } from '../model/connection.js';
import type { JobBase } from '../model/job.js';
import type { Series } from '../model/series.js';
import type { PlatformClient } from '../platform/client/client.js';
import { OWN_FOLDER } from '../util/ledger-place.js';
import { isAlive, ownProcess } from '../util/process-alive.js';

export interface OpenedPlatform {
  readonly client: PlatformClient;
  close(): Promise<void>;
}

/** Where a served sandbox says that it is there, beside the ledger. */
export function sandboxNote(stateFolder: string): string {
  return path.join(stateFolder, 'sandbox.json');
}

/**
 * A client for the connection. For the sandbox: the one that is being served from this state folder or in the current folder,
 * else one in this process for as long as the run lasts.
 * @param series of such a one's numbers, where others carry, or carried, the same run
 * @throws ProductError usage when the credential can't be had or the address isn't allowed.
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
    // Loaded when something is sent: checks and refusals should not wait for it.
    const { createClient } = await import('../platform/client/client.js');
    const client = await createClient({
      connection,
      concurrency: job.run.concurrency,
      env,
    });
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
  /** With its `baseUrl`. */
  readonly connection: Connection;
  /** A sandbox was started in this process. */
  readonly inProcess: boolean;
  close(): Promise<void>;
}

/** Where the connection's platform is: for the sandbox the one being served, else one that is started here. */
export async function locatePlatform(
  connection: Connection,
  stateFolder: string,
  series?: Series,
): Promise<LocatedPlatform> {
  const nothing = async (): Promise<void> => {};
  if (!connection.sandbox || connection.baseUrl !== undefined) {
    return { connection, inProcess: false, close: nothing };
  }
  // The ledger's folder is the job's. A sandbox that is served in the current folder counts, too.
  const served = (await servedSandbox(stateFolder)) ?? (await servedSandbox(OWN_FOLDER));
  if (served !== undefined) {
    return { connection: { ...connection, baseUrl: served, served: true }, inProcess: false, close: nothing };
  }
  const { startSandbox } = await import('../sandbox/serve.js');
  const sandbox = await startSandbox({ timestamps: connection.timestamps, series });
  return {
    connection: { ...connection, baseUrl: sandbox.url, served: true },
    inProcess: true,
    close: () => sandbox.close(),
  };
}

/** The address of a living served sandbox; a note left by a dead one is passed over. */
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
