import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openLedger } from '../../../src/ledger/open.js';
import { makeLedgerWithKeys } from '../../../src/ledger/upkeep/copy-keys.js';
import { namingJob } from '../../../src/run/settings.js';
import type { Seen } from '../../support/fake-platform.js';
import { SQLITE } from '../../support/ledgers.js';
import { onboarding, stepOf } from '../../support/onboarding.js';
import { useOnboardingFixture } from '../../support/onboarding-fixture.js';

/** Nothing but its content names an order: with other lock numbers it is another one. */
const UNNUMBERED = onboarding().replace('      channelOrderId: Order\n', '');

/** The first step reads the branch from the sheet. */
function withBranch(job: string): string {
  return job.replace(
    'branchName: { value: Branch }\n      enterpriseName',
    'branchName: Branch\n      enterpriseName',
  );
}

const HEADERS = 'Order,Customer,Customer ID,Locks,Nodes';
const ROWS = ['SO-1,C1,,2,5', 'SO-2,C2,,1,5'];
const plain = [HEADERS, ...ROWS].join('\n');
const branched = [`${HEADERS},Branch`, ...ROWS.map((it) => `${it},Branch`)].join('\n');

describe('a sheet that comes again after an earlier step was given another map', () => {
  const here = useOnboardingFixture(SQLITE);

  async function run(job: string, sheet: string, refused: readonly string[] = []) {
    const isRefused = ({ body }: Seen) => refused.some((of) => JSON.stringify(body).includes(of));
    const { end, sent } = await here.run(job, `${sheet}\n`, isRefused);
    return { end, sent: sent.map((it) => stepOf(it).step) };
  }

  it.each([
    ['pruned', async () => void (await here.fixture.ledger.runs.prune(Date.now() + 1000))],
    [
      'pruned twice',
      async () => {
        await here.fixture.ledger.runs.prune(Date.now() + 1000);
        expect((await run(UNNUMBERED, branched)).sent).toEqual([]);
        await here.fixture.ledger.runs.prune(Date.now() + 1000);
      },
    ],
  ])('where the run of before was %s: nothing is allocated or ordered again', async (_, prune) => {
    await run(UNNUMBERED, branched);
    await prune();
    const { end, sent } = await run(withBranch(UNNUMBERED), branched);
    expect(sent).toEqual([]);
    expect(end).toMatchObject({ exitCode: 0, counts: { skipped: 2 } });
    const renamed = withBranch(UNNUMBERED).replace('name: onboard', 'name: newcomers');
    expect(await run(renamed, branched)).toMatchObject({ sent: [], end: { exitCode: 3 } });
  });

  it('is known in the ledger of a rehearsal, too', async () => {
    const { end } = await run(UNNUMBERED, branched);
    const place = path.join(here.fixture.folder, 'rehearsal.db');
    await makeLedgerWithKeys(here.fixture.ledger, here.platform.connection(), place);
    const scratch = await openLedger(place);
    try {
      const [version] = await scratch.runs.versionsOfSteps(end.run, 9);
      expect(version).toBe(end.run);
      expect(namingJob((await scratch.runs.get(end.run))!)?.steps.map((it) => it.name)).toEqual([
        'customer',
        'numbers',
        'order',
      ]);
    } finally {
      await scratch.close();
    }
  });

  it('resumes the numbers that were allocated for orders that were refused', async () => {
    await run(onboarding(), branched, ['C2']);
    const { end, sent } = await run(withBranch(onboarding()), branched);
    expect(sent).toEqual(['order']);
    expect(end.counts).toEqual({ skipped: 1, succeeded: 1 });
    expect((await run(onboarding(), branched)).sent).toEqual([]);
  });

  it.each([
    ['that reads a column more', UNNUMBERED, branched, withBranch(UNNUMBERED), branched],
    [
      'that reads a column that the sheet was given meanwhile',
      UNNUMBERED,
      plain,
      withBranch(UNNUMBERED),
      branched,
    ],
    ['that reads a column less', withBranch(UNNUMBERED), branched, UNNUMBERED, branched],
  ])('%s: nothing is allocated or ordered again', async (_, before, first, after, again) => {
    expect((await run(before, first)).end.counts).toEqual({ succeeded: 2 });
    const { end, sent } = await run(after, again);
    expect(sent).toEqual([]);
    expect(end).toMatchObject({ exitCode: 0, counts: { skipped: 2 } });
  });

  it.each([
    ['one header', [['Locks', 'Amount']]],
    [
      'two headers',
      [
        ['Locks', 'Amount'],
        ['Customer ID', 'Account'],
      ],
    ],
    ['one header that only a later step reads', [['Nodes', 'Amount']]],
    [
      'four headers, and a column is new',
      [
        ['Locks', 'Amount'],
        ['Customer ID', 'Account'],
        ['Nodes', 'Seats'],
        ['Order', 'Purchase'],
      ],
    ],
  ] as const)(
    'and %s another name, in sheet and map: nothing is allocated or ordered again',
    async (_, changes) => {
      await run(UNNUMBERED, branched);
      let sheet = branched;
      let job = withBranch(UNNUMBERED);
      for (const [from, to] of changes) {
        sheet = sheet.replaceAll(from, to);
        job = job.replaceAll(from, to);
      }
      const { end, sent } = await run(job, sheet);
      expect(sent).toEqual([]);
      expect(end).toMatchObject({ exitCode: 0, counts: { skipped: 2 } });
      // Rows that were not there before go.
      const more = `${sheet}\nSO-3,C3,,1,5,Branch`;
      expect((await run(job, more)).sent).toEqual(['customer', 'numbers', 'order']);
    },
  );

  it('and the sheet lacks a column that named its rows: what would be allocated again is said in advance', async () => {
    await run(withBranch(UNNUMBERED), branched);
    const said = async (job: string, sheet: string) => {
      const { end } = await run(job, sheet);
      return JSON.stringify(end.warnings ?? []);
    };
    expect(await said(UNNUMBERED, plain)).toMatch(/steps\.lost_from_sight.*Branch/);
    // What the last run read is there.
    expect(await said(UNNUMBERED, plain)).not.toContain('lost_from_sight');
  });

  it('by a fragment, the job file being the same: nothing is allocated or ordered again', async () => {
    const job = UNNUMBERED.replace('branchName: { value: Branch }\n      ent', 'use: office\n      ent');
    const { baseUrl } = here.platform.connection();
    const shared = (branch: string) =>
      here.fixture.file(
        'license-sync.yaml',
        `version: 1
maps: { office: { branchName: ${branch} } }
connections: { fake: { baseUrl: "${baseUrl}", token: { env: T } } }
`,
      );
    await shared('{ value: Branch }');
    expect((await run(job, branched)).end.counts).toEqual({ succeeded: 2 });
    await shared('Branch');
    const more = `${branched}\nSO-3,C3,,1,5,Branch`;
    const { end, sent } = await run(job, more);
    expect(sent).toEqual(['customer', 'numbers', 'order']);
    expect(end).toMatchObject({ exitCode: 0, counts: { skipped: 2, succeeded: 1 } });
    await here.fixture.ledger.runs.prune(Date.now() + 1000);
    await shared('{ value: Branch }');
    expect((await run(job, more)).sent).toEqual([]);
  });

  it('and the step another name: what was done stays done', async () => {
    await run(UNNUMBERED, branched);
    const renamed = withBranch(UNNUMBERED)
      .replace('name: numbers', 'name: locks')
      .replaceAll('numbers.', 'locks.');
    expect((await run(renamed, branched)).sent).toEqual([]);
  });

  it('and the job another name: rows that would be ordered twice are refused', async () => {
    await run(UNNUMBERED, branched);
    const { end, sent } = await run(
      withBranch(UNNUMBERED).replace('name: onboard', 'name: newcomers'),
      branched,
    );
    expect(sent).toEqual([]);
    expect(end).toMatchObject({ exitCode: 3, counts: { invalid: 2 } });
  });
});
