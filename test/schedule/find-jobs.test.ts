import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { render } from '../../src/errors/message.js';
import { ProductError } from '../../src/errors/product-error.js';
import { loadJobFile } from '../../src/job/load.js';
import { ALL_OPERATIONS, COMPARISONS } from '../../src/platform/operations/catalogue.js';
import { type FindOptions, type FoundJobs, findJobs } from '../../src/schedule/find-jobs.js';

let cwd: string;

beforeEach(async () => {
  cwd = await mkdtemp(path.join(tmpdir(), 'license-sync-find-'));
});

afterEach(async () => {
  await rm(cwd, { recursive: true, force: true });
});

async function put(name: string, text: string): Promise<void> {
  const file = path.join(cwd, name);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, text);
}

const job = (name: string, rest = 'schedule: { cron: "0 2 * * *" }'): string =>
  `version: 1\nname: ${name}\noperation: asset.lock\nsource: { file: a.csv }\n${rest}\n`;

function find(named: readonly string[] = [], change: Partial<FindOptions> = {}): Promise<FoundJobs> {
  const env = { ...change.env };
  const load = (file: string) =>
    loadJobFile(file, { env, cwd, operations: ALL_OPERATIONS, comparisons: COMPARISONS });
  return findJobs(named, { cwd, load, connection: 'sandbox', ...change, env });
}

async function refusal(named: readonly string[] = [], change: Partial<FindOptions> = {}): Promise<string> {
  try {
    await find(named, change);
  } catch (error) {
    if (!(error instanceof ProductError)) throw error;
    expect(error.kind).toBe('usage');
    return [error.detail, ...error.others].map((it) => render(it)).join('\n');
  }
  throw new Error('was not refused');
}

const names = (found: FoundJobs): string[] => found.jobs.map((it) => it.name);

describe('the jobs of a scheduler', () => {
  it('are those of the folder jobs, where there is one, else of the current folder', async () => {
    await put('here.yaml', job('here'));
    expect(names(await find())).toEqual(['here']);
    await put('jobs/b.yml', job('b'));
    await put('jobs/a.yaml', job('a'));
    await put('jobs/below/c.yaml', job('c'));
    expect(names(await find())).toEqual(['a', 'b']);
    expect(names(await find(['jobs', 'here.yaml', 'jobs/a.yaml']))).toEqual(['a', 'b', 'here']);
    expect(names(await find(['jobs/below']))).toEqual(['c']);
  });

  it('leaves other YAML alone, and reports jobs without a schedule', async () => {
    await put('jobs/a.yaml', job('a'));
    await put('jobs/by-hand.yaml', job('by-hand', ''));
    await put('jobs/compose.yaml', 'services: { db: { image: postgres } }\n');
    await put('jobs/workflow.yml', 'on: { schedule: [{ cron: "0 2 * * *" }] }\njobs: {}\n');
    await put('jobs/manifest.yaml', 'kind: A\n---\nkind: B\n');
    await put('jobs/list.yaml', '- operation\n');
    await put('jobs/license-sync.yaml', 'version: 1\n');
    await put('jobs/.hidden.yaml', job('hidden'));
    await put('jobs/notes.txt', job('notes'));
    const found = await find();
    expect(names(found)).toEqual(['a']);
    expect(found.unscheduled).toEqual(['jobs/by-hand.yaml']);
    expect(names(await find(['jobs/a.yaml', 'jobs/license-sync.yaml']))).toEqual(['a']);
  });

  it('know zone, connection and ledger', async () => {
    const connections =
      'connections: { berlin: { baseUrl: "https://a.example", timezone: Europe/Berlin, token: { env: T } } }';
    await put('license-sync.yaml', `version: 1\nledger: state/l.db\n${connections}\n`);
    await put('jobs/a.yaml', job('a', 'connection: berlin\nschedule: { cron: "0 2 * * *" }'));
    await put('jobs/b.yaml', job('b', 'schedule: { cron: "0 2 * * *", timezone: UTC, jitter: 5m }'));
    await put('jobs/c.yaml', job('c'));
    const { env } = { env: {} };
    const found = await findJobs(['jobs'], {
      cwd,
      env,
      load: (file) => loadJobFile(file, { env, cwd, operations: ALL_OPERATIONS }),
    }).catch((error: unknown) => error);
    // Two of them say no connection, and there is no default.
    expect(found).toMatchObject({ detail: { code: 'schedule.broken_jobs', params: { count: 2 } } });
    const given = await find();
    expect(given.jobs.map((it) => it.timetable.zone.name)).toEqual(['Asia/Shanghai', 'UTC', 'Asia/Shanghai']);
    expect(given.jobs.map((it) => it.schedule.jitterMs)).toEqual([undefined, 300_000, undefined]);
    expect(given.ledger).toBe(path.join(cwd, 'state/l.db'));
    expect(given.home).toBe(cwd);
    const own = await find(['jobs/a.yaml'], { connection: 'berlin' });
    expect(own.jobs[0]).toMatchObject({ connection: 'berlin', configured: { name: 'berlin' } });
    expect(own.jobs[0]?.timetable.zone.name).toBe('Europe/Berlin');
  });

  it('are distinguished from reconciliations', async () => {
    const compare = `version: 1
name: compare
reconcile: asset
source: { file: a.csv }
key: { enterpriseGlobalId: Enterprise, assetNum: Lock }
expect: { locked: Locked }
schedule: { cron: "0 3 * * *" }
actions:
  - { on: different, operation: asset.lock, map: { assetNums: Lock, operatorIdentity: { value: ops } } }
`;
    await put('jobs/compare.yaml', compare);
    await put('jobs/a.yaml', job('a'));
    const { jobs } = await find();
    expect(jobs.map((it) => [it.kind, it.hasActions])).toEqual([
      ['run', false],
      ['reconcile', true],
    ]);
  });
});

