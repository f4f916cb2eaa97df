import { availableParallelism } from 'node:os';
import path from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const report = process.env.LICENSE_SYNC_TEST_REPORT;

/** Tests that measure memory, change state of the process or replace a module: each file has its own worker. */
const ALONE = [
  'test/fuzz/**/*.test.ts',
  'test/hostile/**/*.test.ts',
  'test/ledger/full-disk.test.ts',
  'test/ledger/postgres/spool.test.ts',
  'test/secrets/modes.test.ts',
];

/**
 * Tests that start the program. They load little and share their workers, but not with the other tests: starting a
 * process takes longer the more memory the worker uses.
 */
const PROGRAM = [
  'test/cli/**/*.test.ts',
  'test/crash/**/*.test.ts',
  'test/docs/**/*.test.ts',
  'test/secrets/token.test.ts',
  'test/workers/**/*.test.ts',
];

/** Files that took at least ten seconds on two cores, the longest first. */
const LONG = [
  'cli/team',
  'workers/workers',
  'console/browser/check',
  'faults/faults',
  'docs/generated',
  'console/browser/every-state',
  'cli/stopping',
  'console/runs',
  'cli/restored-ledger',
  'console/browser/whole-way',
  'run/pauses',
  'crash/imports/imports',
  'console/matched-columns',
  'fuzz/fuzz',
  'ledger/postgres/silent-server',
  'source/other-files',
  'console/imports',
  'awkward/awkward',
  'console/browser/plan',
  'secrets/token',
  'docs/pages',
  'console/browser/runs',
  'console/browser/run',
  'console/browser/keyboard-way',
  'run/refused-apply',
  'upgrade/from-0.1',
  'crash/crash',
  'console/attacks/slow-and-large',
  'guess/lists',
  'workers/steps',
  'console/protected-imports',
  'console/browser/rehearsal',
  'contract/ledger-compaction',
  'console/stuck',
  'run/changed-since-sent',
  'hostile/encrypted-again',
  'run/properties',
  'console/browser/matched-columns',
  'console/browser/comparison',
  'source/xlsx-thread',
  'run/approval/gate',
  'guess/samples',
  'console/ended-import-processes',
  'console/browser/pages',
  'console/killed',
  'console/browser/steps-way',
  'office-way',
  'hostile/memory',
  'console/browser/new-import',
  'cli/wait-absence',
  'ledger/postgres/broken-connections',
  'console/browser/invalid-rows',
  'run/outcomes',
  'workers/changed-in-queue',
  'hostile/refused',
  'run/resolve',
  'cli/restored-server',
  'run/conflicts',
  'cli/default-ledger',
  'cli/report-browser',
  'notify/command',
  'console/browser/active-cell',
  'cli/inbox',
  'schedule/shared-ledger',
  'cli/deleted-folder',
  'run/rows-sent-earlier',
  'cli/changed-since-sent',
  'api/package',
  'cli/ledger-command',
  'console/changed-since-sent',
  'console/imports-again',
  'run/returned-ids',
].map((it) => `test/${it}.test.ts`);

/**
 * Starts the long files of each project first, so that none of them is left running alone at the end. A new clone has no
 * recorded times, and the default order by file size is a poor estimate.
 */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const root = this.ctx.config.root;
    const position = ({ moduleId }: TestSpecification): number => {
      const at = LONG.indexOf(path.relative(root, moduleId).replaceAll('\\', '/'));
      return at === -1 ? LONG.length : at;
    };
    const sorted = await super.sort(files);
    const projects = [...new Set(sorted.map(({ project }) => project))];
    return projects.flatMap((project) =>
      sorted.filter((it) => it.project === project).sort((a, b) => position(a) - position(b)),
    );
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    globalSetup: ['test/support/postgres/global-setup.ts'],
    // One more than the cores: workers often wait for a process, a disk or a clock.
    maxWorkers: availableParallelism() + 1,
    // Only against tests that hang. No test measures speed, and a busy machine may take ten times as long.
    testTimeout: 300_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 150_000 } },
    reporters: report ? ['default', 'json'] : ['default'],
    ...(report ? { outputFile: { json: report } } : {}),
    projects: [
      { extends: true, test: { name: 'alone', include: ALONE } },
      { extends: true, test: { name: 'program', include: PROGRAM, isolate: false } },
      // Shared workers avoid loading the program again for every file.
      {
        extends: true,
        test: {
          name: 'shared',
          include: ['test/**/*.test.ts'],
          exclude: [...ALONE, ...PROGRAM],
          isolate: false,
        },
      },
    ],
  },
});
