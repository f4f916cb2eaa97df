import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * Opens the console in the system's browser. Every local user can read the arguments of a process, so the address with its
 * sign-in token is not among them: the browser gets a page that only this user can read, and that page leads to the address.
 * Where no browser can be started, the printed address remains.
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

/** The address has no character that HTML would read as its own. */
function pageTo(url: string): string {
  return `<!doctype html>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0; url=${url}">
<title>license-sync</title>
<p><a href="${url}">license-sync</a></p>
`;
}
