import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ProductError } from '../../src/errors/product-error.js';
import { loadJob } from '../../src/job/load.js';
import type { MapBranch } from '../../src/model/map.js';
import { ALL_OPERATIONS } from '../../src/platform/operations/catalogue.js';
import { Fixture } from '../support/job-runs.js';
import { guessAt, nodeAt } from './guessing.js';

const HERE = fileURLToPath(new URL('../../', import.meta.url));
const SAMPLES = path.join(HERE, 'jobs');
const CORPUS = fileURLToPath(new URL('../../../shared/spreadsheets/files/', import.meta.url));
/** Larger ones are read by the tests of the reader; here they would only take time. */
const LARGEST = 60_000;

let fixture: Fixture;

beforeEach(async () => {
  fixture = await Fixture.open();
});

afterEach(async () => {
  await fixture.close();
});

describe('each sample input gives its job', () => {
  /** Jobs that send the rows of one file; those that compare, or watch a folder, have none to guess from. */
  const jobs = readdirSync(SAMPLES).filter((it) => {
    if (!it.endsWith('.yaml')) return false;
    const text = readFileSync(path.join(SAMPLES, it), 'utf8');
    return /^operation:/m.test(text) && !/^ *(?:source: \{ )?file: \S*\*/m.test(text);
  });

  it.each(jobs)(
    'of %s are guessed to be for its operation, and what is guessed can be loaded',
    async (name) => {
      const meant = await loadJob(path.join(SAMPLES, name), { env: {}, operations: ALL_OPERATIONS });
      const { found, file, job } = await guessAt(fixture, meant.source.file);
      expect(found.operation).toBe(meant.operation);
      expect(found.proposals[0]?.operation).toBe(meant.operation);
      expect(job.source.file).toBe(meant.source.file);
      if (found.lacking.length > 0) {
        const error = await fixture.run(file, { dryRun: true }).catch((it: unknown) => it);
        expect(error).toBeInstanceOf(ProductError);
        const { detail, others } = error as ProductError;
        const reported = [detail, ...others].map((it) => String(it.params.name));
        for (const field of found.lacking) expect(reported).toContain(field.split('.').at(-1));
        return;
      }
      const end = await fixture.run(file, { dryRun: true });
      expect(end.counts).toEqual({ valid: end.rows });
    },
  );

  it('of several sheets are joined', async () => {
    const { job, found } = await guessAt(fixture, path.join(SAMPLES, 'data', 'new-orders-nested.xlsx'));
    expect(job.source.sheet).toBe('订单');
    const each = (steps: string) => (nodeAt(job, steps) as MapBranch).each;
    expect(each('orderList')).toMatchObject({ columns: ['订单号'] });
    expect(each('orderList.assets')).toMatchObject({ columns: ['锁号'] });
    expect(each('orderList.assets.products')).toMatchObject({ sheet: '产品', on: ['订单号'] });
    expect(each('orderList.assets.products.productFeatures')).toMatchObject({
      sheet: '特征',
      on: ['产品实例'],
    });
    expect(each('orderList.assets.merchandises')).toMatchObject({ sheet: '套餐', on: ['订单号'] });
    expect(found.unused).toEqual(['备注']);
  });
});

if (existsSync(CORPUS)) {
  describe('the reader corpus', () => {
    const files = readdirSync(CORPUS).filter(
      (it) => !it.startsWith('bomb-60MB') && statSync(path.join(CORPUS, it)).size < LARGEST,
    );

    it('gives a job that loads or a clear refusal for every file, whatever it is', async () => {
      let jobs = 0;
      for (const name of files) {
        const answer = await guessAt(fixture, path.join(CORPUS, name), 'enterprise.create').catch(
          (it: unknown) => it,
        );
        if (!(answer instanceof Error)) {
          jobs += 1;
          continue;
        }
        expect(answer, name).toBeInstanceOf(ProductError);
        expect((answer as ProductError).detail.code, name).toMatch(/^(?:source|guess)\./);
      }
      expect(files.length).toBeGreaterThan(100);
      expect(jobs).toBeGreaterThan(files.length / 3);
    });
  });
}
