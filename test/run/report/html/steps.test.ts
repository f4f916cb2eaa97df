import { describe, expect, it } from 'vitest';
import type { Run } from '../../../../src/ledger/contract/runs.js';
import type { Status } from '../../../../src/model/status.js';
import { operationNamed } from '../../../../src/platform/operations/catalogue.js';
import { nextSteps, type RunStepFacts } from '../../../../src/run/report/html/next-steps.js';
import { runStart } from '../../../support/ledger-samples.js';

/** States in which a run needs a process; here none has one unless a test reports it. */
const AT_WORK = new Set(['planning', 'planned', 'executing', 'executed']);

function facts(
  counts: Partial<Record<Status, number>>,
  run: Partial<Run> = {},
  change: Partial<RunStepFacts> = {},
) {
  const entries = Object.entries(counts) as [Status, number][];
  return {
    run: {
      ...runStart('R1'),
      state: 'completed' as const,
      requests: 0,
      retries: 0,
      rows: 0,
      items: 0,
      executeMs: 0,
      output: '/results/r1.xlsx',
      ...run,
    },
    operation: operationNamed('order.new_buy'),
    duplicates: 'skip' as const,
    counts: new Map(entries),
    open: new Map(entries),
    liveState: AT_WORK.has(run.state ?? 'completed') ? ('cut off' as const) : ('completed' as const),
    firstRows: new Map(entries.map(([status], index) => [status, index + 2])),
    verifiable: false,
    retries: [],
    ...change,
  };
}

const commands = (of: RunStepFacts): string[] => nextSteps(of, 'en').flatMap((it) => it.commands);

describe('what to do about a run', () => {
  it('is nothing when all succeeded', () => {
    expect(nextSteps(facts({ succeeded: 3 }), 'en')).toEqual([
      { text: expect.stringMatching(/^Nothing:/), commands: [] },
    ]);
    expect(nextSteps(facts({}), 'en')).toEqual([]);
  });

  it('resolves first what is unknown, then sends and corrects', () => {
    const counts = { succeeded: 1, rejected: 2, failed: 3, unknown: 4, invalid: 5 };
    const again = 'license-sync run /jobs/new-buy.yaml --input /results/r1.xlsx --connection sandbox';
    expect(commands(facts(counts, {}, { verifiable: true }))).toEqual([
      'license-sync resolve R1 --verify',
      'license-sync resolve R1 --row 5 --as succeeded --license-order-id ID',
      'license-sync resolve R1 --row 5 --as failed',
      'license-sync retry R1',
      again,
      'license-sync retry R1 --include rejected',
      'license-sync explain R1 5',
    ]);
    expect(commands(facts({ rejected: 1 }))).toEqual([
      again,
      'license-sync retry R1 --include rejected',
      'license-sync explain R1 2',
    ]);
  });

  it('first resumes a run that was cut off, which cannot be retried yet', () => {
    const executing = facts({ failed: 1, unknown: 2, not_sent: 3 }, { state: 'executing' });
    expect(commands(executing)).toEqual(['license-sync resume R1', 'license-sync explain R1 3']);
    expect(nextSteps(executing, 'en')[0]?.text).toContain('5 rows');
    expect(commands(facts({}, { state: 'planning' }))).toEqual(['license-sync resume R1']);
    expect(commands(facts({ succeeded: 1 }, { state: 'executed' }))).toEqual(['license-sync resume R1']);
    const stopped = facts({ failed: 1, not_sent: 3 }, { state: 'stopped' });
    expect(commands(stopped).slice(0, 2)).toEqual(['license-sync resume R1', 'license-sync retry R1']);
  });

  it('offers no resume where invalid rows kept the others back', () => {
    const refused = facts({ invalid: 1, not_sent: 3 }, { state: 'invalid' });
    expect(commands(refused)).toEqual([
      'license-sync run /jobs/new-buy.yaml --input /results/r1.xlsx --connection sandbox',
      'license-sync explain R1 2',
    ]);
  });

  it('never says to run the whole file again where that repeats what succeeded', () => {
    const sent = facts({ invalid: 1, rejected: 1 }, {}, { duplicates: 'send' });
    expect(commands(sent)).toEqual(['license-sync retry R1 --include rejected', 'license-sync explain R1 3']);
    const numbers = facts({ invalid: 1 }, {}, { operation: operationNamed('asset.numbers') });
    expect(nextSteps(numbers, 'en')[0]).toMatchObject({
      text: expect.stringContaining('a separate file'),
      commands: [],
    });
  });

  it('names the run that blocks rows, and those that sent rows since', () => {
    const held = facts(
      { skipped: 4 },
      {},
      { held: { rows: 4, run: 'R0' }, retries: ['R2', 'R3', 'R4', 'R5'] },
    );
    expect(commands(held)).toEqual([
      'license-sync runs show R3',
      'license-sync runs show R4',
      'license-sync runs show R5',
      'license-sync runs show R0',
      'license-sync resolve R0 --verify',
    ]);
  });

  it('offers no retry of rows that a later run sent successfully', () => {
    const taken = facts({ failed: 2, rejected: 1 }, {}, { open: new Map(), retries: ['R2'] });
    expect(commands(taken)).toEqual(['license-sync runs show R2', 'license-sync explain R1 3']);
  });

  it('waits for a run that a process is at work on', () => {
    const going = facts({ unknown: 1, not_sent: 3 }, { state: 'executing' }, { liveState: 'executing' });
    expect(commands(going)).toEqual(['license-sync runs show R1']);
  });

  it('sends what a check let pass', () => {
    expect(commands(facts({ valid: 3 }, { kind: 'plan', state: 'planned' }))).toEqual([
      'license-sync apply R1',
    ]);
    expect(commands(facts({ valid: 3, invalid: 1 }, { kind: 'dry_run' }))).toEqual([
      'license-sync validate /jobs/new-buy.yaml --input /results/r1.xlsx --connection sandbox',
      'license-sync run /jobs/new-buy.yaml --input /data/orders.xlsx --connection sandbox',
    ]);
  });

  it('quotes names so that a shell takes each for one word', () => {
    const run = { jobFile: '/my jobs/a.yaml', output: "/results/it's; rm -rf ~.csv" };
    expect(commands(facts({ invalid: 1 }, run))[0]).toBe(
      `license-sync run '/my jobs/a.yaml' --input '/results/it'\\''s; rm -rf ~.csv' --connection sandbox`,
    );
    // JSON lines are no input.
    expect(commands(facts({ invalid: 1 }, { output: '/r.ndjson' }))).toEqual(['license-sync explain R1 2']);
  });
});
