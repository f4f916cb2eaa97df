// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are variables of job files.
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ImportFixture } from '../support/imports.js';
import { collect } from '../support/ledger-samples.js';
import { orderJob, orderRows } from '../support/orders.js';
import { postgresPlace } from '../support/postgres/shared-server.js';

const RENAMED = 'Order number,Client,Asset,Nodes\nSO-1,Customer 1,A1,5\nSO-2,Customer 2,A2,7\n';
const MATCHES = [
  { field: 'channelOrderId', column: 'Order number' },
  { field: 'customerName', column: 'Client' },
];

interface MatchedView {
  readonly httpStatus: number;
  readonly code: string;
  readonly base: string;
  readonly remembered?: { readonly name: string };
  readonly columns: readonly { readonly header: string; readonly samples: readonly string[] }[];
  readonly fields: readonly {
    readonly field: string;
    readonly column?: number;
    readonly lacks?: string;
    readonly value?: string;
    readonly isRequired: boolean;
    readonly open?: readonly string[];
  }[];
  readonly missing: readonly string[];
}

const PLACES = [
  { name: 'SQLite', place: async () => undefined },
  { name: 'PostgreSQL', place: postgresPlace },
] as const;

describe.each(PLACES)('columns of a file matched at the console ($name)', ({ place }) => {
  let fixture: ImportFixture;
  let made: Awaited<ReturnType<typeof place>>;

  beforeEach(async () => {
    made = await place();
    fixture = await ImportFixture.open(made ? { ledger: made.url } : {});
  });

  afterEach(async () => {
    await fixture.close();
    await made?.remove();
  });

  const columns = async (body: object) =>
    (await fixture.ask('POST', '/columns', body)) as unknown as MatchedView;
  const filled = ({ fields }: MatchedView) =>
    Object.fromEntries(
      fields.flatMap(({ field, column, lacks }) =>
        column === undefined && lacks === undefined ? [] : [[field, column ?? lacks]],
      ),
    );

  it('have their samples and fields; renamed ones are matched, and what is read is what is planned and remembered', async () => {
    const { upload } = await fixture.upload('orders.csv', RENAMED);
    const job = { upload, name: 'orders.csv', job: 'orders.yaml' };
    const before = await columns(job);
    expect(before.columns).toMatchObject([
      { header: 'Order number', samples: ['SO-1', 'SO-2'] },
      { header: 'Client' },
      { header: 'Asset' },
      { header: 'Nodes' },
    ]);
    expect(filled(before)).toEqual({
      channelOrderId: 'Order',
      customerName: 'Customer',
      'assets.assetNos': 3,
      'assets.products.limitConcurrent': 4,
    });
    const matched = await columns({ ...job, matches: MATCHES });
    expect(filled(matched)).toMatchObject({ channelOrderId: 1, customerName: 2 });
    expect(matched).toMatchObject({ base: before.base, missing: [] });

    const created = await fixture.ask('POST', '/imports', { ...job, matches: MATCHES, base: before.base });
    expect(await fixture.checked(created.import)).toMatchObject({ counts: { valid: 2 }, guessed: true });
    const { run } = await fixture.ask('POST', `/imports/${created.import}/plan`);
    const original = await fixture.import('plain.csv', orderRows(2));
    const other = await fixture.ask('POST', `/imports/${original}/plan`);
    const [of, plain] = await Promise.all(
      [run, other.run].map(async (id) => (await fixture.console.ledger.runs.get(id))!),
    );
    expect(of!.job).toBe('orders');
    expect(of!.jobSha256).not.toBe(plain!.jobSha256);
    expect(of!.planHash).not.toBe(plain!.planHash);
    const [first] = await collect(fixture.console.ledger.plan.bodies(run));
    expect(JSON.stringify(first)).toContain('Customer 1');

    // The next file with the same headers starts from this match; another job, or a changed one, does not.
    const next = await fixture.upload('november.csv', RENAMED.replaceAll('SO-', 'SO-9'));
    const again = { upload: next.upload, name: 'november.csv', job: 'orders.yaml' };
    const remembered = await columns({ ...again, remember: true });
    expect(remembered.remembered).toMatchObject({ name: 'orders.csv' });
    expect(filled(remembered)).toEqual(filled(matched));
    expect((await columns(again)).remembered).toBeUndefined();
    const second = { ...again, remember: true, base: remembered.base };
    const repeated = await fixture.ask('POST', '/imports', second);
    expect(await fixture.checked(repeated.import)).toMatchObject({ counts: { valid: 2 } });
    await fixture.job('orders.yaml', `${orderJob()}connection: sandbox\ndescription: changed\n`);
    expect((await columns({ ...again, remember: true })).remembered).toBeUndefined();
    const stale = await fixture.ask('POST', '/imports', second);
    expect(stale).toMatchObject({ httpStatus: 409, code: 'imports.columns_changed' });
  });

  it('are saved as a copy of the job, without its schedule, and over nothing', async () => {
    const schedule = 'schedule: { cron: "0 2 * * *" }\n# The end of the job\n';
    await fixture.job('orders.yaml', `${orderJob()}connection: sandbox\n${schedule}`);
    const { upload } = await fixture.upload('orders.csv', RENAMED);
    const body = { upload, job: 'orders.yaml', matches: MATCHES };
    const taken = await fixture.ask('POST', '/jobs', { ...body, file: 'orders' });
    expect(taken).toMatchObject({ httpStatus: 409, code: 'imports.job_exists' });
    const saved = await fixture.ask('POST', '/jobs', { ...body, file: 'clients' });
    expect(saved).toMatchObject({ httpStatus: 201, file: 'jobs/clients.yaml' });
    const folder = path.join(fixture.console.folder, 'jobs');
    expect((await readdir(folder)).sort()).toEqual(['clients.yaml', 'orders.yaml']);
    const text = await readFile(path.join(folder, 'clients.yaml'), 'utf8');
    expect(text).toContain('each: [ Order number ]');
    expect(text).toContain('# The end of the job');
    expect(text).not.toContain('schedule');
    const id = await fixture.import('orders.csv', RENAMED, { job: 'clients.yaml' });
    expect(await fixture.checked(id)).toMatchObject({ counts: { valid: 2 }, guessed: false });
  });
});

