// `npm start`: installs and builds what is missing or out of date, then runs the sample job on the built-in sandbox.
// Uses only what Node has: nothing may be installed yet.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../', import.meta.url));

/** Ends with the exit code of what failed. */
function run(program, args, cwd = ROOT, shell = false) {
  const { status, error } = spawnSync(program, args, { cwd, shell, stdio: 'inherit' });
  if (error) throw error;
  if (status !== 0) process.exit(status ?? 1);
}

/** Every package that the lock file requires is installed in its version; those of other platforms are optional. */
function isInstalled() {
  const file = path.join(ROOT, 'node_modules/.package-lock.json');
  if (!existsSync(file)) return false;
  const packages = (it) => JSON.parse(readFileSync(it, 'utf8')).packages;
  const installed = packages(file);
  return Object.entries(packages(path.join(ROOT, 'package-lock.json'))).every(
    ([name, { version, optional, link }]) =>
      name === '' || optional || link || installed[name]?.version === version,
  );
}

if (!isInstalled()) {
  const npm = process.env.npm_execpath;
  if (npm) run(process.execPath, [npm, 'ci']);
  else run('npm', ['ci'], ROOT, process.platform === 'win32');
}
run(process.execPath, ['scripts/build.mjs']);
run(process.execPath, [path.join(ROOT, 'bin/license-sync.js'), 'run', 'jobs/new-buy.yaml'], process.cwd());
