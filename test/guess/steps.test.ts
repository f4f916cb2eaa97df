import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { jobReading } from '../../src/app/job-input.js';
import { guessJob } from '../../src/guess/guess.js';
import { loadJobFile } from '../../src/job/load.js';
import type { StepsJob } from '../../src/model/job.js';
import type { MapBranch } from '../../src/model/map.js';
import type { OperationName } from '../../src/model/operation.js';

const SAMPLES = fileURLToPath(new URL('../../jobs/data/', import.meta.url));
const STEPS: readonly OperationName[] = ['enterprise.bind', 'asset.numbers', 'order.new_buy'];

const given = (file: string, folder: string, steps?: readonly OperationName[]) =>
  ({
    file,
    jobFile: path.join(folder, 'guessed.yaml'),
    schema: 'job.schema.json',
    language: 'en',
    ...(steps ? { steps } : {}),
  }) as const;

async function folderWith(name: string, text: string): Promise<readonly [string, string]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'license-sync-guess-steps-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await writeFile(path.join(folder, name), text);
  return [folder, path.join(folder, name)];
}

const orderOf = (job: StepsJob): MapBranch => job.steps.at(-1)!.map!.fields.get('orderList') as MapBranch;

describe('a sheet of customers and of what they order', () => {
  it('is asked about, and is a job of several steps when that is the answer', async () => {
    const [folder] = await folderWith('x.txt', '');
    const file = path.join(SAMPLES, 'new-licences.xlsx');
    const one = await guessJob(given(file, folder));
    expect(one.operation).toBe('order.new_buy');
    expect(one.notes.find(({ code }) => code === 'guess.steps_customers')?.params).toEqual({
      count: 3,
      operations: 'enterprise.bind,asset.numbers,order.new_buy',
    });
    const several = await guessJob(given(file, folder, STEPS));
    expect(several).toMatchObject({
      operation: 'steps',
      steps: [
        { name: 'customer', operation: 'enterprise.bind' },
        { name: 'numbers', operation: 'asset.numbers' },
        { name: 'order', operation: 'order.new_buy' },
      ],
    });
    expect(several.lacking).toContain('customer.channelCode');
    expect(several.lacking.some((it) => /customerId|enterpriseGlobalId|assetNos|size/.test(it))).toBe(false);
    expect(several.unused).toEqual(['New']);
    await writeFile(path.join(folder, 'guessed.yaml'), several.text);
    const job = (await loadJobFile('guessed.yaml', jobReading({ env: {}, cwd: folder }))) as StepsJob;
    expect(job.steps[1]?.map?.fields.get('size')).toMatchObject({ column: 'Locks wanted' });
    const { fields } = orderOf(job);
    expect(fields.get('customerId')).toMatchObject({ kind: 'from', step: 'customer', field: 'customerId' });
    expect(fields.get('enterpriseGlobalId')).toMatchObject({ kind: 'from', step: 'customer' });
    expect((fields.get('assets') as MapBranch).fields.get('assetNos')).toMatchObject({
      kind: 'from',
      step: 'numbers',
      field: 'assetNumber',
    });
  });

  it('takes the ids that some rows have, and binds the others', async () => {
    const [folder, file] = await folderWith(
      'new-orders.csv',
      [
        'Order No,Channel Customer,Customer ID,Customer Name,Enterprise Name,Branch,Security Phone,Licence Type,Asset No',
        'SO-1,000001,,北京宏图建筑工程有限公司,宏图集团,北京分公司,13800000001,cloud_account,8600000001',
        'SO-2,000002,LC0002,上海恒信造价咨询有限公司,恒信集团,上海分公司,13800000002,cloud_account,8600000002',
      ].join('\n'),
    );
    const several = await guessJob(given(file, folder, ['enterprise.bind', 'order.new_buy']));
    await writeFile(path.join(folder, 'guessed.yaml'), several.text);
    const job = (await loadJobFile('guessed.yaml', jobReading({ env: {}, cwd: folder }))) as StepsJob;
    expect(job.steps[0]?.when).toMatchObject({ source: 'row["Customer ID"] == ""' });
    expect(orderOf(job).fields.get('customerId')).toMatchObject({
      kind: 'from',
      step: 'customer',
      else: { kind: 'column', column: 'Customer ID' },
    });
  });

  it.each(['new-orders.xlsx', 'new-orders-nested.xlsx', 'bind-customers.xlsx'])(
    'is none where the sheet has what it needs, or nothing to order: %s',
    async (name) => {
      const [folder] = await folderWith('x.txt', '');
      const { notes } = await guessJob(given(path.join(SAMPLES, name), folder));
      expect(notes.filter(({ code }) => code.startsWith('guess.steps'))).toEqual([]);
    },
  );
});
