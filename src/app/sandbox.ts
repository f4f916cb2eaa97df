import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { sandboxNote } from '../run/open-platform.js';
import { parseFaults } from '../sandbox/faults.js';
import { type Sandbox, startSandbox } from '../sandbox/serve.js';
import { stateFolderOf } from '../util/ledger-address.js';
import type { AppContext } from './context.js';
import { ledgerLocation } from './with-ledger.js';

export interface SandboxInput {
  readonly port: number;
  readonly host?: string;
  /** File that stores the platform's state. */
  readonly state?: string;
  /** Milliseconds that each reply takes. */
  readonly latency?: number;
  /** `reset-after=0.01,seed=7`. */
  readonly faults?: string;
  readonly token?: string;
}

/** `sandbox`: serves the simulated platform and writes a note with its address for runs in this folder. */
export async function serveSandbox(context: AppContext, input: SandboxInput): Promise<Sandbox> {
  // Read first, so that errors in the settings are reported before anything is served.
  const note = sandboxNote(stateFolderOf(await ledgerLocation(context)));
  const { port, host, state, latency: latencyMs, faults, token } = input;
  const served = await startSandbox({
    port,
    host,
    latencyMs,
    token,
    stateFile: state === undefined ? undefined : path.resolve(context.cwd, state),
    faults: faults === undefined ? undefined : parseFaults(faults),
  });
  await mkdir(path.dirname(note), { recursive: true, mode: 0o700 });
  await writeFile(note, `${JSON.stringify({ url: served.url, pid: process.pid })}\n`, { mode: 0o600 });
  return {
    ...served,
    close: async () => {
      await rm(note, { force: true });
      await served.close();
    },
  };
}

export { type Sandbox, startSandbox };
