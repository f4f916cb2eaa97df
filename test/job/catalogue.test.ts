import { readdir, readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { JOB } from '../../src/errors/catalogue/job.js';

const names = (text: string) => [...new Set(text.match(/\{\w+\}/g))].sort();

describe('the texts of job', () => {
  it.each(Object.entries(JOB))('%s says the same in both languages', (_, { en, zh }) => {
    expect(names(zh)).toEqual(names(en));
    expect(zh).toMatch(/\p{Script=Han}/u);
  });

  it('are all in use', async () => {
    const folder = new URL('../../src/job/', import.meta.url);
    const files = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.ts'));
    const sources = await Promise.all(files.map((name) => readFile(new URL(name, folder), 'utf8')));
    const source = sources.join('\n');
    expect(Object.keys(JOB).filter((code) => !source.includes(`'${code}'`))).toEqual([]);
  });
});
