// `npm run build`: makes dist/ of src/, the declarations by tsc and the code as a bundle.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { buildPages } from './build-pages.mjs';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const DIST = path.join(ROOT, 'dist');
/** A build is made here, and takes the place of dist/ when it is complete. */
const MAKING = path.join(ROOT, `dist.new-${process.pid}`);
const REPLACED = path.join(ROOT, `dist.old-${process.pid}`);
/** In dist/: the digest of what it was built from. */
const BUILT_FROM = '.built-from';
/** Chunks of earlier builds are kept for so long: a process that was started from one loads some of them later. */
const KEPT_MS = 14 * 24 * 3_600_000;

/**
 * What is asked for by name: by bin/, by name of the importing package, as a thread, and by the scripts and tests that need
 * a built part. Each, like every chunk, stands two folders below the package's root: own-package.ts relies on it.
 */
const ENTRIES = {
  'cli/main': 'src/cli/main.ts',
  'api/index': 'src/api/index.ts',
  'console/child': 'src/console/child-processes/child.ts',
  'workers/scan-worker': 'src/source/xlsx/scan-worker.ts',
  'workers/other-files': 'src/source/other/reading-process-main.ts',
  'workers/record-worker': 'src/source/csv/record-worker.ts',
  'tools/source': 'src/source/open-source.ts',
  'tools/workbook': 'src/workbook/write.ts',
};

/**
 * A native module finds its binary by its own place; pino starts threads by file name, and only for `--log-file`; the
 * queue's engine reads its SQL next to its code; and one copy of PostgreSQL's client serves it and us.
 */
const EXTERNAL = [/^node:/, '@photostructure/sqlite', 'pino', 'pg', /^graphile-worker/];

/**
 * Chunks of what is loaded together, the lightest first: a module goes to the first whose command needs it at once. What
 * is in none (loaded later, or by other commands alone) is divided by who needs it.
 */
const TOGETHER = {
  help: ['src/cli/main.ts'],
  listing: ['src/cli/wrong-arguments.ts', 'src/cli/commands/runs.ts', 'src/ledger/sqlite/ledger.ts'],
  running: ['src/cli/terminal.ts', 'src/app/run.ts'],
};

/** What is changed in packages, by the path of the file that is changed. */
const CHANGES = {
  // Node warns of `new Buffer` outside of node_modules.
  'archiver-utils/index.js': [
    ['new Buffer(0)', 'Buffer.alloc(0)'],
    ['new Buffer(source)', 'Buffer.from(source)'],
  ],
  // For subcommands that are programs of their own, which we have none of: a tenth of what help takes.
  'commander/lib/command.js': [
    [
      "const childProcess = require('node:child_process');",
      "const childProcess = { spawn: (...all) => require('node:child_process').spawn(...all) };",
    ],
  ],
};

const made = new Set();

const changePackages = {
  name: 'change-packages',
  transform: {
    filter: { id: /[\\/]node_modules[\\/](archiver-utils|commander)[\\/]/ },
    handler(code, id) {
      const file = Object.keys(CHANGES).find((it) =>
        id.replaceAll('\\', '/').endsWith(`/node_modules/${it}`),
      );
      const changes = (CHANGES[file] ?? []).filter(([from]) => code.includes(from));
      for (const [from] of changes) made.add(from);
      return { code: changes.reduce((text, [from, to]) => text.replaceAll(from, to), code), map: null };
    },
  },
  buildEnd(error) {
    const missing = Object.values(CHANGES).flatMap((it) =>
      it.map(([from]) => from).filter((from) => !made.has(from)),
    );
    if (error === undefined && missing.length > 0) {
      throw new Error(
        `not found in the packages any more: ${missing.join('; ')}. See CHANGES in scripts/build.mjs`,
      );
    }
  },
};
// CommonJS: with it Node 20 lists runs in four fifths of the time that the same chunks take as ES modules.
const OUTPUT = {
  dir: MAKING,
  format: 'cjs',
  sourcemap: true,
  sourcemapExcludeSources: true,
  comments: { legal: true, annotation: false, jsdoc: false },
  entryFileNames: '[name].cjs',
  chunkFileNames: ({ name }) => `chunks/${name.replaceAll('/', '-').slice(0, 60)}-[hash].cjs`,
  // A require() in place of the import() of packages that stay outside, so that Node 20 can keep the chunk's compiled code.
  dynamicImportInCjs: false,
  codeSplitting: { groups: [{ name: chunkOf, debugName: 'together' }] },
};

/** By the name of a chunk: what its modules import at once, and so on. */
const needed = new Map();

function chunkOf(id, context) {
  for (const [name, sources] of Object.entries(TOGETHER)) {
    const entries = sources.map((it) => path.join(ROOT, it));
    if (!needed.has(name)) needed.set(name, closure(entries, context));
    if (needed.get(name).has(id) && !entries.includes(id)) return name;
  }
  return undefined;
}

function closure(entries, context) {
  const found = new Set(entries);
  for (const id of found) {
    const module = context.getModuleInfo(id);
    if (!module) throw new Error(`${id} is not there: see TOGETHER in scripts/build.mjs`);
    for (const it of module.importedIds) if (!it.startsWith('node:')) found.add(it);
  }
  return found;
}

async function bundle() {
  const build = await rolldown({
    cwd: ROOT,
    input: ENTRIES,
    platform: 'node',
    external: EXTERNAL,
    checks: { ineffectiveDynamicImport: false },
    plugins: [changePackages],
    resolve: { extensionAlias: { '.js': ['.ts', '.js'] } },
  });
  const { output } = await build.write(OUTPUT);
  await build.close();
  return output.filter(({ type }) => type === 'chunk');
}

