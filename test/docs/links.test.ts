import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { fencesOf } from './blocks.js';
import { TAGS } from './page.js';
import { linesOf } from './shell.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const DOCS = readdirSync(path.join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' }).filter((it) =>
  it.endsWith('.md'),
);
const PAGES = ['README.md', 'CONTRIBUTING.md', ...DOCS.map((it) => `docs/${it}`)];
const PICTURES = readdirSync(path.join(ROOT, 'docs', 'pictures')).filter((it) => it.endsWith('.png'));
const LARGEST_PICTURE = 150_000;

const textOf = (page: string): string => readFileSync(path.join(ROOT, page), 'utf8');

/** Targets of links and pictures outside of fences. */
function linksOf(page: string): readonly string[] {
  const prose = textOf(page).replace(/^```[\s\S]*?^```$/gm, '');
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target!);
}

/** As GitHub names headings. */
function anchorsOf(page: string): readonly string[] {
  const prose = textOf(page).replace(/^```[\s\S]*?^```$/gm, '');
  return [...prose.matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/ /g, '-'),
  );
}

describe('the documentation', () => {
  it.each(PAGES)('%s: every link leads somewhere', (page) => {
    const lost = linksOf(page)
      .filter((it) => !/^https?:/.test(it))
      .filter((link) => {
        const [file = '', anchor] = link.split('#');
        const target = file === '' ? page : path.posix.join(path.posix.dirname(page), file);
        if (!existsSync(path.join(ROOT, target))) return true;
        return anchor !== undefined && !anchorsOf(target).includes(anchor);
      });
    expect(lost).toEqual([]);
  });

  it('can be reached from the README', () => {
    const links = linksOf('README.md').map((it) => it.split('#')[0]);
    expect(PAGES.filter((it) => it !== 'README.md' && !links.includes(it))).toEqual([]);
  });

  it('shows every picture that there is, and none is large', () => {
    const shown = PAGES.flatMap((page) => linksOf(page).map((it) => path.posix.basename(it)));
    expect(PICTURES.filter((it) => !shown.includes(it))).toEqual([]);
    const sizes = PICTURES.map((it) => statSync(path.join(ROOT, 'docs', 'pictures', it)).size);
    expect(Math.max(0, ...sizes)).toBeLessThan(LARGEST_PICTURE);
  });

  it.each(PAGES)('%s: no fence holds an example that is not executed', (page) => {
    const fences = fencesOf(textOf(page));
    expect(fences.filter((it) => !TAGS.includes(it.tag))).toEqual([]);
    const command = /^(\$ )?(node \S*bin\/)?license-sync(\.js)? \w/m;
    const hidden = fences.filter((it) => it.tag === 'text' && command.test(it.text));
    expect(hidden).toEqual([]);
  });

  it('CONTRIBUTING.md: every file and folder that it names is there, and every folder of src/ is named', () => {
    const text = textOf('CONTRIBUTING.md');
    const paths = [...text.matchAll(/`((?:src|test|scripts|docs|bench|jobs|templates)\/[\w./-]*)`/g)].map(
      (it) => it[1]!,
    );
    expect(paths.length).toBeGreaterThan(25);
    expect(paths.filter((it) => !existsSync(path.join(ROOT, it)))).toEqual([]);
    const rooms = readdirSync(path.join(ROOT, 'src')).filter((it) => it !== 'model');
    expect(rooms.filter((it) => !text.includes(`\`${it}/`))).toEqual([]);
  });

  it('has something to execute: nothing was lost on the way', () => {
    const fences = PAGES.flatMap((page) => fencesOf(textOf(page)));
    const count = (tag: string): number => fences.filter((it) => it.tag === tag).length;
    expect(count('sh')).toBeGreaterThan(30);
    expect(count('yaml')).toBeGreaterThan(15);
    expect(count('js')).toBeGreaterThan(1);
    expect(fences.filter((it) => it.tag === 'text' && it.follows?.tag === 'sh').length).toBeGreaterThan(20);
    const commands = fences.filter((it) => it.tag === 'sh').flatMap((it) => linesOf(it.text));
    expect(commands.filter((it) => it.text.includes('bin/license-sync.js')).length).toBeGreaterThan(50);
    expect(commands.filter((it) => it.serves)).toHaveLength(6);
    expect(new Set(commands.map((it) => it.exitCode))).toEqual(new Set([0, 1, 2, 3, 4, 6]));
  });
});
