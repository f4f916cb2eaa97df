import { execFile, spawnSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const PARTS = ['bin', 'scripts', 'package.json', 'tsconfig.json', 'tsconfig.build.json'];

/** Sources with the entries and chunks that the build names, but without the product: its build takes ten times as long. */
const SOURCES = {
  'cli/main.ts': `import 'commander';
for (const it of [import('./wrong-arguments.js'), import('./terminal.js'), import('../app/run.js')]) void it;
console.log('built');`,
  'cli/wrong-arguments.ts': "import './commands/runs.js';",
  'cli/commands/runs.ts': "import '../../ledger/sqlite/ledger.js';",
  'ledger/sqlite/ledger.ts': 'console.debug(1);',
  'cli/terminal.ts': "import 'archiver-utils';",
  'app/run.ts': 'console.debug(2);',
  'api/index.ts': 'export const run = 1;',
  'console/pages/index.html': '<!doctype html><script type="module" src="./main.ts"></script>',
  'console/pages/main.ts': 'document.title = location.href;',
  ...Object.fromEntries(
    [
      'console/child-processes/child.ts',
      'source/xlsx/scan-worker.ts',
      'source/other/reading-process-main.ts',
      'source/csv/record-worker.ts',
      'source/open-source.ts',
      'workbook/write.ts',
    ].map((it) => [it, 'export {};']),
  ),
};

/** A checkout that was never built. */
let checkout = '';
const at = (name: string): string => path.join(checkout, name);
beforeAll(async () => {
  checkout = await mkdtemp(path.join(tmpdir(), 'license-sync-build-'));
  for (const it of PARTS) await cp(path.join(ROOT, it), at(it), { recursive: true });
  for (const [name, text] of Object.entries(SOURCES)) {
    await mkdir(path.dirname(at(`src/${name}`)), { recursive: true });
    await writeFile(at(`src/${name}`), text);
  }
  await symlink(path.join(ROOT, 'node_modules'), at('node_modules'));
});
afterAll(() => rm(checkout, { recursive: true }));

const build = async (): Promise<string> =>
  (await promisify(execFile)(process.execPath, ['scripts/build.mjs'], { cwd: checkout })).stdout;

it.each([
  ['en_US.UTF-8', 'not built yet; run npm start in'],
  ['zh_CN.UTF-8', '程序尚未构建'],
])('a checkout that is not built says in one line what to do (%s)', (language, said) => {
  const env = { ...process.env, LC_ALL: '', LANG: language };
  const { status, stderr } = spawnSync(process.execPath, [at('bin/license-sync.js'), 'runs'], {
    encoding: 'utf8',
    env,
  });
  expect([status, stderr.trim().split('\n')]).toEqual([2, [expect.stringContaining(said)]]);
});

it('two builds at once leave one that works, and a build of the same sources is skipped', async () => {
  await Promise.all([build(), build()]);
  expect(await build()).toContain('up to date');
  const { stdout } = spawnSync(process.execPath, [at('bin/license-sync.js')], { encoding: 'utf8' });
  expect(stdout).toBe('built\n1\n2\n');
  expect((await readdir(checkout)).filter((it) => it.startsWith('dist'))).toEqual(['dist']);
});

it('chunks of the build before stay for processes that were started from it', async () => {
  const before = await readdir(at('dist/chunks'));
  await writeFile(at('src/app/run.ts'), 'console.debug(3);');
  expect(await build()).not.toContain('up to date');
  const after = await readdir(at('dist/chunks'));
  expect(after).toEqual(expect.arrayContaining(before));
  expect(after.length).toBeGreaterThan(before.length);
});
