import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { licenseSync } from '../support/command.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const folder = mkdtempSync(path.join(tmpdir(), 'bundle-'));
beforeAll(() => cp(path.join(ROOT, 'jobs'), path.join(folder, 'jobs'), { recursive: true }));
afterAll(() => rmSync(folder, { recursive: true }));

it('runs the main job without a warning from Node, of packages that are bundled neither', async () => {
  const { code, stderr } = await licenseSync(['run', 'jobs/new-buy.yaml'], { cwd: folder });
  expect(code).toBe(0);
  expect(stderr).not.toMatch(/warning/i);
});

it('carries the licence of each package that is within it', () => {
  const told = readFileSync(path.join(ROOT, 'dist/THIRD-PARTY.txt'), 'utf8').split(/\n-{80}\n\n/);
  const names = told.map((it) => it.slice(0, it.lastIndexOf(' ', it.indexOf(':'))));
  expect(names).toEqual(expect.arrayContaining(['commander', 'exceljs', 'undici', 'yaml', 'zod']));
  // Some packages hold no text; all say which licence it is, and whose.
  expect(told.filter((it) => !/^\S+ \S+: \(?[A-Z0][^\n]*(, by .+)?\n/.test(it))).toEqual([]);
  expect(told.filter((it) => !/copyright|, by /i.test(it))).toEqual([]);
});
