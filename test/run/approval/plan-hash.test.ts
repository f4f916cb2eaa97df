import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import type { PlanLine, PlanVerdict } from '../../../src/ledger/plan-lines.js';
import type { Connection } from '../../../src/model/connection.js';
import { PlanHash } from '../../../src/run/approval/plan-hash.js';
import type { RunSettings } from '../../../src/run/settings.js';
import { FakePlatform, ordersDone } from '../../support/fake-platform.js';
import { Fixture } from '../../support/job-runs.js';
import { LEDGER_MAKERS, type LedgerMaker } from '../../support/ledgers.js';
import { onboarding, onboardingRows } from '../../support/onboarding.js';
import { orderJob, orderRows } from '../../support/orders.js';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const platform = await new FakePlatform(ordersDone).start();

interface Change {
  readonly rows?: string;
  readonly job?: string;
  readonly set?: readonly string[];
  readonly connection?: Partial<Connection>;
  readonly canary?: number;
  readonly correct?: boolean;
}

/** The hash of a plan that is made at a fixture of its own: another folder, another ledger, another time, another person. */
async function hashOf(
  change: Change = {},
  maker: LedgerMaker = LEDGER_MAKERS[0]!,
  who = 'li',
): Promise<string> {
  const fixture = await Fixture.open(maker);
  closing.push(() => fixture.close());
  await fixture.file('orders.csv', change.rows ?? orderRows(5));
  const job = await fixture.file('job.yaml', change.job ?? orderJob());
  const end = await fixture.run(job, {
    plan: true,
    connection: { ...platform.connection(), ...change.connection },
    parts: { by: { who, act: 'plan' } },
    ...(change.set ? { set: change.set } : {}),
    ...(change.canary === undefined ? {} : { canary: change.canary }),
    ...(change.correct ? { corrections: [{ row: 3, column: 2, header: 'Customer', text: 'Another' }] } : {}),
  });
  expect(end).toMatchObject({ kind: 'plan', status: 'completed' });
  return end.planHash!;
}