describe('columns of a file', () => {
  let fixture: ImportFixture;

  beforeEach(async () => {
    fixture = await ImportFixture.open({
      settings:
        'version: 1\ndefaultConnection: trial\nconnections:\n  trial: { baseUrl: "http://127.0.0.1:9", appKey: A, token: { env: T } }\n',
    });
  });
  afterEach(() => fixture.close());

  const columns = async (body: object) =>
    (await fixture.ask('POST', '/columns', body)) as unknown as MatchedView;

  it('answer what a guess leaves open: a missing field, words with an unknown meaning, and dates', async () => {
    const sheet = 'Lock number,Wer,Was\n8100000001,Wang,ja\n8100000002,Li,ja\n';
    const { upload } = await fixture.upload('locks.csv', sheet);
    const guess = { upload, guess: true, operation: 'asset.lock' };
    const before = await columns(guess);
    expect(before).toMatchObject({ httpStatus: 200, connection: 'trial', operation: 'asset.lock' });
    const open = before.fields.filter(({ isRequired, column, value }) => isRequired && !column && !value);
    expect(open.map(({ field }) => field)).toEqual(['operatorIdentity']);
    // A variable of the console's environment is a text here.
    const variable = await columns({ ...guess, matches: [{ field: 'operatorIdentity', value: '${PATH}' }] });
    expect(variable.fields.find(({ field }) => field === 'operatorIdentity')?.value).toBe('${PATH}');
    const matches = [{ field: 'operatorIdentity', value: '007' }];
    const after = await columns({ ...guess, matches });
    expect(after.fields.find(({ field }) => field === 'operatorIdentity')).toMatchObject({ value: '007' });
    const created = await fixture.ask('POST', '/imports', { ...guess, matches, connection: 'sandbox' });
    expect(await fixture.checked(created.import)).toMatchObject({
      counts: { valid: 2 },
      connection: { name: 'sandbox' },
    });
  });

  it('with the number of the order group its rows in a guessed job', async () => {
    const sheet = '"Ref\nXYZ",Customer name,Lock number\nR1,Acme,8100000001\nR1,Acme,8100000002\n';
    const { upload } = await fixture.upload('orders.csv', sheet);
    const guess = { upload, guess: true, operation: 'order.new_buy' };
    const { yaml: before } = await fixture.ask('POST', '/columns', guess);
    expect(before).not.toContain('each');
    const matches = [{ field: 'channelOrderId', column: 'Ref\nXYZ' }];
    const { yaml } = await fixture.ask('POST', '/columns', { ...guess, matches });
    expect(yaml).toContain('channelOrderId: Ref XYZ');
    expect(yaml).toContain('each: [ Ref XYZ ]');
  });

  it('are matched separately if the job reads the same missing column for two fields', async () => {
    const job = `${orderJob()}connection: sandbox\n`.replace(
      'customerId: { value: C1 }',
      'customerId: Customer',
    );
    await fixture.job(
      'orders.yaml',
      job.replace('address: { value: Street 1 }', 'address: { template: "{Customer}" }'),
    );
    const { upload } = await fixture.upload(
      'a.csv',
      'Order,Id,Client,Asset,Nodes\nSO-1,C1,Customer 1,A1,5\n',
    );
    const matches = [
      { field: 'customerId', column: 'Id' },
      { field: 'customerName', column: 'Client' },
    ];
    const request = { upload, job: 'orders.yaml', matches };
    const { fields, missing } = await columns(request);
    const columnOf = (name: string) => fields.find(({ field }) => field === name)?.column;
    expect([columnOf('customerId'), columnOf('customerName'), missing]).toEqual([2, 3, []]);
    const created = await fixture.ask('POST', '/imports', request);
    expect(await fixture.checked(created.import)).toMatchObject({ counts: { valid: 1 } });
  });

  it('of several steps are matched in each of them, and the chosen connection is saved with the job', async () => {
    const steps = `version: 1
name: both
connection: sandbox
source: { file: a.csv }
steps:
  - name: lock
    operation: asset.lock
    when: row["Number"] != ""
    map: { assetNums: Number, operatorIdentity: Who }
  - name: unlock
    operation: asset.unlock
    map: { assetNums: Number, operatorIdentity: { value: Li } }
`;
    await fixture.job('both.yaml', steps);
    const { upload } = await fixture.upload('a.csv', 'Lock,Person\n8100000001,Wang\n');
    const matches = [
      { field: 'lock.assetNums', column: 'Lock' },
      { field: 'lock.operatorIdentity', column: 'Person' },
    ];
    const request = { upload, job: 'both.yaml', matches };
    const view = await columns(request);
    expect(view).toMatchObject({ httpStatus: 200, missing: [] });
    expect(view.fields.find(({ field }) => field === 'unlock.assetNums')?.column).toBe(1);
    const created = await fixture.ask('POST', '/imports', request);
    expect(await fixture.checked(created.import)).toMatchObject({ counts: { valid: 1 } });
    await fixture.ask('POST', '/jobs', { ...request, file: 'saved', connection: 'trial' });
    const saved = await readFile(path.join(fixture.console.folder, 'jobs', 'saved.yaml'), 'utf8');
    expect(saved).toContain('connection: trial');
    expect(saved).toContain('when: row["Lock"] != ""');
  });

  it('of a job that has no map are matched; a field or column that is not there is refused', async () => {
    await fixture.job(
      'locks.yaml',
      'version: 1\nname: locks\noperation: asset.lock\nsource: { file: a.csv }\n',
    );
    const { upload } = await fixture.upload('a.csv', 'assetNums,Wer\n8100000001,Wang\n');
    const job = { upload, job: 'locks.yaml', connection: 'sandbox' };
    const matches = [{ field: 'operatorIdentity', column: 'Wer' }];
    expect((await columns(job)).fields.filter((it) => it.column)).toMatchObject([{ field: 'assetNums' }]);
    const created = await fixture.ask('POST', '/imports', { ...job, matches });
    expect(await fixture.checked(created.import)).toMatchObject({ counts: { valid: 1 } });
    for (const wrong of [
      { field: 'nothing', value: '1' },
      { field: 'operatorIdentity', column: 'Nobody' },
    ])
      expect(await columns({ ...job, matches: [wrong] })).toMatchObject({
        httpStatus: 400,
        code: 'imports.cannot_match',
      });
  });
});
