import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { brief, load, problemsOf } from './fixture.js';

const job = (file: string) => `version: 1\nname: a\noperation: asset.lock\nsource:\n  file: ${file}\n`;

describe('wildcards in the file of a source', () => {
  it.each([
    ['../inbox/*.xlsx', 'inbox/*.xlsx'],
    ['orders-????.csv', 'jobs/orders-????.csv'],
    ["'*'", 'jobs/*'],
  ])('may be a pattern: %s', async (file, path) => {
    const { folder, job: read } = await load(job(file));
    expect(read.source).toMatchObject({ file: join(folder, path), pattern: true });
  });

  it.each(['orders [2026].xlsx', 'a{b}.csv', '../[in]/a!.xlsx'])(
    'is a name like any other: %s',
    async (file) => {
      const { folder, job: read } = await load(job(file));
      expect(read.source.file).toBe(join(folder, 'jobs', file));
      expect(read.source).not.toHaveProperty('pattern');
    },
  );

  it.each(['../*/orders.xlsx', 'in?/*.xlsx', '../**/a.xlsx', 'inbox/**', 'inbox/**.xlsx'])(
    'has wildcards in its name only: %s',
    async (file) => {
      const problems = await problemsOf(job(file));
      expect(brief(problems)).toEqual(['5:9 job.bad_wildcard']);
      expect(problems[0]?.message.params).toMatchObject({ value: file });
    },
  );

  it('may be a pattern given on the command line', async () => {
    const { job: read } = await load(job('a.xlsx'), { set: ['source.file=/in/*.csv'] });
    expect(read.source).toMatchObject({ file: '/in/*.csv', pattern: true });
  });
});
