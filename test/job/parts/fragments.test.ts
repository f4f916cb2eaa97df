import { describe, expect, it } from 'vitest';
import { loadJobFile } from '../../../src/job/load.js';
import { type Problem, ProblemsError, renderProblems } from '../../../src/job/problem.js';
import type { Job, StepsJob } from '../../../src/model/job.js';
import type { MapBranch, MapLeaf } from '../../../src/model/map.js';
import { COMPARISONS, folderWith, OPERATIONS } from '../fixture.js';

interface Options {
  readonly env?: Record<string, string>;
  readonly set?: readonly string[];
}

/** `jobs/x.yaml` below a `license-sync.yaml` that begins with `version: 1`. */
async function load(settings: string | undefined, job: string, { env = {}, set }: Options = {}) {
  const folder = await folderWith({
    'jobs/x.yaml': job,
    ...(settings === undefined ? {} : { 'license-sync.yaml': `version: 1\n${settings}` }),
  });
  return loadJobFile('jobs/x.yaml', {
    env,
    set,
    cwd: folder,
    operations: OPERATIONS,
    comparisons: COMPARISONS,
  });
}

async function problems(
  settings: string | undefined,
  job: string,
  options: Options = {},
): Promise<readonly Problem[]> {
  try {
    await load(settings, job, options);
  } catch (error) {
    if (error instanceof ProblemsError) return error.problems;
    throw error;
  }
  throw new Error('the file was taken without a problem');
}

const brief = (found: readonly Problem[]) =>
  found.map(({ file, line, column, code }) => `${file}:${line}:${column} ${code}`);

/** The map begins in line 6. */
const order = (...map: readonly string[]) =>
  `version: 1\nname: orders\noperation: order.new_buy\nsource: { file: a.xlsx }\nmap:\n${map.map((it) => `  ${it}\n`).join('')}`;

const items = (job: Awaited<ReturnType<typeof load>>): MapBranch =>
  (job as Job).map!.fields.get('orderList') as MapBranch;

const MAPS = `maps:
  customer:
    customerName: $(prefix)name
    contact: { phone: { column: $(prefix)phone, default: none } }
  locks:
    assets:
      assetNos: { template: "$(family)-{Lock}" }
`;

