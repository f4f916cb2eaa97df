import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { renderProblems } from '../../src/job/problem.js';
import { brief, load, lockJob, problemsOf } from './fixture.js';

const MAP = 'map: { assetNums: Lock, operatorIdentity: { value: ops } }\n';

describe('a job file is read with every default', () => {
  it('gets every default of the contract, and absolute paths', async () => {
    const yaml = lockJob('');
    const { folder, job } = await load(yaml);
    expect(job).toEqual({
      file: join(folder, 'jobs/x.yaml'),
      sha256: createHash('sha256').update(yaml).digest('hex'),
      name: 'locks',
      operation: 'asset.lock',
      source: {
        file: join(folder, 'jobs/a.xlsx'),
        headerRow: 1,
        encoding: 'auto',
        delimiter: 'auto',
        hiddenRows: 'include',
        merged: 'refuse',
      },
      batch: {},
      run: {
        concurrency: 8,
        timeoutMs: 30_000,
        retries: 4,
        patienceMs: 900_000,
        onInvalid: 'abort',
        stopAfterFailures: 50,
      },
      safety: {
        maxItems: 10_000,
        maxDeletes: 100,
        allowDeleteFromAllOrders: false,
        duplicates: 'skip',
        conflicts: 'abort',
      },
      output: { file: join(folder, 'results/{job}-{run}.xlsx'), defaulted: true },
    });
  });

  it('keeps what it says', async () => {
    const { folder, job } = await load(`\uFEFF# yaml-language-server: $schema=../job.schema.json
version: 1
name: 新购-2026
description: 2026
operation: order.new_buy
connection: sandbox
source:
  file: ../data/orders.csv
  sheet: 2
  headerRow: 3
  encoding: gb18030
  delimiter: tab
  where: row["Status"] == "Approved"
  hiddenRows: refuse
batch: { size: 20 }
run: { concurrency: 2, requestsPerSecond: 0.5, timeout: 1.5s, retries: 0, patience: 1h, onInvalid: skip, stopAfterFailures: 1 }
safety: { maxItems: 5, maxDeletes: 0, allowDeleteFromAllOrders: true, duplicates: abort }
output: { file: out/{job}.CSV }
schedule: { cron: "0 2 * * *" }
`);
    expect(job).toMatchObject({
      name: '新购-2026',
      description: '2026',
      connection: 'sandbox',
      source: {
        file: join(folder, 'data/orders.csv'),
        sheet: 2,
        headerRow: 3,
        encoding: 'gb18030',
        delimiter: '\t',
        where: { source: 'row["Status"] == "Approved"', at: { line: 13, column: 10 } },
        hiddenRows: 'refuse',
        merged: 'refuse',
      },
      batch: { size: 20 },
      run: { concurrency: 2, requestsPerSecond: 0.5, timeoutMs: 1500, retries: 0, onInvalid: 'skip' },
      safety: {
        maxItems: 5,
        maxDeletes: 0,
        allowDeleteFromAllOrders: true,
        duplicates: 'abort',
        conflicts: 'abort',
      },
      output: { file: join(folder, 'jobs/out/{job}.CSV') },
      schedule: { cron: '0 2 * * *', onMissed: 'run', onOverlap: 'skip' },
    });
    expect(job.map).toBeUndefined();
  });

  it.each([
    ['500ms', 500],
    ['30s', 30_000],
    ['2m', 120_000],
    ['1h', 3_600_000],
  ])('reads the duration %s', async (timeout, ms) => {
    const { job } = await load(lockJob(`run: { timeout: ${timeout} }\n`));
    expect(job.run.timeoutMs).toBe(ms);
  });

  it('reads the jitter of a schedule', async () => {
    const { job } = await load(lockJob('schedule: { cron: "0 2 * * *", jitter: 5m }\n'));
    expect(job.schedule).toEqual({
      cron: '0 2 * * *',
      onMissed: 'run',
      onOverlap: 'skip',
      jitterMs: 300_000,
    });
    const problems = await problemsOf(lockJob('schedule: { cron: "0 2 * * *", jitter: 5 }\n'));
    expect(brief(problems)).toEqual(['5:40 job.bad_duration']);
  });

  it('survives a trip through JSON unchanged', async () => {
    const { job } = await load(lockJob(MAP));
    const { map, ...rest } = job;
    expect(map).toBeDefined();
    expect(JSON.parse(JSON.stringify(rest))).toEqual(rest);
  });

  it('reports all problems at once, in the order of the file', async () => {
    const problems = await problemsOf(`version: 2
name: new buy
operation: asset.lok
sorce: { file: a.xlsx }
source:
  file: ''
  headerRow: 1.5
  hiddenRows: hide
  encoding: utf-9
  delimiter: ;;
  where: row["A"] ==
run:
  concurrency: 0
  requestsPerSecond: 0
  timeout: 30
  retries: 1.5
safety: [1]
output: { file: out-{date}.xlsx }
schedule: { cron: "0 2 * *", timezone: Mars/Base }
`);
    expect(brief(problems)).toEqual([
      '1:10 job.unknown_value_far',
      '2:7 job.bad_name',
      '3:12 job.unknown_value',
      '4:1 job.unknown_key',
      '6:9 job.empty_text',
      '7:14 job.expected_whole_number',
      '8:15 job.unknown_value_far',
      '9:13 job.unknown_encoding',
      '10:14 job.bad_delimiter',
      '11:20 job.bad_expression',
      '13:16 job.too_small',
      '14:22 job.not_above',
      '15:12 job.bad_duration',
      '16:12 job.expected_whole_number',
      '17:9 job.expected_mapping',
      '18:17 job.unknown_placeholder',
      '19:19 job.bad_cron',
      '19:40 job.unknown_timezone',
    ]);
  });

  it('names file, line, column, code and the nearest right word, with a caret', async () => {
    const problems = await problemsOf(lockJob('rum: {}\nrun: { 超时: 1, onInvalid: skp }\n'));
    expect(renderProblems(problems)).toBe(
      [
        'jobs/x.yaml:5:1 job.unknown_key: there is no key "rum" here; did you mean "run"? Known: version, name, description, connection, source, run, safety, output, schedule, notify, operation, map, batch',
        '  5 | rum: {}',
        '      ^',
        'jobs/x.yaml:6:8 job.unknown_key_far: there is no key "超时" here. Known: concurrency, requestsPerSecond, timeout, retries, patience, onInvalid, stopAfterFailures',
        '  6 | run: { 超时: 1, onInvalid: skp }',
        '             ^',
        'jobs/x.yaml:6:26 job.unknown_value: skp is not a value of "onInvalid"; did you mean skip? Allowed: abort, skip',
        '  6 | run: { 超时: 1, onInvalid: skp }',
        // Two wide characters stand before it.
        `${' '.repeat(6 + 25 + 2)}^`,
      ].join('\n'),
    );
    expect(renderProblems(problems, 'zh')).toContain('jobs/x.yaml:5:1 job.unknown_key：此处没有键“rum”');
  });

  it('finds an operation by its last part', async () => {
    const [problem] = await problemsOf('version: 1\nname: a\noperation: new_buy\nsource: { file: a }\n');
    expect(problem?.message.params).toMatchObject({ near: 'order.new_buy' });
  });

  it('points at the key above what is missing or empty', async () => {
    const problems = await problemsOf('name:\nsource:\n  sheet: A\nrun: { timeout: }\n');
    expect(brief(problems)).toEqual([
      '1:1 job.missing_key',
      '1:1 job.empty_value',
      '1:1 job.no_kind',
      '2:1 job.missing_key',
      '4:8 job.empty_value',
    ]);
    expect(
      problems.filter((one) => one.code === 'job.missing_key').map((one) => one.message.params.key),
    ).toEqual(['version', 'file']);
  });

  it('fixes the batch of operations that take one item', async () => {
    const yaml =
      'version: 1\nname: a\noperation: enterprise.create\nsource: { file: a }\nbatch: { size: 2 }\n';
    expect(brief(await problemsOf(yaml))).toEqual(['5:16 job.batch_fixed']);
    expect((await load(yaml.replace('2 }', '1 }'))).job.batch).toEqual({ size: 1 });
  });

  it('refuses `__proto__` and the like as it does any unknown key', async () => {
    const problems = await problemsOf(
      lockJob('__proto__: { run: 1 }\nconstructor: 1\nrun: { __proto__: 1 }\n'),
    );
    expect(brief(problems)).toEqual([
      '5:1 job.unknown_key_far',
      '6:1 job.unknown_key_far',
      '7:8 job.unknown_key_far',
    ]);
  });

  it.each([
    ['where: 1 + 1', '5:3', 'condition'],
    ["where: 'row[\"It''s\"] == 1'", '5:11', 'overload'],
    ['where: nope == "x"', '5:10', 'Unknown variable: nope'],
    ['where: row[row["A"]] == "x"', '5:14', 'constant'],
    ['where: row.size() == 1', '5:10', 'one column at a time'],
    ['where: |\n    row["A"] == "x" &&\n    nope == 1', '7:5', 'nope'],
    ['where: "row[\\"A\\"] == \\u0022x\\u0022 && nope"', '5:42', 'nope'],
    ['where: row["A"] == "x"\n    && nope', '6:8', 'nope'],
  ])('checks %s', async (where, at, detail) => {
    const problems = await problemsOf(
      `version: 1\nname: a\noperation: asset.lock\nsource:\n  ${where}\n  file: a.xlsx\n`,
    );
    expect(problems).toHaveLength(1);
    expect(problems[0]?.code).toBe('job.bad_expression');
    expect(renderProblems(problems)).toContain(detail);
    if (detail !== 'condition') expect(`${problems[0]?.line}:${problems[0]?.column}`).toBe(at);
  });
});

describe('a file that cannot be a job is refused', () => {
  it.each([
    ['missing', undefined, 'job.file_missing'],
    ['in another encoding', Uint8Array.from([0xc4, 0xe3, 0xba, 0xc3]), 'job.not_utf8'],
    ['huge', 'a'.repeat(1024 * 1024 + 1), 'job.file_too_large'],
  ])('is refused when %s', async (_, content, code) => {
    const loading =
      content === undefined
        ? import('../../src/job/load.js').then(({ loadJob }) =>
            loadJob('/nowhere/at/all.yaml', { env: {}, operations: [] }),
          )
        : load(content);
    await expect(loading).rejects.toMatchObject({ kind: 'usage', detail: { code } });
  });
});
