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

/** Files that take at least ten times as long as others, the longest first. */
const LONG = [
  'faults/faults',
  'workers/workers',
  'awkward/awkward',
  'cli/team',
  'console/imports',
  'run/corrections/check-rows',
  'console/browser/check',
  'console/stuck',
  'console/browser/whole-way',
  'cli/wrong-argument',
  'docs/generated',
  'cli/team-schedules',
  'cli/stopping',
  'docs/pages',
  'contract/ledger-compaction',
  'console/browser/every-state',
  'console/browser/plan',
  'crash/imports/imports',
  'run/properties',
  'run/pauses',
  'console/browser/run',
  'console/protected-imports',
  'run/revert',
  'fuzz/fuzz',
  'run/given-ids',
  'crash/crash',
  'cli/restored-ledger',
  'ledger/postgres/broken-connections',
  'ledger/postgres/silent-server',
  'source/xlsx-thread',
  'run/conflicts',
  'console/browser/keyboard-way',
  'upgrade/from-0.1',
  'run/outcomes',
  'source/other-files',
  'guess/guess',
  'cli/build',
  'workers/steps',
  'run/resolve',
  'console/browser/runs',
  'console/browser/pages',
  'console/runs',
  'run/changed-since-sent',
  'run/refused-apply',
  'run/approval/gate',
  'console/attacks/slow-and-large',
  'run/sent-before',
  'cli/own-connection',
  'cli/restored-server',
  'console/browser/comparison',
  'run/steps/rows-again',
  'run/steps/edited-map',
  'source/marked-cells',
  'hostile/refused',
  'run/round-trip',
  'workbook/xlsx/xml-bytes',
  'guess/samples',
  'console/browser/steps-way',
  'run/approval/steps',
  'cli/changed-since-sent',
  'guess/lists',
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
