import type { Language } from '../../src/errors/message.js';
import type { RunFacts, RunPage } from '../../src/pages/run-page.js';
import { runPage } from '../../src/pages/write.js';

const START = Date.UTC(2026, 10, 21, 2, 3, 11);

/** A page as small as can be: a run of the sandbox with no rows. */
export function page(change: Partial<RunPage> = {}, facts: Partial<RunFacts> = {}): RunPage {
  return {
    language: 'en',
    run: {
      id: '20261121-100311-4f9a21',
      kind: 'run',
      state: 'completed',
      job: 'new-buy',
      jobFile: '/jobs/new-buy.yaml',
      operation: 'order.new_buy',
      connection: 'production',
      sandbox: false,
      timezone: 'Asia/Shanghai',
      inputFile: '/data/orders.xlsx',
      inputSha256: 'ab'.repeat(32),
      startedAt: START,
      endedAt: START + 65_000,
      executeMs: 60_000,
      requests: 0,
      retries: 0,
      items: 0,
      version: '0.1.0',
      madeAt: START + 70_000,
      ...facts,
    },
    counts: [],
    messages: [],
    steps: [],
    figures: { kinds: [] },
    problems: { rows: [], left: [] },
    warnings: [],
    warningsLeft: 0,
    ...change,
  };
}

export const bins = (count: number, change: (bin: number) => object = () => ({})) =>
  Array.from({ length: count }, (_, bin) => ({
    from: START + bin * 1000,
    ms: 1000,
    answered: 10,
    others: 0,
    settled: 10,
    latency: { p50: 20, p90: 40, p99: 90 },
    ...change(bin),
  }));

export function written(change: Partial<RunPage> = {}, facts: Partial<RunFacts> = {}): string {
  return [...runPage(page(change, facts))].join('');
}

export const LANGUAGES: readonly Language[] = ['en', 'zh'];