describe('a fragment of maps', () => {
  it('stands where a map uses it, with its parameters filled in and its own position', async () => {
    const job = await load(
      MAPS,
      order(
        'channelCode: CH',
        'orderList:',
        '  use: customer',
        '  with: { prefix: "Buyer " }',
        '  assets: { assetNos: Lock }',
      ),
    );
    expect(items(job).fields.get('customerName')).toEqual({
      kind: 'column',
      column: 'Buyer name',
      at: { line: 4, column: 19, file: 'license-sync.yaml', usedAt: 'jobs/x.yaml:8:10' },
    });
    const contact = items(job).fields.get('contact') as MapBranch;
    expect(contact.fields.get('phone')).toMatchObject({ column: 'Buyer phone', default: 'none' });
  });

  it('yields to the own keys: branches key by key, a leaf with all its options', async () => {
    const job = await load(
      `maps:
  customer:
    customerName: Name
    until: { column: Until, format: yyyy/MM/dd }
    contact: { phone: Phone }
    assets: { assetNos: Lock, children: { num: Nums } }
`,
      order(
        'channelCode: CH',
        'orderList:',
        '  use: customer',
        '  customerName: Buyer',
        '  until: { column: Ends }',
        '  assets:',
        '    assetNos: Serial',
      ),
    );
    const { fields } = items(job);
    expect(fields.get('customerName')).toMatchObject({ column: 'Buyer', at: { line: 9, column: 19 } });
    expect(fields.get('until')).toMatchObject({ column: 'Ends', format: undefined });
    const assets = (fields.get('assets') as MapBranch).fields;
    expect(assets.get('assetNos')).toMatchObject({ column: 'Serial' });
    expect(assets.has('children')).toBe(true);
  });

  it('may give options that the own keys add to, and be one of several, the later ones over the earlier', async () => {
    const job = await load(
      `maps:
  end: { column: Until, end: day }
  one: { customerName: A, count: One }
  two: { customerName: B }
`,
      order(
        'channelCode: CH',
        'use: [one, two]',
        'until: { use: end, format: yyyy/MM/dd }',
        'assets: { assetNos: Lock }',
      ),
    );
    expect(items(job).fields.get('until')).toMatchObject({
      column: 'Until',
      format: 'yyyy/MM/dd',
      end: 'day',
    });
    expect(items(job).fields.get('customerName')).toMatchObject({ column: 'B' });
    expect(items(job).fields.get('count')).toMatchObject({ column: 'One' });
  });

  it('may use another one and hand its parameters on', async () => {
    const job = await load(
      `maps:
  whole: { use: customer, with: { prefix: "$(who) " }, assets: { assetNos: "$(who) lock" } }
  customer: { customerName: $(prefix)name }
`,
      order('channelCode: CH', 'orderList: { use: whole, with: { who: Buyer } }'),
    );
    expect(items(job).fields.get('customerName')).toMatchObject({
      column: 'Buyer name',
      at: { line: 4, usedAt: 'license-sync.yaml:3:17 < jobs/x.yaml:7:21' },
    });
  });

  it('takes a parameter as it is typed, doubled dollar signs and variables as everywhere', async () => {
    const job = await load(
      `maps:
  some: { count: { value: $(n) }, customerName: "$$(n) \${WHO} $(n)", assets: { assetNos: Lock } }
`,
      order('channelCode: CH', 'orderList: { use: some, with: { n: 3 } }'),
      { env: { WHO: 'Buyer' } },
    );
    expect(items(job).fields.get('count')).toMatchObject({ kind: 'value', value: 3 });
    expect(items(job).fields.get('customerName')).toMatchObject({ column: '$(n) Buyer 3' });
  });

  it('is in key and expect, and in the maps of actions and steps', async () => {
    const job = await load(
      `maps: { key: { enterpriseGlobalId: E, assetNum: L }, lock: { assetNums: L, operatorIdentity: { value: o } } }\n`,
      `version: 1
name: locks
reconcile: asset
source: { file: a.xlsx }
key: { use: key }
expect: { locked: Locked }
actions:
  - { on: different, operation: asset.lock, map: { use: lock } }
`,
    );
    expect(job).toMatchObject({ actions: [{ map: { kind: 'branch' } }] });
  });

  it('is not looked for among the texts of values', async () => {
    const job = await load(
      MAPS,
      order(
        'channelCode: CH',
        'customerName: A',
        'trial: { column: T, values: { use: 1 } }',
        'assets: { assetNos: L }',
      ),
    );
    expect((items(job).fields.get('trial') as MapLeaf & { kind: 'column' }).values).toEqual(
      new Map([['use', 1]]),
    );
  });

  it('is set by --set as by the job, as are its parameters', async () => {
    const job = await load(
      MAPS,
      order('channelCode: CH', 'orderList: { use: customer, with: { prefix: A }, assets: { assetNos: L } }'),
      { set: ['map.orderList.with.prefix="Seller "', 'map.orderList.contact.phone.default=x'] },
    );
    expect(items(job).fields.get('customerName')).toMatchObject({ column: 'Seller name' });
    const contact = items(job).fields.get('contact') as MapBranch;
    expect(contact.fields.get('phone')).toMatchObject({ column: 'Seller phone', default: 'x' });
  });
});

