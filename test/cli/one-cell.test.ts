import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Ended, licenseSync } from '../support/command.js';
import { FakePlatform, ordersDone } from '../support/fake-platform.js';
import { orderJob } from '../support/orders.js';

let folder: string;
let platform: FakePlatform;
const at = (name: string): string => path.join(folder, name);

/** 500 values; the expressions below go through them within each other, three deep. */
const LONG = Array.from({ length: 500 }, (_, i) => `A${i}`).join(';');
const macros = (list: string): string =>
  `${list}.exists(a, ${list}.exists(b, ${list}.exists(c, a + b + c == "never")))`;
const OF_ROW = macros('row["Notes"].split(";")');
const OF_RECORD = macros('record["name"].split(";")');

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'license-sync-cell-'));
  platform = await new FakePlatform(ordersDone).start();
  await writeFile(
    at('orders.csv'),
    `Order,Customer,Asset,Nodes,Notes\nSO-1,Li,A1,5,${LONG}\nSO-2,Wu,A2,5,short\n`,
  );
  await writeFile(at('names.csv'), `Customer,Name\nLi,${LONG}\nWu,short\n`);
});

afterEach(async () => {
  await platform.stop();
  await rm(folder, { recursive: true, force: true });
});

const command = (...args: string[]): Promise<Ended> => {
  const env = {
    LICENSE_SYNC_BASE_URL: platform.url,
    LICENSE_SYNC_TOKEN: 's3cret-token',
    LICENSE_SYNC_APP_KEY: 'app',
  };
  return licenseSync(args, { cwd: folder, env });
};

const source = (more: string): string =>
  orderJob().replace('source: { file: orders.csv }', `source:\n  file: orders.csv\n${more}`);
const customer = (leaf: string): string =>
  orderJob().replace('customerId: { value: C1 }', `customerId: ${leaf}`);
const lookup = (where: string): string =>
  customer(
    `{ lookup: enterprise.query, with: { channelCode: { value: CH }, channelCustomerId: Customer, defaultCustomer: { value: Y } }, where: '${where}', take: customerId, onNone: { value: C1 } }`,
  );
const steps = (when: string): string => {
  const [head = '', map = ''] = orderJob().split('map:\n');
  const indented = map.trimEnd().replaceAll(/^/gm, '    ');
  return `${head.replace('operation: order.new_buy\n', '')}steps:
  - name: order
    operation: order.new_buy
    when: '${when}'
    map:\n${indented}\n`;
};

/** Where a job has an expression. */
const PLACES: readonly (readonly [string, (expression: string) => string, string])[] = [
  ['where', (it) => source(`  where: '!(${it})'\n`), OF_ROW],
  ['until', (it) => source(`  until: '${it}'\n`), OF_ROW],
  ['expr', (it) => customer(`{ expr: '${it} ? "" : "C1"' }`), OF_ROW],
  ['when of a step', (it) => steps(`!(${it})`), OF_ROW],
  ['where of a lookup, over the row', (it) => lookup(`!(${it})`), OF_ROW],
  [
    'where of a lookup, over the record',
    (it) => lookup(`!(${it})`),
    OF_RECORD.replaceAll('name', 'enterpriseName'),
  ],
];

describe('a cell for which an expression takes too many steps is invalid, and no other row', () => {
  it.each(PLACES)('%s', async (_name, job, expression) => {
    platform.answer = (seen) => {
      const short = JSON.stringify(seen.body).includes('Wu') || seen.query.toString().includes('Wu');
      const key = { channelCode: 'CH', channelCustomerId: short ? 'Wu' : 'Li' };
      return {
        body: { code: 0, data: [{ ...key, customerId: 'C1', enterpriseName: short ? 'short' : LONG }] },
      };
    };
    await writeFile(at('job.yaml'), job(expression));
    const { code, stdout, stderr } = await command(
      'validate',
      'job.yaml',
      '--json',
      '--output',
      'checked.ndjson',
    );
    expect({ code, stderr }).toMatchObject({ code: 3 });
    expect(JSON.parse(stdout)).toMatchObject({ counts: { invalid: 1, valid: 1 } });
    const [first, second] = (await readFile(at('checked.ndjson'), 'utf8'))
      .trim()
      .split('\n')
      .map((it) => JSON.parse(it) as Record<string, unknown>);
    expect(first).toMatchObject({ row: 2, status: 'invalid' });
    const reported = String(first!['order.message'] ?? first!.message);
    expect(reported).toContain(expression);
    expect(reported).toMatch(/takes more than \d+ steps/);
    expect(second).toMatchObject({ row: 3, status: 'valid' });
  });

  it('when of a comparison’s action', async () => {
    await writeFile(
      at('job.yaml'),
      `version: 1
name: compare
reconcile: asset
source: { file: orders.csv }
key: { enterpriseGlobalId: { value: E1 }, assetNum: Asset }
expect: { locked: { value: false } }
actions:
  - on: missing
    when: '!(${OF_ROW})'
    operation: asset.lock
    map: { assetNums: Asset, operatorIdentity: { value: ops@example.com } }
`,
    );
    platform.answer = () => ({ body: { code: 0, data: [] } });
    const { stdout } = await command('reconcile', 'job.yaml', '--json', '--output', 'compared.ndjson');
    const lines = (await readFile(at('compared.ndjson'), 'utf8')).trim().split('\n');
    expect(lines[0], stdout).toContain('takes more than');
    expect(lines[0]).toContain(JSON.stringify(OF_ROW).slice(1, -1));
    expect(lines[1]).not.toContain('takes more than');
  });
});

describe('a pattern that matches() cannot have is an error of the job file', () => {
  it.each(PLACES)('%s', async (_name, job, expression) => {
    const column = expression.startsWith('record') ? 'record["enterpriseName"]' : 'row["Notes"]';
    await writeFile(at('job.yaml'), job(`${column}.matches("^(?=A)B")`));
    const { code, stderr } = await command('validate', 'job.yaml');
    expect({ code, stderr }).toMatchObject({ code: 2 });
    expect(stderr).toMatch(/job\.yaml:\d+:\d+ .*uses \(\?=: .*lookahead/);
    expect(platform.seen).toEqual([]);
  });
});
