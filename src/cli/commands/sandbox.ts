import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type Message, message, render } from '../../errors/message.js';
import { EXIT } from '../../model/exit-code.js';
import { sandboxNote } from '../../run/open-platform.js';
import { parseFaults } from '../../sandbox/faults.js';
import { startSandbox } from '../../sandbox/serve.js';
import { guarded } from '../exit.js';
import { languageOf } from '../language.js';
import { defaultLocation } from '../ledger-location.js';
import { stateFolderOf } from '../state-folder.js';

export interface SandboxFlags {
  readonly port: number;
  readonly host: string;
  readonly state?: string;
  readonly latency?: number;
  readonly faults?: string;
  readonly token?: string;
  readonly json?: boolean;
}

/** `sandbox`: serves until SIGINT or SIGTERM, and leaves a note so that runs in this folder find it. */
export async function sandbox(flags: SandboxFlags): Promise<void> {
  await guarded(languageOf(process.env), async () => {
    // Asked first: what is wrong with the settings must be told before anything is served.
    const stateFolder = stateFolderOf(await defaultLocation());
    const served = await startSandbox({
      port: flags.port,
      host: flags.host,
      ...(flags.state === undefined ? {} : { stateFile: path.resolve(flags.state) }),
      ...(flags.latency === undefined ? {} : { latencyMs: flags.latency }),
      ...(flags.faults === undefined ? {} : { faults: parseFaults(flags.faults) }),
      ...(flags.token === undefined ? {} : { token: flags.token }),
    });
    // Heard before anybody is told that it is ready, and may stop it.
    const asked = new Promise<void>((resolve) => {
      process.once('SIGINT', () => resolve());
      process.once('SIGTERM', () => resolve());
    });
    const note = await leaveNote(stateFolder, served.url);
    if (flags.json)
      process.stdout.write(`${JSON.stringify({ url: served.url, port: served.port, pid: process.pid })}\n`);
    else say(process.stdout, message('listing.listening', { url: served.url }));
    await asked;
    await rm(note, { force: true });
    if (!flags.json) {
      say(process.stderr, message('listing.sandbox_stopped', { stats: JSON.stringify(served.stats()) }));
    }
    await served.close();
    return EXIT.ok;
  });
}

function say(stream: NodeJS.WriteStream, it: Message): void {
  stream.write(`${render(it, languageOf(process.env))}\n`);
}

async function leaveNote(stateFolder: string, url: string): Promise<string> {
  const note = sandboxNote(stateFolder);
  await mkdir(path.dirname(note), { recursive: true, mode: 0o700 });
  await writeFile(note, `${JSON.stringify({ url, pid: process.pid })}\n`, { mode: 0o600 });
  return note;
}
