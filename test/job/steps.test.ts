import { describe, expect, it } from 'vitest';
import { loadJob, loadJobFile, loadReconcileJob, loadSendingJob } from '../../src/job/load.js';
import { ProblemsError, renderProblems } from '../../src/job/problem.js';
import { type StepsJob, stepJob } from '../../src/model/job.js';
import { ALL_OPERATIONS, COMPARISONS } from '../../src/platform/operations/catalogue.js';
import { brief, folderWith } from './fixture.js';

const HEAD = 'version: 1\nname: onboard\nsource: { file: a.xlsx }\n';

const CUSTOMER = `  - name: customer
    operation: enterprise.bind
    when: row["Customer ID"] == ""
    map: { channelCode: CH, channelCustomerId: No, customerName: Name, branchName: Branch, enterpriseName: Group, passwordMobile: Phone }
`;
const NUMBERS = `  - name: numbers
    operation: asset.numbers
    map: { size: Locks wanted }
`;
const QUERY = `  - name: find
    operation: enterprise.query
    map: { channelCode: CH, channelCustomerId: No, defaultCustomer: { value: N } }
`;

/** Lock steps are the smallest that take a list and a text. */
const lock = (assetNums: string, operatorIdentity: string, more = ''): string => `  - name: lock
    operation: asset.lock
${more}    map:
      assetNums: ${assetNums}
      operatorIdentity: ${operatorIdentity}
`;

async function loading<T>(yaml: string, loader: typeof loadJobFile | (() => Promise<T>) = loadJobFile) {
  const folder = await folderWith({ 'jobs/x.yaml': yaml });
  return loader('jobs/x.yaml', {
    env: {},
    operations: ALL_OPERATIONS,
    comparisons: COMPARISONS,
    cwd: folder,
  });
}

async function loaded(steps: string): Promise<StepsJob> {
  const job = await loading(`${HEAD}steps:\n${steps}`);
  if (!('steps' in (job as StepsJob))) throw new Error('no job of steps');
  return job as StepsJob;
}

async function problems(yaml: string) {
  try {
    await loading(yaml);
  } catch (error) {
    if (error instanceof ProblemsError) return error.problems;
    throw error;
  }
  throw new Error('the file was taken without a problem');
}

/** Problems of these steps: their first line is line 5. */
const problemsOf = (steps: string) => problems(`${HEAD}steps:\n${steps}`);

