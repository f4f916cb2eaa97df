import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadJobFile } from '../../src/job/load.js';
import { ProblemsError } from '../../src/job/problem.js';
import { ALL_OPERATIONS, COMPARISONS } from '../../src/platform/operations/catalogue.js';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'license-sync-'));
});

afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

async function load(text: string) {
  const file = join(folder, 'job.yaml');
  await writeFile(file, text);
  return loadJobFile(file, { env: {}, operations: ALL_OPERATIONS, comparisons: COMPARISONS });
}

async function problems(text: string): Promise<readonly string[]> {
  const error = await load(text).then(
    () => undefined,
    (it: unknown) => it,
  );
  if (!(error instanceof ProblemsError)) throw error ?? new Error('the job was taken');
  return error.problems.map(({ line, column, code }) => `${line}:${column} ${code}`);
}

const job = (leaf: string): string => `version: 1
name: whose
operation: asset.list
source: { file: a.csv }
map:
  enterpriseGlobalId:
${leaf}`;

const WITH = '    with: { channelCode: CH, channelCustomerId: No }\n';

describe('lookups in job files', () => {
  it('are read with all that they say; all customers are asked for unless it says otherwise', async () => {
    const read = await load(
      job(`    lookup: enterprise.query
${WITH}    where: record["isDefault"]
    take: enterpriseGlobalId
    onNone: { value: none }
    onMany: first
`),
    );
    const leaf = 'operation' in read ? read.map?.fields.get('enterpriseGlobalId') : undefined;
    expect(leaf).toMatchObject({
      kind: 'lookup',
      operation: 'enterprise.query',
      take: 'enterpriseGlobalId',
      where: { source: 'record["isDefault"]', at: { line: 9, column: 12 } },
      onNone: { kind: 'value', value: 'none' },
      onMany: 'first',
    });
    const asked = leaf?.kind === 'lookup' ? [...leaf.with] : [];
    expect(asked.map(([name]) => name)).toEqual(['channelCode', 'channelCustomerId', 'defaultCustomer']);
    expect(asked[2]?.[1]).toMatchObject({ kind: 'value', value: 'N' });
  });

  it.each([
    ['lookup: enterprise.bind', `${WITH}    take: customerId\n`, ['7:13 job.unknown_value_known']],
    ['lookup: enterprise.query', `${WITH}    take: enterpriseGlobalID\n`, ['9:11 job.lookup_member_nearest']],
    ['lookup: enterprise.query', `${WITH}`, ['6:3 job.missing_key']],
    ['lookup: enterprise.query', '    take: customerId\n', ['6:3 job.missing_key']],
    [
      'lookup: enterprise.query',
      '    with: { channelCode: CH }\n    take: customerId\n',
      ['8:5 job.lookup_lacks'],
    ],
    [
      'lookup: enterprise.query',
      `    with: { channelCode: CH, channelCustomerId: { lookup: asset.list } }\n    take: customerId\n`,
      ['8:51 job.lookup_in_lookup'],
    ],
    [
      'lookup: enterprise.query',
      `${WITH}    take: customerId\n    where: record["enterpriseNam"] == row["G"]\n`,
      ['10:12 job.lookup_member_nearest'],
    ],
    [
      'lookup: enterprise.query',
      `${WITH}    take: customerId\n    where: record["isDefault"] == row["G"]\n`,
      ['10:12 job.lookup_never_equal'],
    ],
    [
      'lookup: asset.list',
      '    with: { enterpriseGlobalId: E }\n    take: assignStatus\n',
      ['9:11 job.lookup_member'],
    ],
  ])('%s … %s', async (first, rest, expected) => {
    const reported = await problems(job(`    ${first}\n${rest}`));
    expect(reported.map((it) => it.replace(/job\.unknown_value\w*/, 'job.unknown_value_known'))).toEqual(
      expected,
    );
  });

  it('have no place in what a comparison compares by', async () => {
    const reported = await problems(`version: 1
name: c
reconcile: enterprise
source: { file: a.csv }
key:
  channelCode: CH
  channelCustomerId: { lookup: asset.list, with: { enterpriseGlobalId: E }, take: customerId }
`);
    expect(reported).toEqual(['7:24 job.lookup_misplaced']);
  });
});
