import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../src/', import.meta.url));

/** Entry points: each uses what is in app, and none uses another one. */
const ENTRY_POINTS: readonly string[] = ['cli', 'api', 'console'];

/** Layers from the bottom; folders of one layer don't import each other. */
const FLOOR: Readonly<Record<string, number>> = {
  errors: 0,
  util: 0,
  model: 1,
  job: 2,
  source: 2,
  mapping: 2,
  platform: 2,
  ledger: 2,
  workbook: 2,
  templates: 2,
  pages: 2,
  notify: 2,
  sandbox: 2,
  run: 3,
  reconcile: 3,
  pull: 3,
  guess: 3,
  doctor: 3,
  people: 3,
  schedule: 4,
  inbox: 4,
  workers: 4,
  rehearse: 4,
  app: 5,
  ...Object.fromEntries(ENTRY_POINTS.map((it) => [it, 6])),
};

/**
 * What the sandbox may see of the platform: shapes, what it does at each endpoint, and its state. These see nothing of
 * the client's side (how requests are composed and replies read), so that neither can hide an error of the other.
 */
function isServed(file: string): boolean {
  if (/^platform\/(wire|simulated)\//.test(file) || file === 'platform/operations/simulations.ts')
    return true;
  return /^platform\/operations\/[\w-]+\/[\w-]+\.(endpoint|sandbox)(-[\w-]+)?\.ts$/.test(file);
}

/** Named exceptions: [from, to] folders or files. */
function allowed(from: string, to: string): boolean {
  const [fromRoom = '', toRoom = ''] = [from.split('/')[0], to.split('/')[0]];
  if (fromRoom === toRoom) return !(isServed(from) && !isServed(to));
  // The command line starts the console, and does nothing else with it.
  if (from === 'cli/commands/console.ts' && to === 'console/serve.ts') return true;
  const [high, low] = [FLOOR[fromRoom], FLOOR[toRoom]];
  if (high === undefined || low === undefined) return false;
  // The sandbox answers by the same tables that requests are checked with, and by nothing else of the client's side.
  if (fromRoom === 'sandbox' && isServed(to)) return true;
  // Faults are messages as data; both are in the lowest layer.
  if (high === 0) return low === 0;
  return low < high;
}

function sources(folder = ''): string[] {
  return readdirSync(path.join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const inside = path.posix.join(folder, entry.name);
    return entry.isDirectory() ? sources(inside) : /\.tsx?$/.test(entry.name) ? [inside] : [];
  });
}

function imports(file: string): string[] {
  const text = readFileSync(path.join(ROOT, file), 'utf8');
  const found = text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g);
  return [...found].map((it) => {
    const to = path.posix.join(path.posix.dirname(file), (it[1] ?? '').replace(/\.js$/, '.ts'));
    return existsSync(path.join(ROOT, `${to}x`)) ? `${to}x` : to;
  });
}

/** What is imported when the program runs, at once or later; types vanish before. */
function importedAtRuntime(file: string): string[] {
  const text = readFileSync(path.join(ROOT, file), 'utf8');
  const found = text.matchAll(/^(?:import|export) (?!type )[^;]*?from '(\.[^']+)'|import\('(\.[^']+)'\)/gm);
  return [...found].map((it) =>
    path.posix.join(path.posix.dirname(file), (it[1] ?? it[2] ?? '').replace(/\.js$/, '.ts')),
  );
}

/** Folders whose code an entry point may use, and what stands elsewhere and only turns a value into text. */
const FOR_ENTRY_POINTS: ReadonlySet<string> = new Set(['app', 'errors', 'util', 'model']);
const RENDERERS: ReadonlySet<string> = new Set([
  // What the command `console` starts.
  'console/serve.ts',
  // A time in the zone of a schedule.
  'schedule/timetable.ts',
  // `HTTP 429, Retry-After 60 s`.
  'platform/client/platform-pause.ts',
]);

/** All that a file brings with it when it is loaded: files, and packages by their names. Types bring nothing. */
function loaded(file: string, found = new Set<string>()): Set<string> {
  found.add(file);
  const text = readFileSync(path.join(ROOT, file), 'utf8');
  for (const [, name = ''] of text.matchAll(/^(?:import|export) (?!type )[^;]*?from '([^']+)';/gm)) {
    const to = name.startsWith('.')
      ? path.posix.join(path.posix.dirname(file), name.replace(/\.js$/, '.ts'))
      : name;
    if (found.has(to)) continue;
    if (to.endsWith('.ts')) loaded(to, found);
    else if (!to.startsWith('node:')) found.add(to);
  }
  return found;
}