describe('a job of steps', () => {
  it('is read with the map and the condition of each step', async () => {
    const job = await loaded(
      CUSTOMER +
        NUMBERS +
        lock(
          '{ from: numbers.assetNumber }',
          '{ from: customer.customerId, else: Customer ID }',
          '    when: step["customer"]["customerId"] != "" && row["Status"] == "ok"\n    onPartial: stop\n    batch: { size: 7 }\n',
        ),
    );
    expect(job.steps.map(({ name, operation, onPartial }) => [name, operation, onPartial])).toEqual([
      ['customer', 'enterprise.bind', 'continue'],
      ['numbers', 'asset.numbers', 'continue'],
      ['lock', 'asset.lock', 'stop'],
    ]);
    const [customer, , last] = job.steps;
    expect(customer?.when).toEqual({ source: 'row["Customer ID"] == ""', at: { line: 7, column: 11 } });
    expect(last?.batch).toEqual({ size: 7 });
    expect([...last!.map!.fields]).toEqual([
      ['assetNums', expect.objectContaining({ kind: 'from', step: 'numbers', field: 'assetNumber' })],
      [
        'operatorIdentity',
        {
          kind: 'from',
          step: 'customer',
          field: 'customerId',
          else: { kind: 'column', column: 'Customer ID', at: { line: 19, column: 60 } },
          at: { line: 19, column: 25 },
        },
      ],
    ]);
  });

  it('gives the job of each step, which knows the steps before it', async () => {
    const job = await loaded(CUSTOMER + NUMBERS);
    const { steps: _, unmatched: _unmatched, ...base } = job;
    expect(stepJob(job, job.steps[1]!)).toEqual({
      ...base,
      operation: 'asset.numbers',
      map: job.steps[1]!.map,
      batch: {},
      step: {
        name: 'numbers',
        when: undefined,
        earlier: [{ name: 'customer', operation: 'enterprise.bind' }],
      },
    });
  });

  it('is taken by commands that send, and refused where only one operation or a comparison will do', async () => {
    const yaml = `${HEAD}steps:\n${NUMBERS}`;
    await expect(loading(yaml, loadSendingJob)).resolves.toHaveProperty('steps');
    await expect(loading(yaml, loadJob)).rejects.toMatchObject({
      kind: 'usage',
      detail: { code: 'job.is_steps' },
    });
    await expect(loading(yaml, loadReconcileJob)).rejects.toMatchObject({
      kind: 'usage',
      detail: { code: 'job.is_operation' },
    });
  });

  it('knows of which step a later one takes a single record', async () => {
    const one = await loaded(NUMBERS + lock('A', '{ from: numbers.assetNumber }'));
    expect(one.steps.map((it) => it.takenAsOne)).toEqual([
      { from: 'numbers.assetNumber', field: 'operatorIdentity', at: { line: 12, column: 33 } },
      undefined,
    ]);
    expect(stepJob(one, one.steps[0]!).step?.takenAsOne).toEqual(one.steps[0]!.takenAsOne);
    const list = await loaded(NUMBERS + lock('{ from: numbers.assetNumber }', 'A'));
    expect(list.steps.map((it) => it.takenAsOne)).toEqual([undefined, undefined]);
  });

  it('may give a step without a map', async () => {
    expect((await loaded('  - { name: a, operation: asset.lock }\n')).steps[0]!.map).toBeUndefined();
  });

  it('names a step by letters of any script', async () => {
    const job = await loaded(
      `${CUSTOMER.replace('customer', '绑定客户_1')}${lock('A', '{ from: 绑定客户_1.customerId }')}`,
    );
    expect(job.steps[0]!.name).toBe('绑定客户_1');
  });
});

