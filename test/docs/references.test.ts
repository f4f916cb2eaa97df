import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const PLACES = ['src', 'docs', 'test', 'scripts', 'bench/measures', 'README.md', 'CONTRIBUTING.md'];
const TEXT = /\.(ts|mjs|md)$/;

/** What people outside the repository call these pages; inside, only the pages themselves may be cited. */
const ELSEWHERE = /\b(contract|reliability|service-interface|style|team)\.md\b/g;

function textFiles(): readonly { readonly file: string; readonly text: string }[] {
  const files = PLACES.flatMap((place) =>
    TEXT.test(place)
      ? [place]
      : readdirSync(path.join(ROOT, place), { recursive: true, encoding: 'utf8' })
          .filter((it) => TEXT.test(it))
          .map((it) => path.posix.join(place, it)),
  );
  return files.map((file) => ({ file, text: readFileSync(path.join(ROOT, file), 'utf8') }));
}

/** Numbers of a page's sections: `4.5` of a heading, `4.5.3` of the third rule listed below it. */
function sectionsOf(page: string): ReadonlySet<string> {
  const found = new Set<string>();
  let section = '';
  for (const line of readFileSync(path.join(ROOT, 'docs', 'reference', page), 'utf8').split('\n')) {
    const heading = /^#+ (\d+(?:\.\d+)?)\.? /.exec(line)?.[1];
    const rule = /^(\d+)\. /.exec(line)?.[1];
    if (heading !== undefined) section = heading;
    found.add(heading === undefined && rule !== undefined ? `${section}.${rule}` : section);
  }
  return found;
}

describe('what comments, messages and pages cite', () => {
  const files = textFiles();
  const cited = (pattern: RegExp): readonly { readonly file: string; readonly number: string }[] =>
    files.flatMap(({ file, text }) =>
      [...text.matchAll(pattern)].map(([, number]) => ({ file, number: number! })),
    );

  it('sections (§) of the interface are in docs/reference/interface.md', () => {
    const sections = sectionsOf('interface.md');
    const found = cited(/§([1-9]\d*(?:\.\d+)*)/g);
    expect(found.length).toBeGreaterThan(200);
    expect(found.filter((it) => !sections.has(it.number))).toEqual([]);
  });

  it('sections of the contract are in docs/reference/contract.md', () => {
    const sections = sectionsOf('contract.md');
    const found = cited(/contract section (\d+(?:\.\d+)*)/g);
    expect(found.length).toBeGreaterThan(40);
    expect(found.filter((it) => !sections.has(it.number))).toEqual([]);
  });

  it('is in the repository', () => {
    const own = new Set(['docs/reference/contract.md', 'docs/team.md']);
    const lost = files
      .filter(({ file }) => file !== 'test/docs/references.test.ts')
      .flatMap(({ file, text }) => {
        const names = [...text.matchAll(ELSEWHERE)].map(([name]) => name);
        return names
          .filter((name) => !own.has(`docs/reference/${name}`) && !own.has(`docs/${name}`))
          .map((name) => ({ file, name }));
      });
    expect(lost).toEqual([]);
  });

  it('CONTRIBUTING names files and functions that exist', () => {
    const named = [...readFileSync(path.join(ROOT, 'CONTRIBUTING.md'), 'utf8').matchAll(/`([^`\n]+)`/g)].map(
      ([, name]) => name!,
    );
    const places = readdirSync(ROOT, { recursive: true, encoding: 'utf8' })
      .map((it) => `/${it.replaceAll('\\', '/')}`)
      .filter((it) => !it.includes('node_modules/') && !it.includes('/.git/'));
    // Folders of the build exist only after it, and after the program was started.
    const paths = named.filter(
      (name) => !name.startsWith('dist/') && /^[\w.-]+(\/[\w.-]+)*(\/|\.(ts|tsx|mjs|json|md))$/.test(name),
    );
    const lost = paths.filter((name) => !places.some((it) => it.endsWith(`/${name.replace(/\/$/, '')}`)));
    const source = files.filter(({ file }) => /^(src|scripts|test\/support)\//.test(file));
    const words = new Set(source.flatMap(({ text }) => text.match(/\w+/g) ?? []));
    const functions = named
      .filter((name) => /^[A-Za-z]+(\.[A-Za-z]+)?$/.test(name) && /[a-z][A-Z]/.test(name))
      .flatMap((name) => name.split('.'));
    expect(paths.length).toBeGreaterThan(60);
    expect(functions.length).toBeGreaterThan(40);
    expect([...lost, ...functions.filter((name) => !words.has(name))]).toEqual([]);
  });
});