/** The library as an ES module with names of its own, so that `import { run } from 'license-sync'` works everywhere. */
function writeLibrary(chunks) {
  const { exports } = chunks.find(({ fileName }) => fileName === 'api/index.cjs');
  const names = exports.filter((it) => it !== 'default').sort();
  writeFileSync(
    path.join(MAKING, 'api/index.js'),
    `import library from './index.cjs';\n\nexport const { ${names.join(', ')} } = library;\n`,
  );
}

/** The licences of what is bundled: they ask to go wherever the code goes. */
function writeLicences(chunks) {
  const folders = new Set(chunks.flatMap(({ moduleIds }) => moduleIds.flatMap(packageFolder)));
  const texts = [...folders].map((folder) => {
    const { name, version, license, author } = JSON.parse(
      readFileSync(path.join(folder, 'package.json'), 'utf8'),
    );
    const file = readdirSync(folder).find((it) => /^(licen[cs]e|copying)/i.test(it));
    const text = file === undefined ? '' : `\n${readFileSync(path.join(folder, file), 'utf8').trim()}\n`;
    const by = author === undefined ? '' : `, by ${author.name ?? author}`;
    return `${name} ${version}: ${license}${by}\n${text}`;
  });
  writeFileSync(
    path.join(MAKING, 'THIRD-PARTY.txt'),
    [...new Set(texts)].sort().join(`\n${'-'.repeat(80)}\n\n`),
  );
}

/** The folder of the package that a module belongs to; none for our own. */
function packageFolder(id) {
  const found = /^(.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/.exec(id.replace(/^\0/, ''))?.[1];
  return found !== undefined && existsSync(path.join(found, 'package.json')) ? [found] : [];
}

/** The digest of all that a build is made from: sources, scripts, settings, and the installed packages. */
function inputs() {
  const digest = createHash('sha256').update(process.version);
  const files = ['src', 'scripts'].flatMap((folder) =>
    readdirSync(path.join(ROOT, folder), { recursive: true, withFileTypes: true })
      .filter((it) => it.isFile())
      .map((it) => path.join(it.parentPath, it.name)),
  );
  const others = ['package.json', 'tsconfig.json', 'tsconfig.build.json', 'node_modules/.package-lock.json'];
  for (const file of [...files, ...others.map((it) => path.join(ROOT, it))].sort()) {
    if (!existsSync(file)) continue;
    const content = createHash('sha256').update(readFileSync(file)).digest('hex');
    digest.update(`${path.relative(ROOT, file)} ${content}\n`);
  }
  return digest.digest('hex');
}

function isFresh(from) {
  const entries = Object.keys(ENTRIES).map((it) => `${it}.cjs`);
  const needed = [
    ...entries,
    'api/index.js',
    'api/index.d.ts',
    'console/pages/index.html',
    'THIRD-PARTY.txt',
  ];
  if (!needed.every((it) => existsSync(path.join(DIST, it)))) return false;
  const file = path.join(DIST, BUILT_FROM);
  return existsSync(file) && readFileSync(file, 'utf8') === from;
}

async function make(from) {
  const tsc = ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json', '--outDir', MAKING];
  execFileSync(process.execPath, tsc, { cwd: ROOT, stdio: 'inherit' });
  const chunks = await bundle();
  writeLibrary(chunks);
  writeLicences([...chunks, ...(await buildPages(path.join(MAKING, 'console/pages')))]);
  writeFileSync(path.join(MAKING, BUILT_FROM), from);
}

/** Chunks have their content's hash in their names, so those of different builds can be next to each other. */
function keepEarlierChunks() {
  const earlier = path.join(DIST, 'chunks');
  if (!existsSync(earlier)) return;
  const since = Date.now() - KEPT_MS;
  for (const name of readdirSync(earlier)) {
    const [from, to] = [path.join(earlier, name), path.join(MAKING, 'chunks', name)];
    if (!existsSync(to) && statSync(from).mtimeMs > since) cpSync(from, to, { preserveTimestamps: true });
  }
}

/** Of two builds at once each replaces the whole of dist/: the last one is there in the end. */
function replace() {
  for (let tries = 0; ; tries += 1) {
    try {
      if (existsSync(DIST)) renameSync(DIST, REPLACED);
    } catch (error) {
      if (error.code !== 'ENOENT') throw error;
    }
    try {
      renameSync(MAKING, DIST);
      break;
    } catch (error) {
      // Another build has put its own there in the meantime.
      if (tries === 9 || !['ENOTEMPTY', 'EEXIST', 'EPERM'].includes(error.code)) throw error;
      remove(REPLACED);
    }
  }
  remove(REPLACED);
}

// A command that ends just now writes what it compiled into it.
function remove(folder) {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

/** What a build left that was killed. */
function removeLeft() {
  for (const name of readdirSync(ROOT)) {
    const id = /^dist\.(?:new|old)-(\d+)$/.exec(name)?.[1];
    if (id !== undefined && !isAlive(Number(id))) remove(path.join(ROOT, name));
  }
}

function isAlive(id) {
  try {
    process.kill(id, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

const from = inputs();
if (isFresh(from)) console.log('dist/ is up to date');
else {
  removeLeft();
  try {
    await make(from);
    keepEarlierChunks();
    replace();
  } finally {
    remove(MAKING);
  }
}
