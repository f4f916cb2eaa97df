import { createHash } from 'node:crypto';
import { chmodSync, copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { failureOf } from '../../src/app/failure.js';
import { openSource } from '../../src/source/open-source.js';
import { encrypted } from '../fixtures/encrypt.js';
import { FakePlatform, ordersDone } from '../support/fake-platform.js';
import { Fixture } from '../support/job-runs.js';
import { orderJob } from '../support/orders.js';
import { book } from './order-files.js';

const MADE = path.join(import.meta.dirname, '../fixtures/other-files');
const PASSWORD = 'geheim-密码-4711';
const VARIABLE = 'ORDERS_PASSWORD';

let fixture: Fixture;
let platform: FakePlatform;
beforeEach(async () => {
  fixture = await Fixture.open();
  platform = await new FakePlatform(ordersDone).start();
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await platform.stop();
  await fixture.close();
});

const job = (password: string): string =>
  orderJob().replace('file: orders.csv', `file: orders.csv, password: ${password}`);

/** What a run of the encrypted orders comes to: its end, or what a person is shown. */
async function run(password: string, bytes = encrypted(book(), PASSWORD)): Promise<unknown> {
  const input = await fixture.file('secret.xlsx', bytes);
  const jobFile = await fixture.file('job.yaml', job(password));
  return fixture.run(jobFile, { input, connection: platform.connection() }).catch((error: unknown) => {
    const { text, others, exitCode } = failureOf(error, 'en');
    return { reported: [text, ...others].join('\n'), exitCode };
  });
}

/** All files below a folder, as one. */
function everything(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((it) => it.isFile())
    .map((it) => readFileSync(path.join(it.parentPath, it.name), 'latin1'))
    .join('');
}

describe('orders in a workbook with a password', () => {
  it('are sent; neither the password nor a decrypted copy stays anywhere', async () => {
    vi.stubEnv(VARIABLE, PASSWORD);
    const bytes = encrypted(book(), PASSWORD);
    const end = (await run(`{ env: ${VARIABLE} }`, bytes)) as { run: string };
    expect(end).toMatchObject({ counts: { succeeded: 3 }, exitCode: 0 });
    expect(platform.seen).toHaveLength(3);
    const kept = await fixture.ledger.runs.get(end.run);
    expect(kept?.inputSha256).toBe(createHash('sha256').update(bytes).digest('hex'));
    const all = everything(fixture.folder);
    expect(all).toContain(VARIABLE);
    expect(all).not.toContain(Buffer.from(PASSWORD).toString('latin1'));

    // The kept input is the file as it is stored.
    expect(all.split(bytes.toString('latin1')).length).toBeGreaterThan(2);
  });

  it('are read with a password from a file that is ours alone', async () => {
    const file = path.join(fixture.folder, 'password');
    writeFileSync(file, `${PASSWORD}\n`, { mode: 0o600 });
    expect(await run('{ file: password }')).toMatchObject({ counts: { succeeded: 3 } });
    chmodSync(file, 0o644);
    expect(await run('{ file: password }')).toMatchObject({ exitCode: 2, reported: /chmod 600/ });
  });

  it.each([
    ['a wrong password', 'something else', /ORDERS_PASSWORD \(source\.password\)/],
    ['no password', '', /source\.password.*ORDERS_PASSWORD, which is not set/],
  ])('are refused with %s, which is not shown', async (_, value, reported) => {
    vi.stubEnv(VARIABLE, value);
    const end = (await run(`{ env: ${VARIABLE} }`)) as { reported: string; exitCode: number };
    expect(end.exitCode).toBe(2);
    expect(end.reported).toMatch(reported);
    expect(end.reported).not.toContain('something else');
    expect(everything(fixture.folder)).not.toContain('something else');
    expect(platform.seen).toHaveLength(0);
  });

  it('are refused where the encrypted content was altered', async () => {
    vi.stubEnv(VARIABLE, PASSWORD);
    const bytes = encrypted(book(), PASSWORD);
    bytes[bytes.length - 700]! ^= 1;
    expect(await run(`{ env: ${VARIABLE} }`, bytes)).toMatchObject({ exitCode: 3, reported: /altered/ });
  });

  it('need the place of the password, not the password itself', async () => {
    expect(await run('hunter2hunter2')).toMatchObject({
      exitCode: 2,
      reported: expect.not.stringContaining('hunter2hunter2'),
    });
  });
});

describe('workbooks that other programs encrypted', () => {
  it.each([
    ['agile-libreoffice.xlsx', 'пароль', 'Кириллица'],
    ['standard-excel.xlsx', 'password', 'Password: password'],
  ])('%s', async (file, password, first) => {
    vi.stubEnv(VARIABLE, password);
    const copy = path.join(fixture.folder, `${file}.dat`);
    copyFileSync(path.join(MADE, file), copy);
    const source = await openSource(copy, { password: { kind: 'env', name: VARIABLE } });
    for await (const [row] of source.rows(source.sheets[0]!)) expect(row?.cell(1)?.text).toBe(first);
    await source.close();
  });
});
