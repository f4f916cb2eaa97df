import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { JobSource } from '../../src/model/job.js';
import { resultPath } from '../../src/workbook/result-files.js';

const ROOT = path.resolve('/data');

function result(file: string, input: string, outcome?: string): string {
  const source = { file: path.join(ROOT, 'in', input) } as JobSource;
  const job = { name: 'orders', source, output: { file: path.join(ROOT, file) } };
  return path.relative(ROOT, resultPath(job, 'R1', outcome));
}

describe('the name of a result is made of job, run and input', () => {
  it.each([
    ['out/{job}-{run}.xlsx', 'a.xlsx', 'out/orders-R1.xlsx'],
    ['out/{input}.csv', '订单 十一月.v2.xlsx', 'out/订单 十一月.v2.csv'],
    ['out/{input}-{run}.csv', '{run}$&{job}.csv', 'out/{run}$&{job}-R1.csv'],
    ['out/{input}/r.csv', '...csv', 'out/_/r.csv'],
    ['out/{input}/r.csv', 'a\nb\u001b[0m|c.csv', 'out/a_b_[0m_c/r.csv'],
    ['out/{other}.csv', 'a.csv', 'out/{other}.csv'],
  ])('%s of %j', (file, input, wanted) => {
    expect(result(file, input)).toBe(path.normalize(wanted));
  });

  it('stays within what a file system takes', () => {
    const name = path.basename(result('{input}-{run}.xlsx', `${'订'.repeat(84)}.csv`));
    expect(Buffer.byteLength(name)).toBeLessThan(230);
    expect(name.endsWith('…-R1.xlsx')).toBe(true);
  });

  it('has the folder of its outcome, where there is one', () => {
    expect(result('in/{outcome}/{input}.xlsx', 'a.xlsx', 'done')).toBe(path.normalize('in/done/a.xlsx'));
    expect(result('in/{outcome}/{input}.xlsx', 'a.xlsx')).toBe(path.normalize('in/a.xlsx'));
  });
});
