import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

const report = process.env.LICENSE_SYNC_TEST_REPORT;

/** Tests that measure memory or set what is the whole process's own: each file has a worker to itself. */
const ALONE = ['test/fuzz/**/*.test.ts', 'test/hostile/**/*.test.ts', 'test/secrets/modes.test.ts'];

/**
 * Tests that start the program. They load little and share their workers, but not with the others: to start a process
 * takes the longer, the more memory the worker has.
 */
const PROGRAM = [
  'test/cli/**/*.test.ts',
  'test/crash/**/*.test.ts',
  'test/docs/**/*.test.ts',
  'test/secrets/token.test.ts',
];

export default defineConfig({
  test: {
    globalSetup: ['test/support/postgres/global-setup.ts'],
    // One more than there are cores: much of the time a worker waits for a process, a disk or a clock.
    maxWorkers: availableParallelism() + 1,
    testTimeout: 30_000,
    hookTimeout: 30_000,
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
    ],
  },
});
