import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ImportFixture } from '../support/imports.js';
import { orderRows } from '../support/orders.js';

/** Loaded by each process of the console's: a child notes that it began, and dies while the file `deadly` is there. */
const PRELOADED = `
const fs = require('node:fs');
const path = require('node:path');
if (/child\\.cjs$/.test(process.argv[1] ?? '') && fs.existsSync(path.join(__dirname, 'deadly'))) {
  fs.appendFileSync(path.join(__dirname, 'begun'), 'x');
  process.kill(process.pid, 'SIGKILL');
}
`;

describe('a check whose process dies before it can say anything', () => {
  let fixture: ImportFixture;
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'deaths-'));
    const preloaded = path.join(folder, 'preloaded.cjs');
    await writeFile(preloaded, PRELOADED);
    const env = { ...process.env, NODE_OPTIONS: `--require ${preloaded}` } as Record<string, string>;
    fixture = await ImportFixture.open({ env });
  });

  afterEach(async () => {
    await fixture.close();
    await rm(folder, { recursive: true });
  });

  const begun = async () => (await readFile(path.join(folder, 'begun'), 'utf8')).length;

  it('is begun three times, then failed with what happened, until a user has it checked again', async () => {
    await writeFile(path.join(folder, 'deadly'), '');
    const id = await fixture.import('orders.csv', orderRows(2));
    const failed = await fixture.checked(id);
    expect(failed).toMatchObject({ state: 'failed', failure: { code: 'imports.check_died' } });
    expect(failed.failure.text).toContain('SIGKILL');
    expect(await begun()).toBe(3);
    for (let looks = 0; looks < 5; looks += 1) await fixture.checked(id);
    expect(await begun()).toBe(3);
    await rm(path.join(folder, 'deadly'));
    await fixture.ask('POST', `/imports/${id}/check`, {});
    expect(await fixture.checked(id)).toMatchObject({ state: 'checked', counts: { valid: 2 } });
  });

  it('ends the same way where it was corrected since its last check', async () => {
    const id = await fixture.import('orders.csv', orderRows(2));
    await fixture.checked(id);
    await writeFile(path.join(folder, 'deadly'), '');
    await fixture.ask('POST', `/imports/${id}/corrections`, { cells: [{ row: 3, column: 4, text: 'many' }] });
    expect(await fixture.checked(id)).toMatchObject({ state: 'failed', corrections: { cells: 1 } });
    expect(await begun()).toBe(3);
  });
});
