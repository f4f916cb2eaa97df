import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';

const BIN = path.join(import.meta.dirname, '../../bin');

/** A program of two files behind the real entry. */
let folder = '';
const at = (name: string): string => path.join(folder, name);
const KEPT = 'dist/.compile-cache';

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'compiled-'));
  cpSync(BIN, at('bin'), { recursive: true });
  mkdirSync(at('dist/cli'), { recursive: true });
  writeFileSync(at('dist/cli/main.cjs'), `console.log(require('./answer.cjs').answer());\n`);
  answers('one');
});
afterEach(() => rmSync(folder, { recursive: true }));

function answers(word: string): void {
  writeFileSync(at('dist/cli/answer.cjs'), `exports.answer = () => '${word}';\n`);
}

function says(): { status: number | null; stdout: string; stderr: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [at('bin/license-sync.js')], {
    encoding: 'utf8',
  });
  return { status, stdout: stdout.trim(), stderr };
}

const kept = (): string[] =>
  readdirSync(at(KEPT), { recursive: true, withFileTypes: true })
    .filter((it) => it.isFile())
    .map((it) => path.join(it.parentPath, it.name));

const one = { status: 0, stdout: 'one', stderr: '' };

it('keeps what a start compiled, and starts from it again', () => {
  expect(says()).toEqual(one);
  const files = kept();
  expect(files.length).toBeGreaterThanOrEqual(2);
  const before = files.map((it) => readFileSync(it));
  expect(says()).toEqual(one);
  expect(kept()).toEqual(files);
  expect(files.map((it) => readFileSync(it))).toEqual(before);
});

it('never runs the code of a source that was since changed to another of the same length', () => {
  expect(says()).toEqual(one);
  answers('two');
  expect(says()).toEqual({ ...one, stdout: 'two' });
  expect(says()).toEqual({ ...one, stdout: 'two' });
});

it.each([
  ['cut off', (bytes: Buffer) => bytes.subarray(0, bytes.length / 2)],
  ['empty', () => Buffer.alloc(0)],
  ['changed at every 16th byte', (bytes: Buffer) => bytes.map((it, at) => (at % 16 === 15 ? it ^ 0x55 : it))],
])('runs what is there where what was kept is %s, and keeps it again', (_, damage) => {
  expect(says()).toEqual(one);
  const good = kept().map((it) => readFileSync(it).length);
  for (const it of kept()) writeFileSync(it, damage(readFileSync(it)));
  expect(says()).toEqual(one);
  expect(kept().map((it) => readFileSync(it).length)).toEqual(good);
  expect(says()).toEqual(one);
});

it('loads what an import() names, at each start', () => {
  writeFileSync(at('dist/cli/later.cjs'), `exports.later = () => import('node:path');\n`);
  const main = `require('./later.cjs').later().then((it) => console.log(it.basename('a/one')));\n`;
  writeFileSync(at('dist/cli/main.cjs'), main);
  expect([says(), says(), says()]).toEqual([one, one, one]);
});

it('says nothing where nothing can be kept', () => {
  writeFileSync(at(KEPT), 'no folder');
  expect(says()).toEqual(one);
  expect(says()).toEqual(one);
});
