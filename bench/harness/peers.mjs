// The programs that license-sync is compared with: which are there, and in which version.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { BENCH } from './places.mjs';

const PACKAGES = ['exceljs', 'hucre', 'read-excel-file', 'csv-parse', 'newman', 'undici'];
const PROGRAMS = {
  unzip: ['unzip', '-v'],
  curl: ['curl', '--version'],
  xargs: ['xargs', '--version'],
  gcc: ['gcc', '--version'],
  openpyxl: ['/usr/bin/python3', '-c', 'import openpyxl; print(openpyxl.__version__)'],
};

/** Installs the packages of bench/package.json where that was not done. @returns what went wrong, if anything */
export function installPeers() {
  if (PACKAGES.every((name) => existsSync(manifest(name)))) return undefined;
  const argv = ['ci', '--ignore-scripts', '--no-audit', '--no-fund'];
  const { status, error, stderr } = spawnSync('npm', argv, { cwd: BENCH, encoding: 'utf8' });
  return status === 0 ? undefined : (error?.message ?? stderr.trim());
}

/**
 * Versions by name; a peer that isn't there has none.
 * @param base folder of an earlier build, known by its commit
 */
export function findPeers(base) {
  const found = new Map();
  if (base !== undefined) {
    const { status, stdout } = spawnSync('git', ['-C', base, 'rev-parse', '--short', 'HEAD'], {
      encoding: 'utf8',
    });
    found.set('earlier build', status === 0 ? stdout.trim() : 'of no known commit');
  }
  for (const name of PACKAGES) {
    if (existsSync(manifest(name))) found.set(name, JSON.parse(readFileSync(manifest(name), 'utf8')).version);
  }
  for (const [name, [program, ...argv]] of Object.entries(PROGRAMS)) {
    const { status, stdout } = spawnSync(program, argv, { encoding: 'utf8' });
    const version = /\d+(?:\.\d+)+/.exec(stdout ?? '')?.[0];
    if (status === 0 && version !== undefined) found.set(name, version);
  }
  return found;
}

function manifest(name) {
  return path.join(BENCH, 'node_modules', name, 'package.json');
}
