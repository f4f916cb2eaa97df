import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { licenseSyncAlone } from '../support/command.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const folder = mkdtempSync(path.join(tmpdir(), 'bundle-'));
beforeAll(() => cp(path.join(ROOT, 'jobs'), path.join(folder, 'jobs'), { recursive: true }));
afterAll(() => rmSync(folder, { recursive: true }));

/** The files of the bundle that a command loads. */
async function loaded(...argv: string[]): Promise<string[]> {
  const hook = path.join(folder, 'hook.cjs');
  writeFileSync(
    hook,
    `const { prototype: it } = require('node:module');
const { load } = it;
it.load = function (file) {
  if (file.startsWith(${JSON.stringify(path.join(ROOT, 'dist'))})) process._rawDebug('loaded ' + file);
  return load.call(this, file);
};`,
  );
  const program = path.join(ROOT, 'bin/license-sync.js');
  const { stderr } = await promisify(execFile)(process.execPath, ['-r', hook, program, ...argv], {
    cwd: folder,
  });
  return [...stderr.matchAll(/^loaded (.*)$/gm)].map(
    ([, file = '']) => path.basename(file).split('-')[0] ?? '',
  );
}

it('runs the main job without a warning from Node, of packages that are bundled neither', async () => {
  const { code, stderr } = await licenseSyncAlone(['run', 'jobs/new-buy.yaml'], { cwd: folder });
  expect(code).toBe(0);
  expect(stderr).not.toMatch(/warning/i);
});

it('loads for help what says it, and for a list of runs nothing that reads or sends', async () => {
  expect((await loaded('--help')).length).toBeLessThanOrEqual(3);
  const listing = await loaded('runs');
  expect(listing).toContain('listing');
  expect(listing).not.toContain('running');
  expect(listing.length).toBeLessThanOrEqual(10);
});

it('contains the licence of each package that is within it', () => {
  const reported = readFileSync(path.join(ROOT, 'dist/THIRD-PARTY.txt'), 'utf8').split(/\n-{80}\n\n/);
  const names = reported.map((it) => it.slice(0, it.lastIndexOf(' ', it.indexOf(':'))));
  expect(names).toEqual(expect.arrayContaining(['commander', 'exceljs', 'undici', 'yaml', 'zod']));
  // Some packages hold no text; all say which licence it is, and whose.
  expect(reported.filter((it) => !/^\S+ \S+: \(?[A-Z0][^\n]*(, by .+)?\n/.test(it))).toEqual([]);
  expect(reported.filter((it) => !/copyright|, by /i.test(it))).toEqual([]);
});
