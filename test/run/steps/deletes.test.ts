import { afterEach, beforeEach, expect, it } from 'vitest';
import { FakePlatform, ordersDone } from '../../support/fake-platform.js';
import { Fixture } from '../../support/job-runs.js';
import { orderJob, orderRows } from '../../support/orders.js';

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

/** Two steps that each revoke the assets of all rows, under order numbers of their own. */
function twice(): string {
  const map = (prefix: string): string => {
    const job = orderJob({
      operation: 'order.delete_asset',
      channelOrderId: `{ template: "${prefix}{Order}" }`,
    });
    return job.slice(job.indexOf('map:')).trimEnd().replaceAll('\n', '\n    ');
  };
  const step = (name: string): string =>
    `  - name: ${name}\n    operation: order.delete_asset\n    ${map(`${name}-`)}\n`;
  return `version: 1\nname: twice\nsource: { file: orders.csv }\nsteps:\n${step('one')}${step('two')}`;
}

it('maxDeletes holds for all steps together, before anything is sent', async () => {
  await fixture.file('orders.csv', orderRows(3));
  const job = await fixture.file('job.yaml', twice());
  const run = (maxDeletes: number) =>
    fixture.run(job, {
      connection: platform.connection(),
      set: [`safety.maxDeletes=${maxDeletes}`],
      parts: { confirm: true },
    });
  expect(await run(5)).toMatchObject({
    status: 'stopped',
    exitCode: 4,
    reason: { code: 'run.max_deletes', params: { count: 6, limit: 5 } },
  });
  expect(platform.seen).toHaveLength(0);
  expect(await run(6)).toMatchObject({ status: 'completed', counts: { succeeded: 3 } });
  expect(platform.seen).toHaveLength(6);
});
