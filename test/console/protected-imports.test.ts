import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { utils, write } from '@e965/xlsx';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { encrypted } from '../fixtures/encrypt.js';
import { ImportFixture } from '../support/imports.js';
import { orderJob, orderRows } from '../support/orders.js';

const PASSWORD = 'the-sheet-is-nobody-elses-business';
const [ROW, NODES] = [3, 4];

/** Orders as Excel and others write them; one has nodes that are no number. */
function book(bookType: 'xlsx' | 'ods'): Buffer {
  const lines = orderRows(5)
    .trim()
    .split('\n')
    .map((it) => it.split(','));
  lines[ROW - 1]![NODES - 1] = 'many';
  const workbook = utils.book_new();
  utils.book_append_sheet(workbook, utils.aoa_to_sheet(lines), 'Orders');
  return write(workbook, { type: 'buffer', bookType }) as Buffer;
}

const protectedBook = (): Buffer => encrypted(book('xlsx'), PASSWORD);

const PROTECTED_JOB = `${orderJob().replace('orders.csv }', 'orders.csv, password: { env: SHEET_PASSWORD } }')}connection: sandbox\n`;

let fixture: ImportFixture;

beforeEach(async () => {
  const env = { ...(process.env as Record<string, string>), SHEET_PASSWORD: PASSWORD };
  fixture = await ImportFixture.open({ env });
});

afterEach(() => fixture.close());

/** All files of the fixture's folder that hold a text. */
async function filesWith(text: string): Promise<readonly string[]> {
  const { folder } = fixture.console;
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((it) => it.isFile()).map((it) => path.join(it.parentPath, it.name));
  const found = await Promise.all(files.map(async (it) => (await readFile(it)).includes(text)));
  return files.filter((_, at) => found[at]);
}

describe('a workbook of another kind, or with a password', () => {
  /** Imports a file with one invalid cell, corrects it, and imports the corrected copy. */
  async function correct(name: string, bytes: Buffer): Promise<string> {
    await fixture.job('protected.yaml', PROTECTED_JOB);
    const id = await fixture.import(name, bytes, { job: 'protected.yaml' });
    expect((await fixture.checked(id)).counts).toEqual({ valid: 4, invalid: 1 });
    const typed = { cells: [{ row: ROW, column: NODES, text: '7' }] };
    const reported = await fixture.ask('POST', `/imports/${id}/corrections`, typed);
    expect(reported.rows.find((it) => it.row === ROW)).toMatchObject({ status: 'valid' });
    expect((await fixture.checked(id)).counts).toMatchObject({ valid: 5 });
    const copy = await fixture.send('GET', `/imports/${id}/corrected.xlsx`);
    expect(copy.headers.get('content-disposition')).toContain(`${path.parse(name).name}-corrected.xlsx`);
    const bytesOfCopy = new Uint8Array(await copy.arrayBuffer());
    const again = await fixture.import('corrected.xlsx', bytesOfCopy, { job: 'orders.yaml' });
    expect((await fixture.checked(again)).counts).toEqual({ valid: 5 });
    return id;
  }

  // test/source/other-files.test.ts reads each kind.
  it('is corrected at the console, and imported again from its corrected copy', async () => {
    await correct('orders.ods', book('ods'));
  });

  it('goes the whole way at the console, from its upload to its result', async () => {
    const id = await correct('orders.xlsx', protectedBook());
    const { run } = await fixture.ask('POST', `/imports/${id}/plan`);
    expect(
      (await fixture.ask('POST', `/plans/${run}/send`, { items: 5, connection: 'sandbox' })).httpStatus,
    ).toBe(202);
    await expect.poll(async () => (await fixture.ask('GET', `/runs/${run}`)).state).toBe('completed');
    const result = await fixture.send('GET', `/runs/${run}/result`);
    expect(result.status).toBe(200);
    const story = await (await fixture.send('GET', `/runs/${run}/rows/${ROW}`)).text();
    expect(story).toContain('Customer 2');
    expect(await filesWith(PASSWORD)).toEqual([]);
  });

  it('is guessed at with the password that a job names, and the guess names the same place', async () => {
    await fixture.job('protected.yaml', PROTECTED_JOB);
    const { upload } = await fixture.upload('orders.xlsx', protectedBook());
    const guess = await fixture.ask('POST', '/columns', { upload, guess: true, operation: 'order.new_buy' });
    expect(guess.detail).toBeUndefined();
    expect(guess.yaml).toContain('password: { env: "SHEET_PASSWORD" }');
    expect(guess.yaml).not.toContain(PASSWORD);
  });

  it('is refused where no job knows the password, with what to do, and leaves nothing', async () => {
    const reported = await fixture.upload('orders.xlsx', protectedBook());
    expect(reported).toMatchObject({ httpStatus: 400, code: 'imports.encrypted' });
    expect(reported.detail).toMatch(/source\.password .*where the console runs.*Protect Workbook/);
    await fixture.job('protected.yaml', PROTECTED_JOB);
    const other = await fixture.upload('orders.xlsx', encrypted(book('xlsx'), 'another'));
    expect(other).toMatchObject({ httpStatus: 400, code: 'imports.encrypted' });
    expect(other.others?.join()).toContain('SHEET_PASSWORD');
    expect(
      await readdir(path.join(fixture.console.folder, '.license-sync', 'inputs')).catch(() => []),
    ).toEqual([]);
    // A job that names none reports it at the check.
    const id = await fixture.import('orders.xlsx', protectedBook(), { job: 'orders.yaml' });
    expect((await fixture.checked(id)).failure).toMatchObject({ code: 'source.xlsx_encrypted' });
    expect(await filesWith(PASSWORD)).toEqual([]);
  });
});
