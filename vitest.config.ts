import { availableParallelism } from 'node:os';
import path from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const report = process.env.LICENSE_SYNC_TEST_REPORT;

/** Tests that measure memory, set what is the whole process's own or replace a module: each file has a worker to itself. */
const ALONE = [
  'test/fuzz/**/*.test.ts',
  'test/hostile/**/*.test.ts',
  'test/ledger/full-disk.test.ts',
  'test/ledger/postgres/spool.test.ts',
  'test/secrets/modes.test.ts',
];

/**
 * Tests that start the program. They load little and share their workers, but not with the others: to start a process
 * takes the longer, the more memory the worker has.
 */
const PROGRAM = [
  'test/cli/**/*.test.ts',
  'test/crash/**/*.test.ts',
  'test/docs/**/*.test.ts',
  'test/secrets/token.test.ts',
  'test/workers/**/*.test.ts',
];

/** Runs that are told apart by what the ledger makes of them: these go over a ledger on a server, too. */
const ON_SERVER = ['test/run/{canary,claimed-keys,outcomes,repeats,resolve,retry-chain}.test.ts'];

/** Files that take ten times as long as others, or more, the longest first. */
const LONG = [
  'faults/faults',
  'console/browser/whole-way',
  'console/browser/keyboard-way',
  'console/browser/every-state',
  'workers/workers',
  'cli/team',
  'console/browser/check',
  'docs/generated',
  'console/imports',
  'console/browser/run',
  'docs/pages',
  'run/corrections/check-rows',
  'console/browser/plan',
  'awkward/awkward',
  'cli/stopping',
  'contract/ledger-fold',
  'run/properties',
  'run/revert',
  'console/browser/desk',
  'run/resolve',
  'console/browser/runs',
  'contract/ledger-audit',
  'crash/crash',
  'jobs',
  'run/pauses',
  'run/approval/gate',
  'cli/team-schedules',
  'source/other-files',
  'run/corrections/corrected-runs',
  'app/permit',
  'cli/revert',
  'fuzz/fuzz',
  'app/entrances',
  'ledger/server-access',
  'cli/plan-apply',
  'console/runs',
  'workers/steps',
  'ledger/postgres/broken-connections',
  'cli/cut-off',
  'rehearse/rehearse',
  'console/browser/new-import',
  'contract/ledger-resolutions',
  'console/attacks/slow-and-large',
  'contract/ledger-claims',
  'cli/own-connection',
  'cli/wait-absence',
  'guess/lists',
  'console/killed',
  'hostile/memory',
].map((it) => `test/${it}.test.ts`);

/**
 * Of each project the long files first: one that begins last would be waited for alone. A fresh clone knows no times, and
 * goes by the sizes of files, which say little.
 */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const root = this.ctx.config.root;
    const place = ({ moduleId }: TestSpecification): number => {
      const at = LONG.indexOf(path.relative(root, moduleId).replaceAll('\\', '/'));
      return at === -1 ? LONG.length : at;
    };
    const sorted = await super.sort(files);
    const projects = [...new Set(sorted.map(({ project }) => project))];
    return projects.flatMap((project) =>
      sorted.filter((it) => it.project === project).sort((a, b) => place(a) - place(b)),
    );
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    globalSetup: ['test/support/postgres/global-setup.ts'],
    // One more than there are cores: much of the time a worker waits for a process, a disk or a clock.
    maxWorkers: availableParallelism() + 1,
    // Only against what hangs: how fast something is, no test says, and a busy machine may take ten times as long.
    testTimeout: 300_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
    reporters: report ? ['default', 'json'] : ['default'],
    ...(report ? { outputFile: { json: report } } : {}),
    projects: [
      { extends: true, test: { name: 'alone', include: ALONE } },
      { extends: true, test: { name: 'program', include: PROGRAM, isolate: false } },
      // Workers that are shared save loading the program anew for every file.
      {
        extends: true,
        test: {
          name: 'shared',
          include: ['test/**/*.test.ts'],
          exclude: [...ALONE, ...PROGRAM],
          isolate: false,
        },
      },
      {
        extends: true,
        test: { name: 'on a server', include: ON_SERVER, isolate: false, env: { LEDGER: 'PostgreSQL' } },
      },
    ],
  },
});
