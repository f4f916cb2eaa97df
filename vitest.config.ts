import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

const report = process.env.LICENSE_SYNC_TEST_REPORT;

/** Tests that measure memory, set what is the whole process's own or replace a module: each file has a worker to itself. */
const ALONE = [
  'test/fuzz/**/*.test.ts',
  'test/hostile/**/*.test.ts',
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

export default defineConfig({
  test: {
    globalSetup: ['test/support/postgres/global-setup.ts'],
    // One more than there are cores: much of the time a worker waits for a process, a disk or a clock.
    maxWorkers: availableParallelism() + 1,
    // A ledger on a server takes a fifth of a second to be made.
    testTimeout: process.env.LEDGER === 'PostgreSQL' ? 120_000 : 30_000,
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
      {
        extends: true,
        test: { name: 'on a server', include: ON_SERVER, isolate: false, env: { LEDGER: 'PostgreSQL' } },
      },
    ],
  },
});