describe('what is wrong with a fragment', () => {
  const used = (use: string) => order('channelCode: CH', `orderList: { use: ${use} }`);

  it('is reported at the use: an unknown name with the nearest, no maps, no settings at all', async () => {
    const found = await problems(MAPS, used('custmer'));
    expect(brief(found)).toEqual(['jobs/x.yaml:7:21 job.unknown_fragment']);
    expect(renderProblems(found)).toContain('did you mean "customer"? Known: customer, locks');
    expect(brief(await problems('', used('customer')))).toContain('jobs/x.yaml:7:21 job.use_without_maps');
    const none = await problems(undefined, used('customer'));
    expect(brief(none)).toContain('jobs/x.yaml:7:21 job.use_without_settings');
  });

  it('is reported with both places: a missing parameter, an unused one, a misspelt one', async () => {
    const found = await problems(MAPS, used('customer, with: { colour: red }'));
    expect(brief(found)).toEqual(
      expect.arrayContaining([
        'jobs/x.yaml:7:21 job.missing_parameter',
        'jobs/x.yaml:7:39 job.unused_parameter',
      ]),
    );
    expect(renderProblems(found)).toContain('"prefix" (license-sync.yaml:4:19)');
    const misspelt = await problems(MAPS, used('customer, with: { prefx: red }'));
    expect(brief(misspelt).filter((it) => it.includes('parameter'))).toEqual([
      'jobs/x.yaml:7:39 job.misspelt_parameter',
    ]);
  });

  it('is reported at its own place, naming where it is used, with the invalid line', async () => {
    const found = await problems(
      'maps:\n  bad:\n    customerNam: A\n    assets: { assetNos: L }\n',
      order('channelCode: CH', 'use: bad'),
    );
    expect(renderProblems(found)).toContain(
      'license-sync.yaml:4:5 (use: jobs/x.yaml:7:8) job.unknown_key: there is no key "customerNam" here; did you mean "customerName"?',
    );
    expect(renderProblems(found)).toContain('4 |     customerNam: A');
  });

  it('is a circle, used or not, reported once with its way', async () => {
    const circle = 'maps:\n  a: { use: b }\n  b: { use: c }\n  c: { use: a }\n';
    for (const job of [used('a'), order('channelCode: CH', 'customerName: A', 'assets: { assetNos: L }')]) {
      const found = (await problems(circle, job)).filter(({ code }) => code === 'job.fragment_circle');
      expect(brief(found)).toEqual(['license-sync.yaml:5:13 job.fragment_circle']);
      expect(renderProblems(found)).toContain('a -> b -> c -> a');
    }
  });

  it('is a misspelt "use"', async () => {
    const found = await problems(MAPS, order('channelCode: CH', 'orderList: { uses: customer }'));
    expect(renderProblems(found)).toContain('there is no key "uses" here; did you mean "use"?');
  });

  it('is an invalid form: a list, a text, a mapping for a name, an unclosed parameter', async () => {
    expect(brief(await problems('maps: [a]\n', used('a')))).toContain(
      'license-sync.yaml:2:1 job.maps_no_mapping',
    );
    expect(brief(await problems('maps: { a: Text }\n', used('a')))).toContain(
      'license-sync.yaml:2:12 job.fragment_no_mapping',
    );
    expect(brief(await problems(MAPS, used('{ a: b }')))).toContain('jobs/x.yaml:7:21 job.bad_use');
    expect(brief(await problems('maps: { a: { customerName: "$(b c)" } }\n', used('a')))).toContain(
      'license-sync.yaml:2:29 job.bad_parameter',
    );
  });

  it('is a variable that is not set, only where the fragment is used; its value is never shown', async () => {
    const maps = `maps:\n  a: { customerName: "\${NO_SUCH}" }\n  b: { count: "\${SECRET}" }\n`;
    expect(brief(await problems(maps, used('a')))).toContain('license-sync.yaml:3:23 job.missing_variable');
    const other = await problems(maps, used('b'), { env: { SECRET: 's3cret' } });
    expect(brief(other).some((it) => it.includes('missing_variable'))).toBe(false);
    expect(renderProblems(other)).not.toContain('s3cret');
  });

  it('is one that doubles itself on each of many levels', async () => {
    const lines = Array.from(
      { length: 40 },
      (_, i) => `  f${i}: { contact: { use: f${i + 1} }, assets: { use: f${i + 1} } }`,
    );
    const found = await problems(`maps:\n${lines.join('\n')}\n  f40: { count: A }\n`, used('f0'));
    expect(found.some(({ code }) => code === 'job.yaml_too_large')).toBe(true);
  });

  it('shows no line of license-sync.yaml beyond maps and defaults', async () => {
    const found = await problems('connections: { a: { token: "s3cret" }', used('a'));
    expect(renderProblems(found)).not.toContain('s3cret');
  });
});