describe('a result of an earlier step', () => {
  const KNOWN = 'customerId, enterpriseGlobalId, enterpriseName, isDefault';

  it.each<readonly [what: string, from: string, expected: string, ...reported: readonly string[]]>([
    ['no step', 'client.customerId', '14:33 job.step_unknown', 'Earlier steps: customer'],
    ['a misspelt step', 'custmer.customerId', '14:33 job.step_unknown_nearest', 'did you mean "customer"'],
    ['another case', 'Customer.customerId', '14:33 job.step_unknown_nearest', 'did you mean "customer"'],
    [
      'a misspelt field',
      'customer.custmerId',
      '14:33 job.step_returns_no_nearest',
      'did you mean "customerId"',
      KNOWN,
    ],
    ['a field of the request', 'customer.passwordMobile', '14:33 job.step_returns_no', KNOWN],
    ['itself', 'lock.assetStatus', '14:33 job.step_itself'],
    ['a later one', 'numbers.assetNumber', '14:33 job.step_later'],
    ['a step as a whole', 'customer', '14:33 job.bad_from'],
    ['nothing after the dot', 'customer.', '14:33 job.bad_from'],
  ])('must be one: %s', async (_what, from, expected, ...reported) => {
    const found = await problemsOf(`${CUSTOMER}${lock('Lock No', `{ from: ${from} }`)}${NUMBERS}`);
    expect(brief(found)).toEqual([expected.replace('14:', '13:')]);
    for (const text of reported) expect(renderProblems(found)).toContain(text);
  });

  const TAKING = (from: string, more = '') => lock('Lock No', `{ from: ${from}${more} }`);

  it.each<readonly [what: string, steps: string, expected: readonly string[]]>([
    ['a list for a field of several', `${NUMBERS}${lock('{ from: numbers.assetNumber }', 'Who')}`, []],
    ['a count for a text', `${NUMBERS}${TAKING('numbers.recordCount')}`, []],
    [
      'one number, as one is asked for',
      `${NUMBERS.replace('Locks wanted', '1')}${TAKING('numbers.assetNumber')}`,
      [],
    ],
    ['as many numbers as a cell says', `${NUMBERS}${TAKING('numbers.assetNumber')}`, []],
    [
      'two numbers for a text',
      `${NUMBERS.replace('Locks wanted', '2')}${TAKING('numbers.assetNumber')}`,
      ['12:33 job.from_records'],
    ],
    ['what a query that found one shows', `${QUERY}${TAKING('find.customerId')}`, []],
    ['what only its records have', `${QUERY}${TAKING('find.channelCode')}`, ['12:33 job.from_records']],
    ['a truth value for a text', `${QUERY}${TAKING('find.isDefault')}`, ['12:33 job.from_type']],
    [
      'a text for a number',
      `${CUSTOMER}${NUMBERS.replace('Locks wanted', '{ from: customer.customerId }')}`,
      ['11:26 job.from_type'],
    ],
    ['a count for a number', `${QUERY}${NUMBERS.replace('Locks wanted', '{ from: find.recordCount }')}`, []],
    [
      'a fault in what stands else',
      `${CUSTOMER}${TAKING('customer.customerId', ', else: { colum: X }')}`,
      ['13:62 job.unknown_key'],
    ],
    [
      'one result or another',
      `${CUSTOMER}${QUERY}${TAKING('customer.customerId', ', else: { from: find.customerId }')}`,
      [],
    ],
    [
      'an unknown key beside it',
      `${CUSTOMER}${TAKING('customer.customerId', ', els: X')}`,
      ['13:54 job.unknown_key'],
    ],
    [
      'two ways at once',
      `${CUSTOMER}${TAKING('customer.customerId', ', column: X')}`,
      ['13:27 job.leaf_conflict'],
    ],
  ])('fits what it fills: %s', async (_what, steps, expected) => {
    if (expected.length === 0) await loaded(steps);
    else expect(brief(await problemsOf(steps))).toEqual(expected);
  });

  it.each([
    ['when', 'step["custmer"]["customerId"] == ""', '9:11 job.step_unknown_nearest'],
    ['when', 'row["A"] == "" || step["numbers"]["assetNumber"] == ""', '9:29 job.step_later'],
    ['when', 'step["customer"]["custmerId"] == ""', '9:11 job.step_returns_no_nearest'],
    ['when', 'step.customer.customerId == ""', undefined],
    ['when', 'step["lock"]["assetStatus"] == ""', '9:11 job.step_itself'],
    ['when', 'step["customer"] == ""', '9:11 job.step_whole'],
    ['when', 'step == 1', '9:11 job.bad_expression'],
    ['when', 'step["customer"]["customerId"] +', '9:42 job.bad_expression'],
  ])('is read rightly by %s: %s', async (_key, when, expected) => {
    const steps = `${CUSTOMER.replace('    when: row["Customer ID"] == ""\n', '')}${lock('A', 'B', `    when: ${when}\n`)}${NUMBERS}`;
    if (expected) expect(brief(await problemsOf(steps))).toEqual([expected.replace(/^9:/, '10:')]);
    else await loaded(steps);
  });

  it('is read rightly by an expression of a map', async () => {
    const leaf = (source: string) => lock('A', `{ expr: 'step["customer"]["${source}"]' }`);
    await loaded(CUSTOMER + leaf('customerId'));
    expect(brief(await problemsOf(CUSTOMER + leaf('id')))).toEqual(['13:34 job.step_returns_no']);
  });

  it('belongs to no row of another sheet', async () => {
    const order = (leaf: string) => `  - name: order
    operation: order.new_buy
    map:
      channelCode: CH
      syncMode: sync
      orderList:
        each: [Order No]
        customerId: { from: customer.customerId }
        licenseType: Kind
        assets:
          assetNos: Lock No
          products:
            productName: ${leaf}
            each: { sheet: Products, on: [Order No] }
`;
    for (const leaf of ['{ from: customer.customerId }', `{ expr: 'step["customer"]["customerId"]' }`]) {
      const found = await problemsOf(CUSTOMER + order(leaf));
      expect(brief(found).filter((it) => it.includes('sheet'))).toEqual([
        expect.stringMatching(/^21:\d+ job.from_in_other_sheet$/),
      ]);
    }
  });
});

