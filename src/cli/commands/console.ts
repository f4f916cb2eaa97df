import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { AppContext } from '../../app/context.js';
import { serveConsole } from '../../console/serve.js';
import { render } from '../../errors/message.js';
import { EXIT } from '../../model/run-outcome.js';
import { firstSignal } from '../process.js';

interface ConsoleFlags {
  readonly port: number;
  readonly host: string;
  readonly open?: boolean;
  readonly ledger?: string;
}

/** Exits after this time even if connections are still open, such as to a database that does not respond. */
const ENDS_WITHIN_MS = 9500;

/** `console`: serves until a signal stops it. */
export async function serve(context: AppContext, flags: ConsoleFlags): Promise<void> {
  // Installed before the ready line is printed, because callers may send a signal from then on.
  const stopSignal = firstSignal();
  const print = (text: string): unknown => process.stderr.write(`${text}\n`);
  const served = await serveConsole(context, { ...flags, log: print });
  // The same in every language: programs read it.
  process.stdout.write(`console ${served.url}\n`);
  for (const note of served.notes) print(render(note, context.language));
  if (flags.open) {
    const removePage = openInBrowser(served.url);
    void served.linkUsed?.then(removePage);
  }
  await stopSignal;
  setTimeout(() => process.exit(EXIT.ok), ENDS_WITHIN_MS).unref();
  await served.close();
}

/**
 * Opens the console in the system's browser. Every local user can read the arguments of a process, so the address with its
 * sign-in token is not among them: the browser gets a page that only this user can read, and that page leads to the address.
 * If no browser can be started, the printed address can still be used.
 *
 * @returns removes the page, which is useless as soon as the token was used
 */
export function openInBrowser(url: string): () => void {
  const folder = mkdtempSync(path.join(tmpdir(), 'license-sync-open-'));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  // After a second signal the process exits at once.
  process.once('exit', remove);
  const page = path.join(folder, 'console.html');
  writeFileSync(page, pageTo(url), { mode: 0o600, flag: 'wx' });
  const address = pathToFileURL(page).href;
  const [program, ...args] =
    process.platform === 'darwin'
      ? ['open', address]
      : process.platform === 'win32'
        ? ['cmd', '/c', 'start', '""', address]
        : ['xdg-open', address];
  const child = spawn(program!, args, { stdio: 'ignore', detached: true });
  child.on('error', () => {});
  child.unref();
  return remove;
}

/** The address contains no characters that need escaping in HTML. */
function pageTo(url: string): string {
  return `<!doctype html>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0; url=${url}">
<title>license-sync</title>
<p><a href="${url}">license-sync</a></p>
`;
}
