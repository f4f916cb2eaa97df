// Adds an operation that does not exist to a copy of the tree, as CONTRIBUTING says, except for tests and the readers' pages;
// reports which files that took outside the operation's own folder, and uses it as a user would.
// Run: node scripts/add-operation-trial.mjs
// It fails where more than six files had to be touched, or where anything doesn't know the operation by itself.
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import ExcelJS from 'exceljs';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const OWN = 'src/platform/operations/asset-rename';
const MOST = 6;

/** All that is written outside its folder: a line here and there, each before the one that is named. */
const LINES = [
  ['src/model/operation.ts', "  'activity.participate',", "  'asset.rename',"],
  [
    'src/platform/operations/catalogue.ts',
    'import {\n  ENTERPRISE,',
    "import { ASSET_RENAME } from './asset-rename/asset-rename.operation.js';",
  ],
  ['src/platform/operations/catalogue.ts', "  'activity.participate':", "  'asset.rename': ASSET_RENAME,"],
  [
    'src/platform/operations/simulations.ts',
    'import {\n  BIND_SIMULATION,',
    "import { RENAME_SIMULATION } from './asset-rename/asset-rename.sandbox.js';",
  ],
  ['src/platform/operations/simulations.ts', '  ACTIVITY_SIMULATION,', '  RENAME_SIMULATION,'],
  [
    'src/platform/operations/operation-words.ts',
    'import { BIND_WORDS,',
    "import { RENAME_WORDS } from './asset-rename/asset-rename.words.js';",
  ],
  [
    'src/platform/operations/operation-words.ts',
    "  'activity.participate':",
    "  'asset.rename': RENAME_WORDS,",
  ],
  ['src/errors/chinese-names.ts', "  'activity.participate':", "  'asset.rename': '更改加密锁标签',"],
];
/** And its sample job. */
const JOB = [
  'jobs/asset-rename.yaml',
  `# yaml-language-server: $schema=../job.schema.json
version: 1
name: asset-rename
operation: asset.rename
connection: sandbox
source: { file: data/relabel-assets.csv }
map:
  renamedAsset: Asset To Label
  assetLabel: Sticker
`,
];

const COPIED = [
  ...['src', 'scripts', 'bin', 'docs', 'jobs', 'templates'],
  ...['package.json', 'tsconfig.json', 'tsconfig.build.json', 'job.schema.json'],
];

const tree = mkdtempSync(path.join(tmpdir(), 'license-sync-operation-'));
const at = (file) => path.join(tree, file);

function copy() {
  for (const it of COPIED) cpSync(path.join(ROOT, it), at(it), { recursive: true });
  symlinkSync(path.join(ROOT, 'node_modules'), at('node_modules'));
}

function add() {
  cpSync(new URL('trial-operation/asset-rename', import.meta.url), at(OWN), { recursive: true });
  for (const [file, before, line] of LINES) {
    const text = readFileSync(at(file), 'utf8');
    if (text.split(before).length !== 2) throw new Error(`${file} has not one place for ${line}`);
    writeFileSync(at(file), text.replace(before, `${line}\n${before}`));
  }
  writeFileSync(at(JOB[0]), JOB[1]);
}

/** Files outside its own folder that are not as they were. */
function touched() {
  const isSame = (file) =>
    existsSync(path.join(ROOT, file)) && readFileSync(at(file)).equals(readFileSync(path.join(ROOT, file)));
  return COPIED.filter((it) => statSync(at(it)).isDirectory())
    .flatMap((it) => readdirSync(at(it), { recursive: true }).map((file) => `${it}/${file}`))
    .concat(COPIED.filter((it) => statSync(at(it)).isFile()))
    .filter((it) => statSync(at(it)).isFile() && !it.startsWith(`${OWN}/`) && !isSame(it));
}

