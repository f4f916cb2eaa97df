import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ImportFixture } from '../support/imports.js';
import { orderRows } from '../support/orders.js';

const SHEET = orderRows(3);

describe('uploads', () => {
  let fixture: ImportFixture;

  beforeEach(async () => {
    fixture = await ImportFixture.open();
  });

  afterEach(() => fixture.close());

  const state = (folder: string): Promise<readonly string[]> =>
    readdir(path.join(fixture.console.folder, '.license-sync', folder)).catch(() => []);

  it('are taken in with their sheets', async () => {
    const reported = await fixture.upload('orders.csv', SHEET);
    expect(reported).toMatchObject({ httpStatus: 201, name: 'orders.csv', size: SHEET.length });
    expect(reported.sheets).toEqual([{ name: 'orders', hidden: false }]);
    expect(await state('uploads')).toEqual([]);
    const book = await readFile('templates/order.new_buy.xlsx');
    const { sheets } = await fixture.upload('订单 模板.xlsx', book);
    expect(sheets.length).toBeGreaterThan(1);
  });

  it.each([
    ['report.pdf', '%PDF-1.7\n%âãÏÓ\n'],
    ['orders.xlsx', '%PDF-1.7\n'],
    ['picture.png', '\u0089PNG\r\n\u001a\n'],
    ['orders.xlsx', '<!DOCTYPE html><html><body><table></table></body></html>'],
    ['orders.html', '<html></html>'],
    ['letter.doc', Buffer.from('d0cf11e0a1b11ae10000', 'hex')],
    ['archive.zip', Buffer.from('504b0506000000000000000000000000000000000000', 'hex')],
    ['orders.xlsx', ''],
    ['orders.csv', ''],
    ['orders.csv', 'a\u0000b,c\u0000\n1,2\n'],
    ['script.exe', 'MZ\u0090\u0000'],
  ])('of what is no spreadsheet are refused with a message, and leave nothing: %s', async (name, content) => {
    const reported = await fixture.upload(name, content);
    expect([400, 422]).toContain(reported.httpStatus);
    expect(reported.detail.length).toBeGreaterThan(20);
    expect(reported.detail).not.toContain(fixture.console.folder);
    expect(await state('uploads')).toEqual([]);
    expect(await state('inputs')).toEqual([]);
  });

  it.each([
    ['../../../etc/passwd.csv', 'passwd.csv'],
    ['C:\\Users\\wang\\orders.csv', 'orders.csv'],
    ['..', undefined],
    ['or\u202egnp\u0000\u001bders.csv', 'orgnpders.csv'],
    [`${'x'.repeat(400)}.csv`, `${'x'.repeat(60)}.csv`],
    ['con.csv', '_con.csv'],
    ['.csv', undefined],
  ])('are named plainly, wherever the name would lead: %s', async (sent, name) => {
    const reported = await fixture.upload(sent, SHEET);
    if (name === undefined) expect(reported.httpStatus).toBe(400);
    else expect(reported.name).toBe(name);
    expect(await state('uploads')).toEqual([]);
  });

  it('that are too large are refused when the limit is passed, whatever they say', async () => {
    const limit = 200 * 1024 ** 2;
    let sent = 0;
    const chunk = new Uint8Array(1 << 20).fill(0x61);
    const endless = new ReadableStream({
      pull(controller) {
        sent += chunk.length;
        controller.enqueue(chunk);
        if (sent > limit * 2) controller.close();
      },
    });
    const reported = await fixture
      .upload('orders.csv', endless, { duplex: 'half' } as RequestInit)
      .catch(() => ({ httpStatus: 413 }));
    expect(reported.httpStatus).toBe(413);
    expect(sent).toBeLessThan(limit * 1.5);
    await expect.poll(() => state('uploads')).toEqual([]);
    expect(await state('inputs')).toEqual([]);
  });

  it('that break off leave nothing', async () => {
    const given = new AbortController();
    let pulled = 0;
    const body = new ReadableStream({
      async pull(controller) {
        pulled += 1;
        controller.enqueue(new TextEncoder().encode(SHEET));
        if (pulled === 3) given.abort();
        await new Promise((resolve) => setTimeout(resolve, 20));
      },
    });
    await expect(
      fixture.upload('orders.csv', body, { duplex: 'half', signal: given.signal } as RequestInit),
    ).rejects.toThrow();
    await expect.poll(() => state('uploads')).toEqual([]);
    expect(await state('inputs')).toEqual([]);
  });

  it('come slowly, and several at a time', async () => {
    const slow = (text: string) =>
      new ReadableStream({
        async start(controller) {
          for (let at = 0; at < text.length; at += 20) {
            controller.enqueue(new TextEncoder().encode(text.slice(at, at + 20)));
            await new Promise((resolve) => setTimeout(resolve, 10));
          }
          controller.close();
        },
      });
    const texts = [1, 2, 3].map((it) => orderRows(20, it * 100));
    const reported = await Promise.all(
      texts.map((text, at) => fixture.upload(`${at}.csv`, slow(text), { duplex: 'half' } as RequestInit)),
    );
    expect(reported.map((it) => it.size)).toEqual(texts.map((it) => it.length));
    expect(new Set(reported.map((it) => it.upload)).size).toBe(3);
  });

  it('are guessed at; the guess is saved by an act of its own, and over nothing', async () => {
    const { upload } = await fixture.upload('orders.csv', SHEET);
    const request = { upload, guess: true, operation: 'order.new_buy' };
    const guess = await fixture.ask('POST', '/columns', request);
    expect(guess.httpStatus).toBe(200);
    expect(guess.yaml).toContain('file: "../orders.csv"');
    const made = await fixture.ask('POST', '/imports', request);
    await fixture.checked(made.import);
    expect(await readdir(path.join(fixture.console.folder, 'jobs'))).toEqual(['orders.yaml']);
    const taken = await fixture.ask('POST', `/imports/${made.import}/job`, { name: 'orders' });
    expect(taken).toMatchObject({ httpStatus: 409, code: 'imports.job_exists' });
    expect((await fixture.ask('POST', `/imports/${made.import}/job`, { name: '../x' })).httpStatus).toBe(400);
    const saved = await fixture.ask('POST', `/imports/${made.import}/job`, { name: 'mine' });
    expect(saved).toMatchObject({ httpStatus: 201, file: 'jobs/mine.yaml' });
    expect(await fixture.ask('GET', `/imports/${made.import}`)).toMatchObject({ job: 'jobs/mine.yaml' });
  });
});
