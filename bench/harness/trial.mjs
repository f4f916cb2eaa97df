// One program run as a whole process, and what it took.
import { spawn } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';

const TIME = '/usr/bin/time';
/** User and system CPU in seconds, peak memory in KiB. */
const FORMAT = '%U %S %M';
const KEPT_ERRORS = 4000;

/** Process groups in progress, which Ctrl-C at the terminal does not reach. */
const groups = new Set();
process.on('exit', () => {
  for (const group of groups) process.kill(-group, 'SIGKILL');
});

/**
 * Runs a program to its end.
 * @param trial.argv program and arguments
 * @param trial.quiet its output isn't wanted: it goes to /dev/null
 * @returns wall and cpu in seconds, peak in MiB (the largest process, its children's among them), and its output
 * @throws when it can't be run, ends with another code than 0, or takes longer than the limit
 */
export async function runTrial({ argv, cwd, env, quiet = false, limitMs }, scratch) {
  const figures = path.join(scratch, `time-${process.pid}`);
  const started = process.hrtime.bigint();
  const child = spawn(TIME, ['-q', '-f', FORMAT, '-o', figures, ...argv], {
    cwd,
    env: { ...process.env, XDG_STATE_HOME: path.join(scratch, 'state'), ...env },
    stdio: ['ignore', quiet ? 'ignore' : 'pipe', 'pipe'],
    detached: true,
  });
  if (child.pid !== undefined) groups.add(child.pid);
  let ended = started;
  child.once('exit', () => {
    ended = process.hrtime.bigint();
    groups.delete(child.pid);
  });
  let out = '';
  let errors = '';
  child.stdout?.setEncoding('utf8').on('data', (text) => {
    out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text) => {
    errors = (errors + text).slice(-KEPT_ERRORS);
  });
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    // The whole group: `time` doesn't pass signals on.
    process.kill(-child.pid, 'SIGKILL');
  }, limitMs);
  const code = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  }).finally(() => clearTimeout(timer));
  if (late) throw new Error(`took longer than ${limitMs / 1000} s`);
  if (code !== 0) throw new Error(`ended with code ${code}: ${(errors || out).trim()}`);
  const [user, system, kibibytes] = (await readFile(figures, 'utf8')).trim().split(/\s+/).map(Number);
  await rm(figures);
  return {
    figures: {
      wall: Number(ended - started) / 1e9,
      cpu: user + system,
      peak: kibibytes / 1024,
    },
    out,
  };
}
