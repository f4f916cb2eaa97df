import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadJobFile, loadReconcileJob } from '../../src/job/load.js';
import {
  assetJob,
  brief,
  COMPARISONS,
  folderWith,
  load,
  loadReconcile,
  lockJob,
  OPERATIONS,
  problemsOf,
} from './fixture.js';

const LOCKS = `version: 1
name: nightly-locks
reconcile: asset
source: { file: ../data/locks.xlsx }
key: { enterpriseGlobalId: Enterprise ID, assetNum: { column: Lock No, split: / } }
expect:
  locked: Locked
  limitEndTime: { column: Valid until, end: day }
  assignStatus: { assignMemberId: { expr: 'row["Member"]' } }
actions:
  - on: different
    when: expected.locked && !actual.locked
    operation: asset.lock
    map: { assetNums: Lock No, operatorIdentity: { value: ops@example.com } }
    batch: { size: 20 }
`;

describe('a job that compares is checked against what is compared', () => {
  it('is read with its key, expectation and actions', async () => {
    const { folder, job } = await loadReconcile(LOCKS);
    expect(job).toMatchObject({
      file: join(folder, 'jobs/x.yaml'),
      name: 'nightly-locks',
      reconcile: 'asset',
      extra: 'report',
      source: { file: join(folder, 'data/locks.xlsx'), headerRow: 1 },
      run: { concurrency: 8, timeoutMs: 30_000 },
      safety: { maxDeletes: 100 },
    });
    expect(job).not.toHaveProperty('operation');
    expect([...job.key.fields]).toMatchObject([
      ['enterpriseGlobalId', { kind: 'column', column: 'Enterprise ID' }],
      ['assetNum', { kind: 'column', column: 'Lock No', split: '/' }],
    ]);
    expect([...job.expect.fields]).toMatchObject([
      ['locked', { kind: 'column', column: 'Locked', at: { line: 7, column: 11 } }],
      ['limitEndTime', { kind: 'column', column: 'Valid until', end: 'day' }],
      ['assignStatus', { kind: 'branch' }],
    ]);
    expect(job.actions).toHaveLength(1);
    const [action] = job.actions;
    expect(action).toMatchObject({
      on: 'different',
      when: { source: 'expected.locked && !actual.locked', at: { line: 12, column: 11 } },
      operation: 'asset.lock',
      batch: { size: 20 },
      at: { line: 11, column: 5 },
    });
    expect([...(action?.map.fields.keys() ?? [])]).toEqual(['assetNums', 'operatorIdentity']);
  });

  it('needs no expectation and no actions', async () => {
    const { job } = await loadReconcile(assetJob(''));
    expect(job.expect.fields.size).toBe(0);
    expect(job.actions).toEqual([]);
  });

  it('takes a key that has a default, and its closed values', async () => {
    const customers = (more: string) =>
      `version: 1\nname: c\nreconcile: enterprise\nsource: { file: a.csv }\nkey: { channelCode: A, channelCustomerId: B${more} }\n`;
    expect([...(await loadReconcile(customers(''))).job.key.fields.keys()]).toEqual([
      'channelCode',
      'channelCustomerId',
    ]);
    const { job } = await loadReconcile(customers(', defaultCustomer: { value: Y }'));
    expect(job.key.fields.get('defaultCustomer')).toMatchObject({ kind: 'value', value: 'Y' });
    expect(brief(await problemsOf(customers(', defaultCustomer: { value: X }')))).toEqual([
      '5:72 job.unknown_value_far',
    ]);
  });

  it.each([
    ['key: { enterpriseGlobalId: A }', '5:1 job.branch_lacks', { branch: 'key', fields: 'assetNum' }],
    ['key: { enterpriseId: A, assetNum: B }', '5:8 job.unknown_key', { near: 'enterpriseGlobalId' }],
    ['key: { enterpriseGlobalId: A, assetNums: B }', '5:31 job.unknown_key', { near: 'assetNum' }],
    ['key: Lock No', '5:6 job.expected_mapping', { key: 'key' }],
    ['key:', '5:1 job.empty_value', { key: 'key' }],
    ['key: { enterpriseGlobalId: A, assetNum: B, each: [A] }', '5:44 job.each_in_comparison', { key: 'key' }],
  ])('refuses %s', async (key, at, params) => {
    const [problem, ...rest] = await problemsOf(
      `version: 1\nname: a\nreconcile: asset\nsource: { file: a.xlsx }\n${key}\n`,
    );
    expect(brief([problem!])).toEqual([at]);
    expect(problem?.message.params).toMatchObject(params);
    expect(rest).toEqual([]);
  });

  it.each([
    ['{ loked: Locked }', '6:11 job.unknown_key', { near: 'locked' }],
    ['{ assetExtends: X }', '6:11 job.not_comparable', { field: 'assetExtends', type: 'object array' }],
    ['{ assetLimits: X }', '6:11 job.not_comparable', { field: 'assetLimits' }],
    ['{ assignStatus: { history: X } }', '6:27 job.not_comparable', { field: 'history' }],
    ['{ assignStatus: X }', '6:25 job.map_leaf_for_object', { fields: 'assignMemberId' }],
    ['{ assignStatus: { each: [A], assignMemberId: B } }', '6:27 job.each_in_comparison', { key: 'expect' }],
    ['{ locked: { value: maybe } }', '6:28 job.bad_constant', { field: 'locked' }],
    [`{ locked: { expr: 'actual.locked' } }`, '6:28 job.bad_expression', { key: 'expr' }],
    ['[locked]', '6:9 job.expected_mapping', { key: 'expect' }],
  ])('refuses expect: %s', async (expectation, at, params) => {
    const problems = await problemsOf(assetJob(`expect: ${expectation}\n`));
    expect(brief(problems)).toEqual([at]);
    expect(problems[0]?.message.params).toMatchObject(params);
  });

  it('reports all problems at once, in the order of the file', async () => {
    const problems = await problemsOf(`version: 1
name: a b
reconcile: asset
source: { file: a.xlsx, where: 'row["A"]' }
key: { assetNum: Lock No }
expect: { lockd: Locked }
actions:
  - on: diferent
    operation: asset.lock
    map: { assetNums: Lock No }
  - when: 1 +
    operation: asset.luck
schedule: { cron: daily }
`);
    expect(brief(problems)).toEqual([
      '2:7 job.bad_name',
      '4:33 job.bad_expression',
      '5:1 job.branch_lacks',
      '6:11 job.unknown_key',
      '8:9 job.unknown_value',
      '10:5 job.map_lacks',
      '11:5 job.missing_key',
      '11:5 job.missing_key',
      '11:13 job.bad_expression',
      '12:16 job.unknown_value',
      '13:19 job.bad_cron',
    ]);
  });

  it('reports a missing variable once, and not what stumbles over it', async () => {
    const yaml = assetJob('').replace('reconcile: asset', 'reconcile: $'.concat('{WHAT}'));
    expect(brief(await problemsOf(yaml))).toEqual(['3:12 job.missing_variable']);
    expect((await loadReconcile(yaml, { env: { WHAT: 'asset' } })).job.reconcile).toBe('asset');
  });

  it('takes --set', async () => {
    const { job } = await loadReconcile(assetJob(''), { set: ['extra=ignore', 'expect.locked=Is locked'] });
    expect(job.extra).toBe('ignore');
    expect(job.expect.fields.get('locked')).toMatchObject({ column: 'Is locked' });
  });
});

