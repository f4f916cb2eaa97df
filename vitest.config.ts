import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

const report = process.env.LICENSE_SYNC_TEST_REPORT;

/**
 * Tests that start processes, measure memory or set what is the whole process's own. Each such file has a worker to
 * itself; all the others share theirs, which saves loading the program anew for every file.
 */
const ALONE = [
  'test/cli/**/*.test.ts',
  'test/crash/**/*.test.ts',
  'test/docs/**/*.test.ts',
  'test/fuzz/**/*.test.ts',
  'test/hostile/**/*.test.ts',
  'test/secrets/**/*.test.ts',
];

export default defineConfig({
  test: {
    // One core is left free unless told otherwise: of two, that is half.
    maxWorkers: Math.max(2, availableParallelism()),
    testTimeout: 30_000,
    hookTimeout: 30_000,
    reporters: report ? ['default', 'json'] : ['default'],
    ...(report ? { outputFile: { json: report } } : {}),
    projects: [
      { extends: true, test: { name: 'alone', include: ALONE } },
      {
        extends: true,
        test: { name: 'shared', include: ['test/**/*.test.ts'], exclude: ALONE, isolate: false },
      },
    ],
  },
});
