import { appendFile, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openLedger } from '../../src/ledger/open.js';
import { licenseSync } from '../support/command.js';
import { madePostgresPlace } from '../support/postgres/shared-server.js';

const JOB = `version: 1
name: numbers
operation: asset.numbers
connection: sandbox
source: { file: numbers.csv }
map: { size: Locks }
safety: { duplicates: send }
`;

let folder: string;
let ledger: { readonly url: string; remove(): Promise<void> } | undefined;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'kept-results-'));
  await writeFile(path.join(folder, 'job.yaml'), JOB);
  await writeFile(path.join(folder, 'numbers.csv'), 'Locks\n1\n');
  await writeFile(path.join(folder, 'corrections.csv'), 'row,column,value\n2,A,2\n');
});
afterEach(async () => {
  await ledger?.remove();
  ledger = undefined;
  await rm(folder, { recursive: true, force: true });
});

const read = (name: string) => readFile(path.join(folder, name));

/** Runs a command that succeeds. */
async function command(line: string): Promise<{ readonly stdout: string; readonly stderr: string }> {
  const env: Record<string, string> = ledger ? { LICENSE_SYNC_LEDGER: ledger.url } : {};
  const ended = await licenseSync(line.split(' '), { cwd: folder, env });
  expect(ended.code, `${line}: ${ended.stderr}`).toBe(0);
  return ended;
}

/** A run that read a corrected cell. */
async function corrected(): Promise<string> {
  const { stdout } = await command('run job.yaml --corrections corrections.csv --output first.csv --json');
  return (JSON.parse(stdout) as { run: string }).run;
}

type Written = readonly [what: string, extension: string, of: (file: string, run: string) => string];

const OF_RUNS: readonly Written[] = [
  ['a result', '.xlsx', (file) => `run job.yaml --output ${file}`],
  ['a result', '.csv', (file) => `run job.yaml --output ${file}`],
  ['a report', '.html', (file) => `run job.yaml --output out.csv --report ${file}`],
  ['a report of `runs report`', '.html', (file, run) => `runs report ${run} --output ${file}`],
  ['a corrected copy', '.csv', (file, run) => `runs export ${run} --corrected ${file}`],
];
const OF_CHECKS: readonly Written[] = [
  ['a result', '.xlsx', (file) => `validate job.yaml --output ${file}`],
  ['a result', '.csv', (file) => `validate job.yaml --output ${file}`],
  ['a report', '.html', (file) => `validate job.yaml --output out.csv --report ${file}`],
  ['a report of a rehearsal', '.html', (file) => `rehearse job.yaml --output out.csv --report ${file}`],
];

describe.each(['SQLite', 'PostgreSQL'])('what a person may have changed is not replaced: %s', (kind) => {
  beforeEach(async () => {
    if (kind === 'PostgreSQL')
      ledger = await madePostgresPlace(async (url) => (await openLedger(url)).close());
  });

  it.each(OF_RUNS)('%s (%s) is replaced only while it is unchanged', async (_, extension, of) => {
    const run = await corrected();
    const [name, second] = [`r${extension}`, `r (2)${extension}`];
    const line = of(name, run);
    for (const _time of ['first', 'second']) expect((await command(line)).stderr).not.toContain(second);
    await appendFile(path.join(folder, name), '\n');
    const changed = await read(name);
    expect((await command(line)).stderr).toMatch(/r \(2\)\S* was written, because \S+ was changed since/);
    expect(await read(name)).toEqual(changed);
    expect(await readdir(folder)).toContain(second);
  });
});

describe('the output of a check', () => {
  it.each(OF_CHECKS)('%s (%s) replaces no output of a run', async (_, extension, of) => {
    const run = await corrected();
    const [name, second] = [`r${extension}`, `r (2)${extension}`];
    await command(OF_RUNS.find((it) => it[1] === extension)![2](name, run));
    const before = await read(name);
    expect((await command(of(name, run))).stderr).toContain('is the result of a run, which a check never');
    expect(await read(name)).toEqual(before);
    // Its own is replaced while it is unchanged, also by the same command.
    await command(of(name, run));
    expect((await readdir(folder)).filter((it) => it.startsWith('r'))).toEqual([second, name].sort());
    await appendFile(path.join(folder, second), '\n');
    const changed = await read(second);
    await command(of(name, run));
    expect(await read(second)).toEqual(changed);
    expect(await readdir(folder)).toContain(`r (3)${extension}`);
  });
});

it('a page that another ledger wrote is kept', async () => {
  const run = await corrected();
  await command(`runs report ${run} --output r.html`);
  await rm(path.join(folder, '.license-sync', 'result-notes'), { recursive: true });
  const before = await read('r.html');
  expect((await command(`runs report ${run} --output r.html`)).stderr).toContain('did not write');
  expect(await read('r.html')).toEqual(before);
});

it.each(['--output', '--corrected'])('runs export %s never replaces the input itself', async (flag) => {
  const run = await corrected();
  const before = await read('numbers.csv');
  const ended = await licenseSync(['runs', 'export', run, flag, 'numbers.csv'], { cwd: folder });
  expect(ended.code).toBe(2);
  expect(await read('numbers.csv')).toEqual(before);
});