describe('the layout', () => {
  it('has no file outside the named folders', () => {
    const strays = sources().filter((file) => FLOOR[file.split('/')[0] ?? ''] === undefined);
    expect(strays).toEqual([]);
  });

  it('imports go down only, and folders of one layer do not import each other', () => {
    const wrong = sources().flatMap((file) =>
      imports(file)
        .filter((to) => !allowed(file, to))
        .map((to) => `${file} imports ${to}`),
    );
    expect(wrong).toEqual([]);
  });

  it('entry points wire nothing: they use what is in app, and of the folders below nothing but types', () => {
    const wrong = sources()
      .filter((file) => ENTRY_POINTS.includes(file.split('/')[0] ?? ''))
      .flatMap((file) =>
        importedAtRuntime(file)
          .filter((to) => !RENDERERS.has(to) && to.split('/')[0] !== file.split('/')[0])
          .filter((to) => !FOR_ENTRY_POINTS.has(to.split('/')[0] ?? ''))
          .map((to) => `${file} imports ${to}`),
      );
    expect(wrong).toEqual([]);
  });

  it('use cases take environment, folder and streams from their caller', () => {
    const own =
      /\bprocess\.(?:env|cwd|argv|stdout|stderr|stdin|exit|exitCode|on|once)\b|\bconsole\.(?:log|info|warn|error|debug|trace|dir)\b/;
    const wrong = sources('app').filter((file) => own.test(readFileSync(path.join(ROOT, file), 'utf8')));
    expect(wrong).toEqual([]);
  });

  it('has no import cycles', () => {
    const graph = new Map(sources().map((file) => [file, imports(file)]));
    const done = new Set<string>();
    const cycles: string[] = [];
    const visit = (file: string, trail: readonly string[]): void => {
      if (trail.includes(file)) {
        cycles.push([...trail.slice(trail.indexOf(file)), file].join(' > '));
        return;
      }
      if (done.has(file)) return;
      for (const to of graph.get(file) ?? []) visit(to, [...trail, file]);
      done.add(file);
    };
    for (const file of graph.keys()) visit(file, []);
    expect(cycles).toEqual([]);
  });
});

describe('the tests', () => {
  it('of a folder use nothing of another one: what they share is in test/support and test/fixtures', () => {
    const test = fileURLToPath(new URL('./', import.meta.url));
    const files = readdirSync(test, { recursive: true, encoding: 'utf8' }).filter((it) => it.endsWith('.ts'));
    const leaning = files.flatMap((file) => {
      const text = readFileSync(path.join(test, file), 'utf8');
      return [...text.matchAll(/from '(\.[^']+)'/g)].flatMap(([, name = '']) => {
        const to = path.posix.join(path.posix.dirname(file), name);
        const shared =
          to.startsWith('..') || /^(support|fixtures)\//.test(to) || to.split('/')[0] === file.split('/')[0];
        return shared && !to.endsWith('.test.js') ? [] : [`${file} imports ${to}`];
      });
    });
    expect(leaning).toEqual([]);
  });
});

describe('the names of exported types', () => {
  it('are unique in the tree, so that each means one thing', () => {
    const files = new Map<string, string[]>();
    for (const file of sources()) {
      const text = readFileSync(path.join(ROOT, file), 'utf8');
      for (const [, name = ''] of text.matchAll(
        /^export (?:abstract )?(?:type|interface|class|enum) (\w+)/gm,
      )) {
        // The two dialects of the ledger have the same files, and what has one place in both means the same.
        const place = file.replace(/^ledger\/(?:sqlite|postgres)\//, 'ledger/<dialect>/');
        files.set(name, [...new Set([...(files.get(name) ?? []), place])]);
      }
    }
    const shared = [...files].filter(([, places]) => places.length > 1);
    expect(shared.map(([name, places]) => `${name}: ${places.join(', ')}`)).toEqual([]);
  });
});

describe('what is loaded at the start', () => {
  it('is only the shapes of the commands and their words, so that help is there at once', () => {
    const others = [...loaded('cli/main.ts')].filter(
      (it) =>
        !/^cli\/(main|language|program)\b|^util\/own-package|^commander$|^errors\/locales\/(en|zh)-help\.ts/.test(
          it,
        ),
    );
    expect(others).toEqual([]);
  });

  it('excludes the sandbox and the words of operations, for a run against a platform', () => {
    const needless = [...loaded('cli/terminal.ts'), ...loaded('app/run.ts')].filter((it) =>
      /^sandbox\/|^platform\/simulated\/|^platform\/operations\/.*\b(?:sandbox|simulations|words)\b/.test(it),
    );
    expect(needless).toEqual([]);
  });

  it('excludes what the sandbox must not see: how requests are composed and replies read', () => {
    const client = [...loaded('sandbox/serve.ts')].filter(
      (it) => it.startsWith('platform/') && !isServed(it),
    );
    expect(client).toEqual([]);
  });

  it('excludes the server database, wherever a ledger is opened: it is loaded for one on a server', () => {
    const users = sources().filter((file) =>
      /from '(?:pg|graphile-worker)'/.test(
        readFileSync(path.join(ROOT, file), 'utf8').replaceAll(/^import type .*$/gm, ''),
      ),
    );
    expect(users.filter((it) => !it.startsWith('ledger/postgres/'))).toEqual([]);
    const needed = [...loaded('ledger/open.ts')].filter(
      (it) => it.startsWith('ledger/postgres/') || it === 'pg',
    );
    expect(needed).toEqual([]);
  });

  it('excludes what reads files, for a list of runs', () => {
    const packages = [...loaded('cli/commands/runs.ts')].filter((it) => !it.endsWith('.ts'));
    expect(packages).toEqual([]);
  });
});
