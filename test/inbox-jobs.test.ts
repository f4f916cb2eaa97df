import { copyFile, mkdir, readdir, utimes } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { InboxEnd } from '../src/inbox/inbox.js';
import { runInbox } from '../src/inbox/run-inbox.js';
import { loadConnections, resolveConnection } from '../src/job/connections.js';
import { loadJob } from '../src/job/load.js';
import { ALL_OPERATIONS } from '../src/platform/operations/catalogue.js';
import { Fixture } from './support/job-runs.js';
import { readSheet } from './support/read-sheet.js';

const JOBS = fileURLToPath(new URL('../jobs/', import.meta.url));

const FILES = ['2026-11-20-beijing.xlsx', '2026-11-20-guangzhou.xlsx', '2026-11-20-shanghai.xlsx'];

let fixture: Fixture;
/** A run moves its files away: the samples are to stay where they are. */
let folder: string;
let inbox: string;

beforeEach(async () => {
  fixture = await Fixture.open();
  folder = path.join(fixture.folder, 'jobs');
  inbox = path.join(folder, 'data', 'inbox');
  await mkdir(inbox, { recursive: true });
  await copyFile(path.join(JOBS, 'inbox-orders.yaml'), path.join(folder, 'inbox-orders.yaml'));
  await laySamples();
});

afterEach(async () => {
  await fixture.close();
});

/** Those of the samples that were run are where they were moved to. */
async function laySamples(): Promise<void> {
  for (const name of FILES) {
    const [lying, moved] = ['data/inbox', 'data/inbox/done'].map((it) => path.join(JOBS, it, name));
    const to = path.join(inbox, name);
    await copyFile(lying!, to).catch(() => copyFile(moved!, to));
    await utimes(to, 1_700_000_000, 1_700_000_000);
  }
}

async function go(kind: 'run' | 'dry_run'): Promise<InboxEnd> {
  const job = await loadJob(path.join(folder, 'inbox-orders.yaml'), {
    env: {},
    operations: ALL_OPERATIONS,
  });
  const connections = await loadConnections(job.file, { env: {}, cwd: fixture.folder });
  return runInbox(fixture.parts(), {
    job,
    connection: resolveConnection(connections, { job: job.connection }),
    kind,
  });
}

describe('the sample of an input folder', () => {
  it('is checked without an error, and every file stays', async () => {
    const end = await go('dry_run');
    expect(end.exitCode).toBe(0);
    expect(end.runs.map((it) => path.basename(it.input))).toEqual(FILES);
    for (const { end: run } of end.runs) expect(run.counts).toEqual({ valid: run.rows });
    expect((await readdir(inbox)).sort()).toEqual(FILES);
  });

  it('succeeds on the sandbox, every file next to its result, and sends nothing twice', async () => {
    const end = await go('run');
    expect(end).toMatchObject({ exitCode: 0, moved: [], left: [] });
    expect(end.runs.reduce((sum, it) => sum + it.end.rows, 0)).toBeGreaterThanOrEqual(20);
    for (const { end: run } of end.runs) {
      expect(run.counts).toEqual({ succeeded: run.rows });
      const lines = await readSheet(run.output ?? '');
      expect(lines).toHaveLength(run.rows);
      expect(lines.every((it) => it.status === 'succeeded' && it.licenseOrderId !== '')).toBe(true);
      expect(path.dirname(run.output ?? '')).toBe(path.join(inbox, 'done'));
    }
    expect(await readdir(inbox)).toEqual(['done']);
    await laySamples();
    const again = await go('run');
    expect(again.runs).toEqual([]);
    expect(again.moved.map((it) => it.reason.code)).toEqual(FILES.map(() => 'inbox.repeat'));
  });
});
