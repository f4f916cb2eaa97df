import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startConsole } from '../support/console.js';
import { ImportFixture } from '../support/imports.js';
import { orderJob, orderRows } from '../support/orders.js';

describe('an import whose check failed, or is behind', () => {
  let fixture: ImportFixture;

  beforeEach(async () => {
    fixture = await ImportFixture.open();
  });

  afterEach(() => fixture.close());

  it('is checked by a job that then sends nothing, and says why', async () => {
    const sent = await fixture.import('orders.csv', orderRows(2));
    const { run } = await fixture.ask('POST', `/imports/${sent}/plan`);
    await fixture.ask('POST', `/plans/${run}/send`, { items: 2, connection: 'sandbox' });
    await expect.poll(async () => (await fixture.ask('GET', `/runs/${run}`)).state).toBe('completed');
    await fixture.job('once.yaml', `${orderJob()}connection: sandbox\nsafety: { duplicates: abort }\n`);
    const id = await fixture.import('orders.csv', orderRows(2), { job: 'once.yaml' });
    const now = await fixture.checked(id);
    expect(now).toMatchObject({ state: 'checked', counts: { skipped: 2 } });
    expect((now as unknown as { warnings: string[] }).warnings.join()).toContain(run);
  });

  it('stays as it is when no plan can be made of it', async () => {
    const id = await fixture.import('orders.csv', orderRows(2));
    const job = path.join(fixture.console.folder, 'jobs/orders.yaml');
    const good = await readFile(job, 'utf8');
    await writeFile(job, `${good}nonsense: 1\n`);
    expect(await fixture.ask('POST', `/imports/${id}/plan`)).toMatchObject({
      httpStatus: 400,
      code: 'job.unknown_key_far',
    });
    await writeFile(job, good);
    expect(await fixture.checked(id)).toMatchObject({ state: 'checked', counts: { valid: 2 } });
  });

  it('is checked again, with its corrections, when its job is fixed', async () => {
    const id = await fixture.import('orders.csv', orderRows(2));
    const job = path.join(fixture.console.folder, 'jobs/orders.yaml');
    const good = await readFile(job, 'utf8');
    await writeFile(job, `${good}nonsense: 1\n`);
    await fixture.ask('POST', `/imports/${id}/corrections`, { cells: [{ row: 3, column: 4, text: 'many' }] });
    expect(await fixture.checked(id)).toMatchObject({ state: 'failed', corrections: { cells: 1 } });
    await writeFile(job, good);
    await fixture.ask('POST', `/imports/${id}/check`, {});
    expect(await fixture.checked(id)).toMatchObject({ state: 'checked', counts: { valid: 1, invalid: 1 } });
  });

  it('is checked as a whole by the next console where the one that was to do it was killed', async () => {
    const id = await fixture.import('orders.csv', orderRows(3));
    // Rows 2 and 4 are of one order now, which only the whole check sees.
    await fixture.ask('POST', `/imports/${id}/corrections`, { cells: [{ row: 4, column: 1, text: 'SO-1' }] });
    await fixture.console.served.close();
    const place = path.join(fixture.console.folder, '.license-sync/ledger.db');
    const next = await startConsole({ env: process.env as Record<string, string>, ledger: place });
    try {
      const cookie = await next.signIn();
      const ask = async () => (await next.ask(`/api/v1/imports/${id}`, { headers: { cookie } })).json();
      expect(await ask()).toMatchObject({ checkingAgain: true });
      await expect.poll(ask).toMatchObject({ checkingAgain: false, counts: { invalid: 2, valid: 1 } });
    } finally {
      await next.close();
    }
  });
});
