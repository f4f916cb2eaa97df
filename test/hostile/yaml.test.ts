import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { failureOf } from '../../src/app/failure.js';
import { FakePlatform, ordersDone } from '../support/fake-platform.js';
import { Fixture } from '../support/job-runs.js';
import { orderJob } from '../support/orders.js';
import { csv } from './order-files.js';

let fixture: Fixture;
let platform: FakePlatform;

beforeAll(async () => {
  fixture = await Fixture.open();
  platform = await new FakePlatform(ordersDone).start();
  await fixture.file('orders.csv', csv());
});

afterAll(async () => {
  await platform.stop();
  await fixture.close();
});

const BOMB = Array.from({ length: 12 }, (_, level) => {
  const before = Array<string>(9).fill(level === 0 ? 'x' : `*l${level - 1}`);
  return `l${level}: &l${level} [${before.join(', ')}]`;
}).join('\n');

/** [title, job file, line and code of the first problem] */
const REFUSED_JOBS: readonly (readonly [title: string, yaml: string, place: RegExp])[] = [
  [
    'a custom tag',
    orderJob().replace('name: orders', 'name: !exec orders'),
    /job\.yaml:2:\d+ job\.custom_tag/,
  ],
  [
    'a tag of another language',
    `${orderJob()}description: !!python/object:os.system ls\n`,
    /:\d+:\d+ job\.custom_tag/,
  ],
  ['a bomb of aliases', `${BOMB}\n${orderJob()}`, /job\.yaml:\d+:\d+ job\.too_many_aliases/],
  ['an alias within its own anchor', `${orderJob()}run: &r { retries: *r }\n`, /job\.alias_cycle/],
  ['a key twice', `${orderJob()}name: other\n`, /job\.yaml:\d+:1 job\.duplicate_key/],
  [
    'a key twice within the map',
    orderJob().replace('assetNos: Asset', 'assetNos: Asset\n      "assetNos": Other'),
    /job\.duplicate_key/,
  ],
  ['a key that reaches for a prototype', `${orderJob()}__proto__: { polluted: true }\n`, /job\.unknown_key/],
  [
    'a field that reaches for a prototype',
    orderJob().replace('customerName: Customer', '__proto__: Customer'),
    /job\.\w+.*__proto__/,
  ],
];

describe('a job file that is refused sends nothing and says where', () => {
  it.each(REFUSED_JOBS)('%s', async (_, yaml, place) => {
    const job = await fixture.file('job.yaml', yaml);
    for (const dryRun of [true, false]) {
      const error = await fixture.run(job, { dryRun, connection: platform.connection() }).then(
        (end) => end,
        (reason: unknown) => reason,
      );
      const failure = failureOf(error, 'en');
      expect(failure.exitCode, failure.text).toBe(2);
      expect(failure.text).toMatch(place);
    }
    expect(platform.seen).toHaveLength(0);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    expect(await fixture.ledger.runs.list(1)).toEqual([]);
  });
});