function run(command, args, language = 'en_US') {
  const env = { ...process.env, LANG: `${language}.UTF-8`, LC_ALL: '', LANGUAGE: '' };
  try {
    return execFileSync(command, args, { cwd: tree, env, encoding: 'utf8', stdio: 'pipe' });
  } catch (error) {
    const said = `${error.stdout ?? ''}${error.stderr ?? ''}`;
    throw new Error(`${[command, ...args].join(' ')} ended with ${error.status}:\n${said}`);
  }
}

const licenseSync = (...args) => run(process.execPath, ['bin/license-sync.js', ...args]);
const inChinese = (...args) => run(process.execPath, ['bin/license-sync.js', ...args], 'zh_CN');

function expect(what, holds) {
  if (!holds) throw new Error(`not so: ${what}`);
  process.stdout.write(`  ${what}\n`);
}

async function rowsOf(file, name) {
  const book = new ExcelJS.Workbook();
  await book.xlsx.readFile(at(file));
  const [header, ...rows] = book.getWorksheet(name)?.getSheetValues().slice(1) ?? [];
  return rows.map((row) => Object.fromEntries(header.map((it, index) => [it, row[index]]).slice(1)));
}

async function trial() {
  copy();
  add();
  const outside = touched();
  process.stdout.write(`touched outside ${OWN}/: ${outside.length}\n`);
  for (const it of outside) process.stdout.write(`  ${it}\n`);
  if (outside.length > MOST) throw new Error(`an operation must not take more than ${MOST} files`);

  process.stdout.write('and it works:\n');
  // It compiles the types, too.
  run(process.execPath, ['scripts/build.mjs']);
  expect('the types agree', true);
  run(process.execPath, ['scripts/generate.mjs']);
  const [page, schema] = ['docs/operations.md', 'job.schema.json'].map((it) => readFileSync(at(it), 'utf8'));
  expect(
    'its sample, docs and schema are made',
    /## asset\.rename/.test(page) && /asset\.rename/.test(schema),
  );
  expect(
    '`operations` lists it',
    /^asset\.rename +11 .*Gives assets labels$/m.test(licenseSync('operations')),
  );
  expect('in Chinese too', /^asset\.rename .*设置资产标签$/m.test(inChinese('operations')));
  expect('and its fields', /^assetLabel .*required/m.test(licenseSync('operations', 'asset.rename')));

  licenseSync('template', 'asset.rename', '--filled', '--output', 'filled.xlsx');
  const [example] = await rowsOf('filled.xlsx', 'Data');
  expect('its template has its examples', example?.assetLabel === '财务部');

  writeFileSync(at('stickers.csv'), readFileSync(at('jobs/data/relabel-assets.csv')));
  licenseSync('guess', 'stickers.csv', '--output', 'guessed.yaml');
  const guessed = readFileSync(at('guessed.yaml'), 'utf8');
  expect('`guess` knows its sheet by its headers', /^operation: asset\.rename$/m.test(guessed));
  expect('and maps them', /renamedAsset: Asset To Label\n +assetLabel: Sticker/.test(guessed));

  licenseSync('validate', JOB[0]);
  expect('`validate` accepts its sample job', true);
  licenseSync('run', JOB[0], '--output', 'result.xlsx');
  const rows = await rowsOf('result.xlsx', 'Results');
  const right = (it) =>
    it.status === 'succeeded' && it.assetLabel === it.Sticker && String(it.timesRenamed) === '1';
  expect('`run` carries its rows out on the sandbox', rows.length === 20 && rows.every(right));
  licenseSync('run', JOB[0], '--output', 'again.xlsx');
  const again = await rowsOf('again.xlsx', 'Results');
  expect(
    'and knows them by their keys when it is run again',
    again.every((it) => it.status === 'skipped'),
  );
}

try {
  await trial();
} finally {
  if (process.argv.includes('--keep')) process.stdout.write(`${tree}\n`);
  else rmSync(tree, { recursive: true, force: true });
}
