import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Bundle, bundleForNode } from '../support/bundle.js';
import { type CampaignOptions, campaign, failureText, type Tally } from './campaign.js';
import { CaseMaker, ROOT, type Target } from './cases.js';
import { Baselines } from './check-workbook.js';
import { CaseRunner } from './run-case.js';

/**
 * FUZZ_CASES: cases for each target (`npm run fuzz` has 20,000, with a new seed each time). FUZZ_SEED: the cases of that
 * seed; `random` is a new one. FUZZ_TARGET with FUZZ_CASE: one of them alone, in this process, where a debugger sees it.
 */
const { FUZZ_CASES = '400', FUZZ_CASE, FUZZ_TARGET } = process.env;
// The same cases in every `npm test`: what a new seed finds is no fault of the change under test.
const { FUZZ_SEED: seed = 'test' } = process.env;
const FUZZ_SEED = seed === 'random' ? randomBytes(4).toString('hex') : seed;
const CASES = Number(FUZZ_CASES);
/** Generous: a busy machine does about ten cases a second. */
const TIME_MS = 60_000 + CASES * 100;
const TARGETS: readonly Target[] = ['reader', 'job'];

let bundle: Bundle;
const folder = mkdtempSync(path.join(tmpdir(), 'license-sync-fuzz-test-'));

beforeAll(async () => {
  bundle = await bundleForNode(path.join(import.meta.dirname, 'worker.ts'));
});

afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await bundle?.remove();
});

function run(options: Pick<CampaignOptions, 'target' | 'cases'> & Partial<CampaignOptions>): Promise<Tally> {
  return campaign({ seed: FUZZ_SEED, worker: bundle.file, ...options });
}

describe.runIf(FUZZ_CASE === undefined)('mutated files', () => {
  it.each(TARGETS)(
    '%s: every case ends in time, in what was there or in an error of the file',
    async (target) => {
      const tally = await run({ target, cases: CASES });
      console.log(summary(target, tally));
      expect(failureText(target, FUZZ_SEED, tally.failures)).toBe('');
      expect([...tally.ends.values()].reduce((sum, it) => sum + it, 0)).toBe(CASES);
      // Mutations that spoil every file, or none, would test little.
      const good = (tally.ends.get(target === 'job' ? 'job' : 'rows') ?? 0) / CASES;
      expect(good).toBeGreaterThan(0.05);
      expect(good).toBeLessThan(0.95);
    },
    TIME_MS,
  );
});

function summary(target: Target, { cases, ends, slowestMs, slowest, peakMiB }: Tally): string {
  const counts = [...ends].sort(([, a], [, b]) => b - a).map(([end, count]) => `${count} ${end}`);
  return `fuzz ${target}: seed ${FUZZ_SEED}, ${cases} cases, slowest ${Math.round(slowestMs)} ms (case ${slowest}), +${peakMiB} MiB; ${counts.join(', ')}`;
}

describe.runIf(FUZZ_CASE !== undefined)('one case', () => {
  it('again', async () => {
    const target = FUZZ_TARGET === 'job' ? 'job' : 'reader';
    const one = new CaseMaker(target, FUZZ_SEED, ROOT).make(Number(FUZZ_CASE));
    console.log(`${one.label}: ${await new CaseRunner(folder).run(one)}`);
  });
});

describe.runIf(FUZZ_CASE === undefined)('the fuzzer itself', () => {
  it('makes the same case of the same seed and number, and others of others', () => {
    const bytes = (seed: string, number: number): string =>
      new CaseMaker('job', seed, ROOT).make(number).bytes.toString('hex');
    expect(bytes('a', 5)).toBe(bytes('a', 5));
    expect(new Set([bytes('a', 5), bytes('b', 5), bytes('a', 6)]).size).toBe(3);
  });

  it('knows how many rows most of its unchanged workbooks have', async () => {
    const seeds = new CaseMaker('reader', FUZZ_SEED, ROOT).seeds.filter((one) => one.entries).slice(0, 40);
    const baselines = new Baselines();
    const file = path.join(folder, 'unchanged.xlsx');
    let known = 0;
    for (const seed of seeds) {
      writeFileSync(file, seed.bytes);
      if ((await baselines.learn(seed, file)).size > 0) known += 1;
    }
    expect(known).toBeGreaterThan(seeds.length * 0.8);
  });

  it.each(['lost row', 'wrong error'] as const)('finds a reader with the fault: %s', async (plant) => {
    const tally = await run({ target: 'reader', cases: 12, plant, workers: 1 });
    expect(tally.failures.length).toBeGreaterThan(0);
    expect(failureText('reader', FUZZ_SEED, tally.failures)).toContain('FUZZ_CASE=');
    for (const { file } of tally.failures) rmSync(file);
  });

  it.each(['hang', 'memory'] as const)('stops a case with the fault: %s', async (plant) => {
    const tally = await run({
      target: 'job',
      cases: 1,
      plant,
      workers: 1,
      caseLimitMs: plant === 'hang' ? 500 : 20_000,
    });
    expect(tally.failures[0]?.reason).toMatch(plant === 'hang' ? /no end after/ : /memory|MiB/);
    for (const { file } of tally.failures) rmSync(file);
  });
});
