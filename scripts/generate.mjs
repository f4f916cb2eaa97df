// Makes what is generated in this repository, alike byte for byte every time:
// jobs/data/ of the operations' samples, docs/operations.md and job.schema.json of the catalogue, and templates/.
// Run: node scripts/generate.mjs [--check]
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { closeSource, fromSource } from './from-source.mjs';
import { operationsPage } from './operations-page.mjs';
import * as buyers from './sample-buyers.mjs';
import { drift } from './sample-drift.mjs';
import * as files from './sample-files.mjs';
import { officeReturns } from './sample-office.mjs';
import { onboard } from './sample-onboard.mjs';
import * as names from './sample-people.mjs';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const OPERATIONS = new URL('../src/platform/operations/', import.meta.url);

/** Contents of jobs/data/ by file: of each operation that has samples, and those of the reconciliations and the docs. */
async function samples() {
  const found = { ...drift(), ...onboard(), 'office-returns.xlsx': officeReturns() };
  for (const folder of (await readdir(OPERATIONS)).sort()) {
    const its = await import(new URL(`${folder}/${folder}.sample.mjs`, OPERATIONS)).catch((error) => {
      if (error.code !== 'ERR_MODULE_NOT_FOUND' && error.code !== 'ENOTDIR') throw error;
    });
    Object.assign(found, its?.samples({ ...names, ...files, ...buyers }));
  }
  return found;
}

async function schema() {
  const { jobJsonSchema } = await fromSource('job/json-schema.ts');
  const { ALL_OPERATIONS, COMPARISONS } = await fromSource('platform/operations/catalogue.ts');
  return `${JSON.stringify(jobJsonSchema(ALL_OPERATIONS, COMPARISONS), undefined, 2)}\n`;
}

async function generated() {
  const made = { 'docs/operations.md': operationsPage(), 'job.schema.json': await schema() };
  for (const [file, content] of Object.entries(await samples())) made[`jobs/data/${file}`] = await content;
  return made;
}

/** Workbooks by their parts: another version of Node may pack the same ones in other bytes. */
async function isSame(file, there, made) {
  if (there === undefined) return false;
  if (Buffer.compare(there, Buffer.from(made)) === 0) return true;
  const { sameParts } = await fromSource('templates/zip.ts');
  return file.endsWith('.xlsx') && sameParts(there, made);
}

const check = process.argv.includes('--check');
process.chdir(ROOT);
const outdated = [];
for (const [file, content] of Object.entries(await generated())) {
  const there = await readFile(file).catch(() => undefined);
  if (await isSame(file, there, content)) continue;
  outdated.push(file);
  if (check) continue;
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, content);
}
const said = check ? 'is out of date; run: node scripts/generate.mjs' : 'is made anew';
for (const file of outdated) process.stderr.write(`${file} ${said}\n`);
const { template } = await fromSource('cli/commands/template.ts');
const { guarded } = await fromSource('cli/process.ts');
await guarded({}, (context) => template(context, undefined, { all: 'templates', check, force: !check }));
if (check && outdated.length > 0) process.exitCode = 1;
await closeSource();
