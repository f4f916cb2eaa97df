import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/model/json.js';
import type { RunEnd } from '../../src/run/run-end.js';
import { FakePlatform, ordersDone } from '../support/fake-platform.js';
import { Fixture } from '../support/job-runs.js';
import { orderJob } from '../support/orders.js';
import { readSheet } from '../support/read-sheet.js';

let fixture: Fixture;
let platform: FakePlatform;

beforeEach(async () => {
  fixture = await Fixture.open();
  platform = await new FakePlatform(ordersDone).start();
});

afterEach(async () => {
  await platform.stop();
  await fixture.close();
});

const HEADER = 'Order,Customer,Asset,Nodes,Take';
const line = (order: number, asset: string, take = ''): string =>
  `SO-${order},Customer ${order},${asset},5,${take}`;
/** More than the plan writes at once. */
const MANY = Array.from({ length: 600 }, (_, index) => index + 1);

async function planned(lines: readonly string[], job = orderJob(), warned: string[] = []): Promise<RunEnd> {
  await fixture.file('orders.csv', `${[HEADER, ...lines].join('\n')}\n`);
  const warn = ({ code, params }: { code: string; params: object }): void => {
    warned.push(`${code} ${Object.values(params).join(' ')}`);
  };
  return fixture.run(await fixture.file('job.yaml', job), {
    dryRun: true,
    extension: '.csv',
    connection: platform.connection(),
    parts: { observer: { started() {}, paused() {}, progress() {}, warn } },
  });
}

/** Customer and locks of each order that would be sent, in order. */
async function orders(end: RunEnd): Promise<string[]> {
  const found: string[] = [];
  for await (const { item, body } of fixture.ledger.plan.bodies(end.run)) {
    const { customerName, assets } = body as { customerName: string; assets: readonly JsonObject[] };
    found.push(`${item} ${customerName} ${assets.map((it) => it.assetNos).join('+')}`);
  }
  return found;
}

describe('an order whose rows stand far apart', () => {
  it('is one order, at the place of its first row, and nothing is left of what was planned before', async () => {
    const end = await planned([...MANY.map((it) => line(it, `A${it}`)), line(1, 'B1'), line(600, 'B600')]);
    expect(end).toMatchObject({ rows: 602, items: 600, counts: { valid: 602 } });
    expect(await orders(end)).toEqual([
      '1 Customer 1 A1+B1',
      ...MANY.slice(1, -1).map((it) => `${it} Customer ${it} A${it}`),
      '600 Customer 600 A600+B600',
    ]);
    const results = await readSheet(end.output ?? '');
    expect(results.map((it) => Number(it.row))).toEqual(Array.from({ length: 602 }, (_, index) => index + 2));
  });

  it('is reported once: verdicts, warnings of the file, of rows and of hidden ones', async () => {
    const job = orderJob().replace('orders.csv }', `orders.csv, where: 'row["Take"] != "no"' }`);
    const lines = [line(1, 'A1'), line(1, 'A1'), line(2, 'A2', 'no'), line(3, 'A3'), line(4, 'A4')];
    const apart: string[] = [];
    const end = await planned([...lines, 'SO-3,Customer 3,,,', line(1, 'A9')], job, apart);
    expect(end).toMatchObject({ rows: 7, items: 3, counts: { valid: 6, skipped: 1 } });
    expect(apart.filter((it) => it.startsWith('mapping.rows_agree'))).toEqual([
      'mapping.rows_agree orders 2, 3',
    ]);
    const [, , skipped] = await readSheet(end.output ?? '');
    expect(skipped).toMatchObject({ row: '4', status: 'skipped' });
    expect(skipped?.message?.match(/where/g) ?? []).toHaveLength(1);
  });

  it('does not find its own sequence in what was thrown away', async () => {
    const job = orderJob({ channelOrderId: '{ value: B1 }' })
      .replace('    each: [Order]\n', '    each: [Order]\n    sequence: Nodes\n')
      .replace('limitConcurrent: Nodes', 'limitConcurrent: { value: 5 }');
    const numbered = [1, 2, 3, 1].map((it, index) => line(it, `A${index}`).replace(',5,', `,${it},`));
    expect(await planned(numbered, `${job}batch: { size: 10 }\n`)).toMatchObject({ counts: { valid: 4 } });
  });

  it('is sent together where rows between its own are skipped', async () => {
    const job = orderJob().replace('orders.csv }', `orders.csv, where: 'row["Take"] != "no"' }`);
    const end = await planned([line(1, 'A1'), line(2, 'A2', 'no'), line(1, 'A3')], job);
    expect(await orders(end)).toEqual(['1 Customer 1 A1+A3']);
  });
});
