// `node scripts/size.mjs`: lines of src/ by folder and kind, and what shows files and functions that are too small.
// `--json` prints the totals alone, `--names` also the files and types in question.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync, Visitor } from 'rolldown/utils';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const KINDS = ['code', 'comments', 'blank', 'imports', 'types', 'messages', 'JSX', 'SQL', 'styles', 'other'];
const SMALL = 40;
const LONG = 300;
/** Files of texts in two languages. */
const MESSAGES = /^src\/errors\/locales\/|\/words\/[\w-]+\.tsx?$|\.words\.ts$/;
const SQL = /^\s*(WITH|SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER|DROP|LOCK|FROM|WHERE|AND|JOIN|LEFT JOIN)\s/;

function filesOf(folder) {
  return readdirSync(path.join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((it) => it.isFile())
    .map((it) => path.relative(ROOT, path.join(it.parentPath, it.name)).replaceAll('\\', '/'));
}

function linesOf(file) {
  const lines = readFileSync(path.join(ROOT, file), 'utf8').split('\n');
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

/** One source file: how many of its lines are of each kind, and what it declares, imports and uses. */
function measure(file) {
  const lines = linesOf(file);
  const found = { file, lines: lines.length, kinds: {}, functions: [], types: [], imports: [], names: [] };
  const count = (kind) => {
    found.kinds[kind] = (found.kinds[kind] ?? 0) + 1;
  };
  if (!/\.tsx?$/.test(file)) {
    for (const _ of lines) count(file.endsWith('.css') ? 'styles' : 'other');
    return found;
  }
  const text = lines.join('\n');
  const { program, comments } = parseSync(file, text);
  const starts = [0];
  for (const line of lines) starts.push(starts.at(-1) + line.length + 1);
  const kindOf = new Array(lines.length);
  const lineAt = (offset) => {
    let [low, high] = [0, lines.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (starts[middle] <= offset) low = middle;
      else high = middle;
    }
    return low;
  };
  const mark = (kind, { start, end }) => {
    for (let at = lineAt(start); at <= lineAt(end - 1); at += 1) kindOf[at] ??= kind;
  };
  const visit = (kind) => (node) => mark(kind, node);
  const literal = (node, value) => SQL.test(value) && mark('SQL', node);
  new Visitor({
    ImportDeclaration: (node) => {
      mark('imports', node);
      found.imports.push(node.source.value);
    },
    ExportAllDeclaration: (node) => {
      mark('imports', node);
      found.imports.push(node.source.value);
    },
    ExportNamedDeclaration: (node) => {
      if (node.source) {
        mark('imports', node);
        found.imports.push(node.source.value);
      }
      if (/^TS(Interface|TypeAlias)Declaration$/.test(node.declaration?.type ?? ''))
        found.types.push(node.declaration.id.name);
    },
    ImportExpression: (node) => node.source.value && found.imports.push(node.source.value),
    TSInterfaceDeclaration: visit('types'),
    TSTypeAliasDeclaration: visit('types'),
    JSXElement: visit('JSX'),
    JSXFragment: visit('JSX'),
    TemplateLiteral: (node) => literal(node, node.quasis[0]?.value.raw ?? ''),
    Literal: (node) => typeof node.value === 'string' && literal(node, node.value),
    Identifier: (node) => found.names.push(node.name),
    JSXIdentifier: (node) => found.names.push(node.name),
  }).visit(program);
  for (const { type, declaration } of program.body.map((it) =>
    it.type === 'ExportNamedDeclaration' && it.declaration
      ? { type: 1, declaration: it.declaration }
      : { declaration: it },
  )) {
    if (declaration.type === 'FunctionDeclaration')
      found.functions.push({ name: declaration.id.name, exported: type === 1 });
  }
  for (const it of comments) {
    for (let at = lineAt(it.start); at <= lineAt(it.end - 1); at += 1) {
      const [from, to] = [Math.max(it.start, starts[at]), Math.min(it.end, starts[at + 1] - 1)];
      if (text.slice(starts[at], starts[at + 1]).trim() === text.slice(from, to).trim())
        kindOf[at] = 'comments';
    }
  }
  const messages = MESSAGES.test(file);
  for (const [at, line] of lines.entries()) {
    if (line.trim() === '') count('blank');
    else count(kindOf[at] ?? (messages ? 'messages' : 'code'));
  }
  return found;
}

const sources = filesOf('src').map(measure);
const code = sources.filter(({ file }) => /\.tsx?$/.test(file));
const sum = (files) => files.reduce((total, { lines }) => total + lines, 0);

const importers = new Map();
for (const { file, imports } of code)
  for (const it of new Set(imports)) {
    if (!it.startsWith('.')) continue;
    const to = path.posix.join(path.posix.dirname(file), it).replace(/\.js$/, '');
    importers.set(to, (importers.get(to) ?? 0) + 1);
  }
const small = code.filter(({ lines }) => lines < SMALL);
const oneImporter = small.filter(({ file }) => importers.get(file.replace(/\.tsx?$/, '')) === 1);

const uses = new Map();
for (const { names } of code) {
  for (const it of names) uses.set(it, (uses.get(it) ?? 0) + 1);
}
const functions = code.flatMap((it) => it.functions);
/** Its declaration and one use; an import of another file names it once or twice more. */
const single = functions.filter(({ name, exported }) => {
  const all = uses.get(name) ?? 0;
  return exported ? all <= 4 : all === 2;
});
const types = code.flatMap((it) => it.types);
const repeated = [...new Set(types.filter((it, at) => types.indexOf(it) !== at))];

const documents = [...filesOf('docs').filter((it) => it.endsWith('.md')), 'README.md'];
const tests = filesOf('test').filter((it) => /\.(tsx?|mjs|mts)$/.test(it));
const totals = {
  sourceLines: sum(sources),
  sourceFiles: sources.length,
  smallFiles: small.length,
  smallFilesWithOneImporter: oneImporter.length,
  longFiles: code.filter(({ lines }) => lines > LONG).length,
  functions: functions.length,
  singleUseFunctions: single.length,
  exportedTypes: types.length,
  repeatedTypeNames: repeated.length,
  testLines: tests.reduce((total, it) => total + linesOf(it).length, 0),
  documentLines: documents.reduce((total, it) => total + linesOf(it).length, 0),
};

function print() {
  const folders = new Map();
  for (const it of sources) {
    const folder = it.file.split('/')[1];
    folders.set(folder, [...(folders.get(folder) ?? []), it]);
  }
  const row = (name, files) => [
    name,
    files.length,
    sum(files),
    ...KINDS.map((kind) => files.reduce((total, it) => total + (it.kinds[kind] ?? 0), 0)),
  ];
  const rows = [...folders].map(([name, files]) => row(name, files)).sort((a, b) => b[2] - a[2]);
  const table = [['folder', 'files', 'lines', ...KINDS], ...rows, row('all', sources)];
  for (const line of table)
    console.log(line.map((it, at) => (at === 0 ? String(it).padEnd(11) : String(it).padStart(9))).join(''));
  console.log();
  for (const [name, value] of Object.entries(totals)) console.log(`${name.padEnd(26)}${value}`);
  if (process.argv.includes('--names')) {
    console.log(
      `\nsmall files with one importer:\n${oneImporter.map(({ file, lines }) => `  ${lines} ${file}`).join('\n')}`,
    );
    console.log(`\nrepeated type names: ${repeated.join(', ')}`);
  }
}

if (process.argv.includes('--json')) console.log(JSON.stringify(totals));
else print();