describe('what keeps a scheduler from starting', () => {
  it('broken job files, all reported with their places', async () => {
    await put('jobs/a.yaml', job('a'));
    await put('jobs/b.yaml', job('b', 'schedule: { cron: "0 25 * * *" }'));
    await put('jobs/c.yaml', job('c', 'run: { concurency: 2 }'));
    await put('jobs/d.yaml', 'version: 1\noperation: asset.lock\n  name: d\n');
    const reported = await refusal();
    expect(reported).toMatch(/^3 job files have errors/);
    expect(reported).toContain('jobs/b.yaml:5:22 job.bad_cron_hour: 25 is not a valid hour');
    expect(reported).toContain('jobs/c.yaml:5:8 job.unknown_key');
    expect(reported).toContain('jobs/d.yaml:');
    expect(names(await find(['jobs/a.yaml']))).toEqual(['a']);
  });

  it('a job that only means to be one is not overlooked', async () => {
    await put('jobs/a.yaml', 'version: 1\nname: a\noperatoin: asset.lock\nsource: {}\nschedule: {}\n');
    expect(await refusal()).toContain('jobs/a.yaml:3:1');
  });

  it('two jobs of one name', async () => {
    await put('jobs/a.yaml', job('same'));
    await put('jobs/b.yaml', job('same'));
    expect(await refusal()).toContain('job same is in jobs/a.yaml, jobs/b.yaml');
  });

  it('two ledgers', async () => {
    await put('one/license-sync.yaml', 'version: 1\n');
    await put('two/license-sync.yaml', 'version: 1\n');
    await put('one/a.yaml', job('a'));
    await put('two/b.yaml', job('b'));
    expect(await refusal(['one', 'two'])).toMatch(/jobs a and b use different ledgers .*one.*two/);
  });

  it('nothing to do, or a path that is not there', async () => {
    expect(await refusal()).toMatch(
      /no job with a schedule was found in .*schedule: \{ cron: "0 2 \* \* \*" \}/,
    );
    await put('jobs/a.yaml', job('a', ''));
    expect(await refusal(['jobs'])).toContain('no job with a schedule was found in jobs');
    expect(await refusal(['nowhere'])).toContain('nowhere cannot be read (ENOENT)');
    await put('x.yaml', 'services: {}\n');
    expect(await refusal(['x.yaml'])).toContain('x.yaml:1:1');
  });

  it('a connection that is not configured here, which only looking forgives', async () => {
    const connections = `connections: { c: { baseUrl: "\${NOT_HERE}", token: { env: T } } }`;
    await put('license-sync.yaml', `version: 1\ndefaultConnection: c\n${connections}\n`);
    await put('jobs/a.yaml', job('a'));
    await put('jobs/b.yaml', job('b', 'schedule: { cron: "0 2 * * *", timezone: UTC }'));
    const load = (file: string) => loadJobFile(file, { env: {}, cwd, operations: ALL_OPERATIONS });
    const options = { cwd, env: {}, load };
    await expect(findJobs(['jobs/b.yaml'], options)).rejects.toMatchObject({ kind: 'usage' });
    const looking = { ...options, onlyLooking: true };
    const found = await findJobs(['jobs/b.yaml'], looking);
    expect(found.jobs[0]).toMatchObject({ connection: 'c' });
    expect(found.jobs[0]?.configured).toBeUndefined();
    // Its zone is the connection's, which is not known.
    await expect(findJobs(['jobs/a.yaml'], looking)).rejects.toMatchObject({ kind: 'usage' });
  });
});