describe('a job file says once what it does', () => {
  it.each<readonly [what: string, yaml: string, expected: readonly string[]]>([
    ['operation beside steps', `${HEAD}operation: asset.lock\nsteps:\n${NUMBERS}`, ['5:1 job.two_kinds']],
    ['reconcile beside steps', `${HEAD}steps:\n${NUMBERS}reconcile: asset\n`, ['8:1 job.two_kinds']],
    [
      'map and batch beside steps',
      `${HEAD}steps:\n${NUMBERS}map: { size: A }\nbatch: { size: 2 }\n`,
      ['8:1 job.key_beside_steps', '9:1 job.key_beside_steps'],
    ],
    [
      'keys of a comparison beside steps',
      `${HEAD}steps:\n${NUMBERS}key: { size: A }\n`,
      ['8:1 job.key_of_other_kind'],
    ],
    ['steps misspelt', `${HEAD}step:\n${NUMBERS}`, ['4:1 job.unknown_key']],
    ['nothing', HEAD, ['1:1 job.no_kind']],
    ['no steps', `${HEAD}steps: []\n`, ['4:8 job.no_steps']],
    ['steps without a value', `${HEAD}steps:\n`, ['4:1 job.empty_value']],
    [
      'steps that are none',
      `${HEAD}steps: [lock, { name: a }]\n`,
      ['4:9 job.expected_mapping', '4:15 job.missing_key'],
    ],
    [
      'from outside of steps',
      `${HEAD}operation: asset.lock\nmap: { assetNums: A, operatorIdentity: { from: a.b } }\n`,
      ['5:48 job.from_without_steps'],
    ],
    [
      'onPartial outside of steps',
      `${HEAD}operation: asset.lock\nonPartial: stop\nmap: { assetNums: A, operatorIdentity: B }\n`,
      ['5:1 job.unknown_key_far'],
    ],
  ])('%s', async (_what, yaml, expected) => {
    expect(brief(await problems(yaml))).toEqual(expected);
  });

  it.each<readonly [what: string, steps: string, expected: readonly string[]]>([
    ['twice one name', NUMBERS + NUMBERS, ['8:11 job.step_twice']],
    [
      'names that differ in case or width only',
      NUMBERS + NUMBERS.replace('numbers', 'ＮＵＭＢＥＲＳ'),
      ['8:11 job.step_twice'],
    ],
    ['a dot in a name', NUMBERS.replace('numbers', 'a.b'), ['5:11 job.bad_step_name']],
    ['a blank in a name', NUMBERS.replace('numbers', '"a b"'), ['5:11 job.bad_step_name']],
    ['a name that is a number', NUMBERS.replace('numbers', '1'), []],
    ['no name', NUMBERS.replace('name: numbers', 'when: "true"'), ['5:5 job.missing_key']],
    ['an unknown operation', NUMBERS.replace('asset.numbers', 'asset.number'), ['6:16 job.unknown_value']],
    ['a wrong onPartial', `${NUMBERS}    onPartial: halt\n`, ['8:16 job.unknown_value_far']],
    ['a batch for what goes alone', `${NUMBERS}    batch: { size: 2 }\n`, ['8:20 job.batch_fixed']],
    ['a key of the job', `${NUMBERS}    source: { file: b.xlsx }\n`, ['8:5 job.unknown_key_far']],
  ])('in a step: %s', async (_what, steps, expected) => {
    if (expected.length === 0) await loaded(steps);
    else expect(brief(await problemsOf(steps))).toEqual(expected);
  });

  it('reports all at once', async () => {
    const found = await problemsOf(
      `${NUMBERS.replace('size', 'sizes')}${lock('A', '{ from: nobody.x }')}${NUMBERS}`,
    );
    expect(brief(found)).toEqual(['7:12 job.unknown_key', '12:33 job.step_unknown', '13:11 job.step_twice']);
  });
});
