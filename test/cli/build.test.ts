import { execFile, spawnSync } from 'node:child_process';
import { appendFile, cp, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const PARTS = ['bin', 'src', 'scripts', 'package.json', 'tsconfig.json', 'tsconfig.build.json'];

/** A checkout that was never built. */
let checkout = '';
const at = (name: string): string => path.join(checkout, name);
beforeAll(async () => {
  checkout = await mkdtemp(path.join(tmpdir(), 'license-sync-build-'));
  for (const it of PARTS) await cp(path.join(ROOT, it), at(it), { recursive: true });
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
  const { stdout } = spawnSync(process.execPath, [at('bin/license-sync.js'), '--version'], {
    encoding: 'utf8',
  });
  expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  expect((await readdir(checkout)).filter((it) => it.startsWith('dist'))).toEqual(['dist']);
});

it('chunks of the build before stay for processes that were started from it', async () => {
  const before = await readdir(at('dist/chunks'));
  await appendFile(at('src/util/text.ts'), '\nexport const CHANGED = Date.now();\nconsole.debug(CHANGED);\n');
  expect(await build()).not.toContain('up to date');
  const after = await readdir(at('dist/chunks'));
  expect(after).toEqual(expect.arrayContaining(before));
  expect(after.length).toBeGreaterThan(before.length);
});
