import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { postgresPlace } from '../../support/postgres/shared-server.js';
import { ServedPlatform } from '../../support/served-platform.js';
import { tellImport } from './driver.js';
import { importStory } from './story.js';

/** `npm run test:imports` runs many. */
describe('an import whose console is killed', () => {
  let folder: string;
  let platform: ServedPlatform;

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'license-sync-imports-'));
    platform = await ServedPlatform.serve(folder, { latencyMs: 40, faults: '' });
  });

  afterAll(async () => {
    await platform.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it.each([1, 4])('loses nothing, sends nothing twice and hangs nowhere (seed %i)', async (seed) => {
    const reported = await tellImport(importStory(seed, 40), platform);
    expect(reported.kills).toBeGreaterThan(0);
  });

  it('nor with a ledger on a server', async () => {
    const place = await postgresPlace();
    try {
      const reported = await tellImport(importStory(7, 40), platform, place.url);
      expect(reported.kills).toBeGreaterThan(0);
    } finally {
      await place.remove();
    }
  });
});