describe('a job is of one kind', () => {
  it('is read as it is by loadJobFile', async () => {
    const folder = await folderWith({ 'a.yaml': assetJob(''), 'b.yaml': lockJob('') });
    const options = { env: {}, operations: OPERATIONS, comparisons: COMPARISONS, cwd: folder };
    expect(await loadJobFile('a.yaml', options)).toMatchObject({ reconcile: 'asset' });
    expect(await loadJobFile('b.yaml', options)).toMatchObject({ operation: 'asset.lock' });
  });

  it('sends the user who took the wrong command to the right one, before any problem of the file', async () => {
    await expect(load(assetJob('expect: { lockd: A }\n'))).rejects.toMatchObject({
      kind: 'usage',
      detail: { code: 'job.is_reconcile', params: { file: 'jobs/x.yaml' } },
    });
    await expect(loadReconcile(lockJob('rum: {}\n'))).rejects.toMatchObject({
      kind: 'usage',
      detail: { code: 'job.is_operation', params: { file: 'jobs/x.yaml' } },
    });
  });

  it('must be one', async () => {
    const both = await problemsOf(lockJob('reconcile: asset\nkey: { assetNum: A }\n'));
    expect(brief(both)).toEqual(['5:1 job.two_kinds']);
    expect(brief(await problemsOf('version: 1\nname: a\nsource: { file: a }\n'))).toEqual([
      '1:1 job.no_kind',
    ]);
  });

  it.each([
    ['reconcle: asset', 'reconcile'],
    ['operaton: asset.lock', 'operation'],
  ])('is not reported as missing where %s was meant to say it', async (line, near) => {
    const problems = await problemsOf(`version: 1\nname: a\nsource: { file: a }\n${line}\n`);
    expect(brief(problems)).toEqual(['4:1 job.unknown_key']);
    expect(problems[0]?.message.params.near).toBe(near);
  });

  it('has keys of its own', async () => {
    const sends = await problemsOf(lockJob('expect: { locked: A }\nextra: ignore\n'));
    expect(brief(sends)).toEqual(['5:1 job.key_of_other_kind', '6:1 job.key_of_other_kind']);
    expect(sends[0]?.message.params).toMatchObject({ key: 'expect', other: 'reconcile' });
    const compares = await problemsOf(assetJob('map: { assetNums: A }\nbatch: { size: 2 }\n'));
    expect(brief(compares)).toEqual(['6:1 job.map_in_reconcile', '7:1 job.map_in_reconcile']);
  });

  it('can only be one that the caller knows', async () => {
    const folder = await folderWith({ 'a.yaml': assetJob('') });
    const options = { env: {}, operations: OPERATIONS, comparisons: COMPARISONS.slice(1), cwd: folder };
    await expect(loadReconcileJob('a.yaml', options)).rejects.toMatchObject({
      detail: { code: 'job.unknown_value_far', params: { key: 'reconcile', allowed: 'enterprise' } },
    });
  });
});
