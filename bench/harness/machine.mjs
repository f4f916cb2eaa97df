import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { BENCH } from './places.mjs';

/** Where and with what it was measured, for the results' head. */
export function describeMachine() {
  const cpus = os.cpus();
  const memory = Math.round(os.totalmem() / 1024 ** 3);
  return {
    machine: `${cpus.length} x ${cpus[0]?.model.trim() ?? 'unknown CPU'}, ${memory} GiB, ${os.type()} ${os.release()} ${os.arch()}`,
    node: process.version,
    product: product(),
  };
}

function product() {
  const { name, version } = JSON.parse(readFileSync(path.join(BENCH, '../package.json'), 'utf8'));
  const git = (...argv) => spawnSync('git', argv, { cwd: BENCH, encoding: 'utf8' });
  const commit = git('rev-parse', '--short', 'HEAD');
  if (commit.status !== 0) return `${name} ${version}`;
  const changed = git('status', '--porcelain', '--', '../src', '../bin').stdout.trim() !== '';
  return `${name} ${version}, commit ${commit.stdout.trim()}${changed ? ' with changes' : ''}`;
}