describe('defaults', () => {
  const locks = (more = '') =>
    `version: 1\nname: locks\noperation: asset.lock\nsource: { file: a.xlsx }\nmap: { assetNums: L, operatorIdentity: O }\n${more}`;
  const DEFAULTS = `defaults:
  run: { retries: 1, concurrency: 2, timeout: 9s }
  source: { hiddenRows: skip, where: 'row["A"] == "x"' }
  safety: { maxItems: 7 }
  batch: { size: 5 }
  asset.lock: { batch: { size: 40 }, run: { retries: 2 } }
`;

  it('lie under the job and over the program, those of the operation over those for all', async () => {
    const job = (await load(DEFAULTS, locks('run: { concurrency: 3 }\n'))) as Job;
    expect(job.run).toMatchObject({ concurrency: 3, retries: 2, timeoutMs: 9000, onInvalid: 'abort' });
    expect(job.source).toMatchObject({
      hiddenRows: 'skip',
      where: { source: 'row["A"] == "x"', at: { line: 4, file: 'license-sync.yaml' } },
    });
    expect(job.safety.maxItems).toBe(7);
    expect(job.batch.size).toBe(40);
  });

  it('yield to --set, and leave what takes one item a request as it is', async () => {
    const job = (await load(DEFAULTS, locks(), { set: ['run.retries=9'] })) as Job;
    expect(job.run.retries).toBe(9);
    const single = (await load(
      DEFAULTS,
      'version: 1\nname: c\noperation: enterprise.create\nsource: { file: a.xlsx }\n',
    )) as Job;
    expect(single.batch.size).toBeUndefined();
    expect(single.run.retries).toBe(1);
  });

  it('count in a job that compares, and in the batches of its actions', async () => {
    const job = await load(
      DEFAULTS,
      `version: 1
name: locks
reconcile: asset
source: { file: a.xlsx }
key: { enterpriseGlobalId: E, assetNum: L }
actions:
  - { on: different, operation: asset.lock, map: { assetNums: L, operatorIdentity: O } }
`,
    );
    expect(job).toMatchObject({ run: { retries: 1 }, actions: [{ batch: { size: 40 } }] });
  });

  it('are checked whole, each fault at its place', async () => {
    const found = await problems(
      'defaults:\n  rnu: { retries: 1 }\n  run: { retries: many }\n  asset.lok: { batch: { size: 1 } }\n  source: { file: a.csv }\n  enterprise.create: { batch: { size: 3 } }\n',
      locks(),
    );
    expect(brief(found)).toEqual([
      'license-sync.yaml:3:3 job.unknown_key',
      'license-sync.yaml:4:19 job.expected_number',
      'license-sync.yaml:5:3 job.unknown_key',
      'license-sync.yaml:6:13 job.unknown_key_far',
      'license-sync.yaml:7:39 job.batch_fixed',
    ]);
    expect(renderProblems(found)).toContain('did you mean "asset.lock"?');
  });
});

describe('the digest of what counts', () => {
  const parts = async (settings: string | undefined, env: Record<string, string> = {}) =>
    (
      await load(
        settings,
        order('channelCode: CH', 'customerName: A', 'use: locks', 'assets: { assetNos: L }'),
        { env },
      )
    ).parts?.sha256;
  const settings = (extra = '', maps = 'maps: { locks: { count: C }, other: { count: D } }\n') =>
    `${maps}${extra}`;

  it('changes with a fragment or a default that counts, and with nothing else', async () => {
    const before = await parts(settings());
    expect(before).toMatch(/^[0-9a-f]{64}$/);
    expect(await parts(settings('# a note\nconnections: {}\n'))).toBe(before);
    expect(await parts(settings('', 'maps: { other: { count: E }, locks: { count: C } }\n'))).toBe(before);
    expect(await parts(settings('', 'maps: { locks: { count: D } }\n'))).not.toBe(before);
    expect(await parts(settings('defaults: { run: { retries: 1 } }\n'))).not.toBe(before);
    expect(await parts(settings('defaults: { asset.lock: { run: { retries: 1 } } }\n'))).toBe(before);
  });

  it('takes variables by their names', async () => {
    const maps = `maps: { locks: { count: "\${C}" } }\n`;
    expect(await parts(maps, { C: '1' })).toBe(await parts(maps, { C: '2' }));
  });

  it('is absent where nothing of the file counts', async () => {
    const job = await load(MAPS, order('channelCode: CH', 'customerName: A', 'assets: { assetNos: L }'));
    expect(job.parts).toBeUndefined();
  });
});

describe('a job of steps', () => {
  it('uses fragments in each step, and has batches by the operation of each', async () => {
    const job = await load(
      `maps:
  names: { crmCustomerId: $(who) No }
  locks: { assetNums: Lock, operatorIdentity: { value: o } }
defaults: { batch: { size: 5 }, asset.lock: { batch: { size: 40 }, run: { retries: 9 } }, run: { retries: 2 } }
`,
      `version: 1
name: onboard
source: { file: a.xlsx }
steps:
  - { name: customer, operation: enterprise.create, map: { use: names, with: { who: Customer } } }
  - { name: lock, operation: asset.lock, map: { use: locks } }
`,
    );
    expect(job).toMatchObject({
      // One job, whatever its steps do.
      run: { retries: 2 },
      steps: [
        { name: 'customer', batch: {} },
        { name: 'lock', batch: { size: 40 } },
      ],
    });
    expect(job.parts).toBeDefined();
    const [first] = (job as StepsJob).steps;
    expect(first?.map?.fields.get('crmCustomerId')).toMatchObject({
      column: 'Customer No',
      at: { file: 'license-sync.yaml', usedAt: 'jobs/x.yaml:5:65' },
    });
    expect(first?.batch.size).toBeUndefined();
  });
});