describe('the hash of a plan', () => {
  it('is the same in two folders, at two times, by two people, on every kind of ledger', async () => {
    const hashes = [];
    for (const maker of LEDGER_MAKERS) {
      for (const who of ['li', 'wang']) hashes.push(await hashOf({}, maker, who));
    }
    expect(new Set(hashes).size).toBe(1);
    expect(hashes[0]).toMatch(/^[0-9a-f]{64}$/);
  });

  it('is the same of several steps, and of invalid rows', async () => {
    const steps = { job: onboarding(), rows: '' };
    const rows = orderRows(4).replace('Customer 2', '');
    const hashes = new Map<string, Set<string>>();
    for (const maker of LEDGER_MAKERS) {
      const fixture = await Fixture.open(maker);
      closing.push(() => fixture.close());
      await fixture.file('rows.csv', onboardingRows(['SO-1,C1,,2,5', 'SO-2,C2,,1,5']));
      const job = await fixture.file('job.yaml', steps.job);
      const end = await fixture.run(job, { plan: true, connection: platform.connection() });
      for (const [name, hash] of [
        ['steps', end.planHash],
        ['invalid', await hashOf({ rows, set: ['run.onInvalid=skip'] }, maker)],
      ] as const) {
        hashes.set(name, (hashes.get(name) ?? new Set()).add(hash!));
      }
    }
    expect([...hashes.values()].map((it) => it.size)).toEqual([1, 1]);
  });

  it('is another one after any edit', async () => {
    const edits: Record<string, Change> = {
      none: {},
      'a cell': { rows: orderRows(5).replace('Customer 3', 'Customer 33') },
      'a row more': { rows: orderRows(6) },
      'a row less': { rows: orderRows(4) },
      'rows in another order': {
        rows: orderRows(5).replace('SO-4', 'SO-X').replace('SO-5', 'SO-4').replace('SO-X', 'SO-5'),
      },
      'a byte that nobody reads': { rows: `${orderRows(5)}\n` },
      'a comment in the job': { job: `# looked at\n${orderJob()}` },
      'a value in the job': { job: orderJob().replace('Street 1', 'Street 2') },
      'another operation': { job: orderJob({ operation: 'order.delete_asset' }) },
      'a limit': { set: ['safety.maxItems=7'] },
      'a retry': { set: ['run.retries=1'] },
      'batches of another size': { set: ['batch.size=1'] },
      'a correction': { correct: true },
      'a canary': { canary: 2 },
      'the zone of dates': { connection: { timezone: 'UTC' } },
      'another address': { connection: { baseUrl: 'http://127.0.0.1:9' } },
      'another name of the connection': { connection: { name: 'other' } },
      'another token': { connection: { token: { kind: 'env', name: 'OTHER' } } },
      'a policy': { connection: { approval: {} } },
      'another policy': { connection: { approval: { above: 1 } } },
    };
    const hashes = new Map<string, string>();
    for (const [edit, change] of Object.entries(edits)) {
      const hash = await hashOf(change).catch((error: Error) => `refused ${edit}: ${error.message}`);
      hashes.set(hash, edit);
    }
    expect([...hashes.values()]).toEqual(Object.keys(edits));
    expect([...hashes.keys()].filter((it) => it.startsWith('refused'))).toEqual([]);
  });

  it('is not another one for where files lie and where its result goes', async () => {
    const settings = (file: string, token: string) =>
      ({
        job: {
          name: 'a',
          file,
          sha256: 's',
          source: { file },
          output: { file },
          parts: { file, sha256: 'p' },
        },
        connection: { name: 'c', sandbox: false, token: { kind: 'file', path: token } },
        begunBy: { host: file },
      }) as unknown as RunSettings;
    const hash = (file: string, token: string) => new PlanHash(settings(file, token), 'input').digest();
    expect(hash('/a/x', '/a/token')).toBe(hash('/b/y', '/b/token'));
    expect(hash('/a/x', '/a/token')).not.toBe(hash('/a/x', '/a/other-token'));
  });

  const line = fc.record({
    item: fc.constant(1),
    rows: fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 3 }),
    key: fc.option(fc.string({ maxLength: 4 }), { nil: undefined }),
    envelope: fc.string({ maxLength: 6 }),
    body: fc.string({ maxLength: 6 }),
    batch: fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined }),
  });
  const verdict = fc.record({
    row: fc.integer({ min: 1, max: 30 }),
    status: fc.constantFrom('invalid', 'skipped'),
    faults: fc.option(fc.string({ maxLength: 4 }), { nil: undefined }),
    message: fc.constant(undefined),
  });
  const plan = fc.record({
    lines: fc.array(line, { maxLength: 6 }),
    verdicts: fc.array(verdict, { maxLength: 4 }),
  });
  type Plan = { readonly lines: readonly PlanLine[]; readonly verdicts: readonly PlanVerdict[] };

  function digest({ lines, verdicts }: Plan, page = 100): string {
    const hash = new PlanHash({ job: { source: {} }, connection: { token: {} } } as RunSettings, 'input');
    hash.part('');
    for (let at = 0; at < lines.length; at += page) hash.lines(lines.slice(at, at + page));
    for (let at = 0; at < verdicts.length; at += page) hash.verdicts(verdicts.slice(at, at + page));
    return hash.digest();
  }

  /** What of a plan counts: an absent key, envelope or batch is as an empty one, and no real one is empty. */
  const counted = ({ lines, verdicts }: Plan): string =>
    JSON.stringify([
      lines.map((it) => [it.rows, it.key ?? '', it.envelope, it.body, it.batch ?? '']),
      verdicts.map((it) => [it.row, it.status, it.faults ?? '']),
    ]);

  it('distinguishes any two plans, however they are paged', () => {
    fc.assert(
      fc.property(plan, plan, fc.integer({ min: 1, max: 3 }), (one, other, page) => {
        expect(digest(one, page)).toBe(digest(one));
        expect(digest(one) === digest(other)).toBe(counted(one) === counted(other));
      }),
      { numRuns: 500 },
    );
  });
});
