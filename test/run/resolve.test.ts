import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { render, renderText } from '../../src/errors/message.js';
import type { Resolution } from '../../src/ledger/contract/resolutions.js';
import { scopeOf } from '../../src/ledger/rules/scopes.js';
import { takeLock } from '../../src/ledger/take-lock.js';
import type { JsonObject } from '../../src/model/json.js';
import { SILENT } from '../../src/run/observer.js';
import { exportResult } from '../../src/run/report/export-result.js';
import { readResolutions } from '../../src/run/resolve/resolutions-file.js';
import type { RowResolution } from '../../src/run/resolve/resolve.js';
import { resolveRows, verifyRun } from '../../src/run/resolve/resolve-run.js';
import { retryRun } from '../../src/run/retry.js';
import type { RunEnd } from '../../src/run/run-end.js';
import { resumeRun } from '../../src/run/start-run.js';
import { systemClock } from '../../src/util/clock.js';
import { StopSignal } from '../../src/util/stop-signal.js';
import { type Answer, FakePlatform, ordersDone, type Seen } from '../support/fake-platform.js';
import { Fixture } from '../support/job-runs.js';
import { orderJob, orderRows } from '../support/orders.js';
import { readSheet } from '../support/read-sheet.js';

let fixture: Fixture;
let platform: FakePlatform;

beforeEach(async () => {
  fixture = await Fixture.open();
  platform = await new FakePlatform(ordersDone).start();
  vi.stubEnv('RESOLVE_TOKEN', 's3cret-token');
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await platform.stop();
  await fixture.close();
});

const MINUTE = 60_000;
const connection = () => platform.connection({ token: { kind: 'env', name: 'RESOLVE_TOKEN' } });
const paths = (): string[] => platform.seen.map((it) => it.path);

/** Orders of a cloud type, those with 5 nodes at enterprise E1, the others at E2. */
const CLOUD = orderJob()
  .replace('normal_recover_usbkey', 'cloud_account')
  .replace('{ value: E1 }', `{ expr: 'row["Nodes"] == "5" ? "E1" : "E2"' }`);

async function run(rows: string, job = orderJob(), set: readonly string[] = []): Promise<RunEnd> {
  await fixture.file('orders.csv', rows);
  const file = await fixture.file('job.yaml', job);
  return fixture.run(file, { connection: connection(), set: ['run.timeout=2s', 'run.retries=0', ...set] });
}

/** A run of which no order's fate is known. */
async function unknownRun(rows: string, job = orderJob(), set: readonly string[] = []): Promise<RunEnd> {
  platform.answer = () => 'reset';
  const end = await run(rows, job, set);
  expect(end.exitCode).toBe(6);
  platform.answer = ordersDone;
  platform.seen.length = 0;
  return end;
}

const parts = (minutes = 0) => ({
  ledger: fixture.ledger,
  stateFolder: fixture.folder,
  who: 'wang',
  clock: { ...systemClock, now: () => Date.now() + minutes * MINUTE },
});

async function settle(id: string, known: RowResolution, note?: string) {
  const given = note === undefined ? {} : { note };
  return resolveRows({ ...parts(), ...given }, (await fixture.ledger.runs.get(id))!, [known]);
}

async function verify(id: string, minutes = 30, row?: number) {
  return verifyRun(
    parts(minutes),
    (await fixture.ledger.runs.get(id))!,
    connection(),
    row === undefined ? undefined : [[row, row]],
  );
}

const audit = (id: string): Promise<readonly Resolution[]> => fixture.ledger.resolutions.list(id);

describe('resolving a row manually', () => {
  it('as succeeded: the row shows it, and running the file again skips it', async () => {
    const first = await unknownRun(orderRows(2));
    const known = { row: 2, as: 'succeeded', licenseOrderId: 'LO-77' } as const;
    expect(await settle(first.run, known, 'seen in the portal')).toEqual({
      settled: [{ rows: [2], to: 'succeeded', licenseOrderId: 'LO-77', evidence: 'seen in the portal' }],
      left: [],
    });
    expect(await audit(first.run)).toMatchObject([
      { rows: [2], who: 'wang', how: 'operator', from: 'unknown', to: 'succeeded', licenseOrderId: 'LO-77' },
    ]);
    const stored = await fixture.ledger.runs.get(first.run);
    const output = await exportResult(
      { ledger: fixture.ledger, language: 'en', observer: SILENT },
      stored!,
      `${fixture.folder}/again.csv`,
    );
    const [line] = await readSheet(output);
    expect(line).toMatchObject({ status: 'succeeded', licenseOrderId: 'LO-77' });
    expect(line?.message).toMatch(/resolved by wang on [-\d]+ [\d:]+ Asia\/Shanghai: seen in the portal/);
    const again = await run(orderRows(1));
    expect(again).toMatchObject({ counts: { skipped: 1 }, requests: 0, exitCode: 0 });
  });

  it('as failed: running the file again sends it, and so does a retry', async () => {
    const first = await unknownRun(orderRows(2));
    await settle(first.run, { row: 2, as: 'failed' });
    await settle(first.run, { row: 3, as: 'failed' });
    expect(await run(orderRows(1))).toMatchObject({ counts: { succeeded: 1 }, requests: 1 });
    const parent = await fixture.ledger.runs.get(first.run);
    const retried = await retryRun(fixture.parts(), parent!, {
      include: new Set(),
      connection: connection(),
      change: (it) => it,
    });
    expect(retried).toMatchObject({ counts: { skipped: 1, succeeded: 1 } });
    expect(platform.seen.map((it) => it.body.channelOrderId)).toEqual(['SO-1', 'SO-2']);
  });

  it('resolves all rows of an order by any of them', async () => {
    const first = await unknownRun('Order,Customer,Asset,Nodes\nSO-1,C,A1,5\nSO-2,C,A2,5\nSO-1,C,A3,5\n');
    expect((await settle(first.run, { row: 4, as: 'failed' })).settled).toMatchObject([{ rows: [2, 4] }]);
    expect(await fixture.ledger.runs.counts(first.run)).toEqual({ failed: 2, unknown: 1 });
  });

  it('refuses a row that is not unknown, saying what it is, and one that is not there', async () => {
    const first = await run(orderRows(2));
    await expect(settle(first.run, { row: 3, as: 'failed' })).rejects.toMatchObject({
      kind: 'usage',
      detail: { code: 'resolve.not_unknown', params: { row: 3, status: 'succeeded' } },
    });
    await expect(settle(first.run, { row: 40, as: 'failed' })).rejects.toMatchObject({
      detail: { code: 'explain.no_such_row', params: { row: 40, nearest: '2, 3' } },
    });
    expect(await audit(first.run)).toEqual([]);
  });

  it('resolves several rows and the unknown rows of a range at once', async () => {
    const first = await unknownRun(orderRows(8));
    const stored = (await fixture.ledger.runs.get(first.run))!;
    await settle(first.run, { row: 5, as: 'succeeded', licenseOrderId: 'LO-5' });
    const recorded: string[] = [];
    const resolved = await resolveRows(
      { ...parts(), record: async () => void recorded.push('once') },
      stored,
      [
        { row: 2, as: 'failed' },
        { rows: [4, 6], as: 'failed' },
        { row: 6, as: 'failed' },
        { rows: [8, 500], as: 'failed', note: 'from the portal' },
      ],
    );
    expect(resolved.settled.map((it) => it.rows)).toEqual([[2], [4], [6], [8], [9]]);
    expect(recorded).toEqual(['once']);
    // A row of the range that was resolved before stays as it is.
    expect(await fixture.ledger.runs.counts(first.run)).toEqual({ failed: 5, succeeded: 1, unknown: 2 });
    expect((await audit(first.run)).at(-1)).toMatchObject({ rows: [9], evidence: 'from the portal' });
  });

  it('resolves none, and records nothing, if one of them is refused', async () => {
    const first = await unknownRun('Order,Customer,Asset,Nodes\nSO-1,C,A1,5\nSO-1,C,A2,5\nSO-2,C,A3,5\n');
    const stored = (await fixture.ledger.runs.get(first.run))!;
    const recorded: string[] = [];
    const resolve = (...known: Parameters<typeof resolveRows>[2]) =>
      resolveRows({ ...parts(), record: async () => void recorded.push('once') }, stored, known);
    const refused = [
      [
        [
          { row: 2, as: 'failed' },
          { row: 40, as: 'failed' },
        ],
        'explain.no_such_row',
      ],
      [
        [
          { row: 2, as: 'failed' },
          { row: 3, as: 'succeeded' },
        ],
        'resolve.contradiction',
      ],
      [[{ rows: [2, 4], as: 'succeeded', licenseOrderId: 'LO-1' }], 'resolve.several_items'],
      [
        [
          { row: 4, as: 'failed' },
          { rows: [50, 60], as: 'failed' },
        ],
        'resolve.none_in_range',
      ],
    ] as const;
    for (const [known, code] of refused)
      await expect(resolve(...known)).rejects.toMatchObject({ kind: 'usage', detail: { code } });
    expect(recorded).toEqual([]);
    expect(await audit(first.run)).toEqual([]);
    expect(await fixture.ledger.runs.counts(first.run)).toEqual({ unknown: 3 });
    await resolve({ rows: [2, 3], as: 'succeeded', licenseOrderId: 'LO-1' });
    expect(await fixture.ledger.runs.counts(first.run)).toEqual({ succeeded: 2, unknown: 1 });
  });

  it('reads outcomes from the result of the run, and ignores the rows that are as they were', async () => {
    const first = await unknownRun(orderRows(4));
    const stored = (await fixture.ledger.runs.get(first.run))!;
    await settle(first.run, { row: 2, as: 'succeeded' });
    const read = async (lines: readonly string[], header = 'row,status,licenseOrderId,note') =>
      readResolutions(
        fixture.ledger,
        stored,
        await fixture.file('checked.csv', `${header}\n${lines.join('\n')}\n`),
        {},
      );
    expect(
      await read(['2,succeeded,LO-1,', '3,succeeded,LO-3,in the portal', '4,失败,,', '5,unknown,,']),
    ).toEqual([
      { row: 3, as: 'succeeded', licenseOrderId: 'LO-3', note: 'in the portal' },
      { row: 4, as: 'failed' },
    ]);
    const refused = [
      [['2,failed,,'], 'resolve.file_not_unknown'],
      [['3,failed,LO-3,'], 'resolve.file_id_failed'],
      [['three,failed,,'], 'resolve.file_row'],
      [['30,failed,,'], 'resolve.file_no_row'],
      [['3,unknown,,'], 'resolve.file_nothing'],
    ] as const;
    for (const [lines, code] of refused)
      await expect(read(lines), code).rejects.toMatchObject({ kind: 'usage', detail: { code } });
    await expect(read(['3,x'], 'row,outcome')).rejects.toMatchObject({
      detail: { code: 'resolve.file_headers' },
    });
    await expect(read(['3,failed,other'], 'row,status,run')).rejects.toMatchObject({
      detail: { code: 'resolve.file_run', params: { other: 'other' } },
    });
  });

  it('refuses while the run is running', async () => {
    const first = await unknownRun(orderRows(1));
    const lock = await takeLock(fixture.ledger, 'orders', scopeOf(platform.connection()), first.run);
    await expect(settle(first.run, { row: 2, as: 'failed' })).rejects.toMatchObject({ kind: 'usage' });
    await lock.release();
    expect((await settle(first.run, { row: 2, as: 'failed' })).settled).toHaveLength(1);
  });

  it('takes up what a killed run left open, which is then not sent by its resume', async () => {
    const stop = new StopSignal();
    platform.answer = (_, count) => {
      if (count === 1) stop.stop({ kind: 'interrupted' });
      return { status: 401, body: {} };
    };
    await fixture.file('orders.csv', orderRows(2));
    const job = await fixture.file('job.yaml', orderJob());
    const cut = await fixture.run(job, {
      connection: connection(),
      parts: { stop },
      set: ['run.concurrency=1'],
    });
    const at = { run: cut.run, batch: 1, attempt: 2, nonce: 'n', startedAt: Date.now() };
    await fixture.ledger.execution.open(at, { claim: true });
    platform.seen.length = 0;
    platform.answer = ordersDone;
    expect((await settle(cut.run, { row: 2, as: 'succeeded' })).settled).toHaveLength(1);
    const stored = await fixture.ledger.runs.get(cut.run);
    const end = await resumeRun(fixture.parts(), stored!, (it) => it);
    expect(end.counts).toEqual({ succeeded: 2 });
    expect(platform.seen.map((it) => it.body.channelOrderId)).toEqual(['SO-2']);
  });
});

describe('correcting what was resolved', () => {
  const again = () => run(orderRows(1));

  it('keeps both resolutions, with who made them and why, and the key follows the latest', async () => {
    const first = await unknownRun(orderRows(1));
    await settle(first.run, { row: 2, as: 'failed' }, 'not in the portal');
    await settle(first.run, { row: 2, as: 'succeeded', licenseOrderId: 'LO-7' }, 'found on page 2');
    expect(await audit(first.run)).toMatchObject([
      { from: 'unknown', to: 'failed', evidence: 'not in the portal', who: 'wang' },
      { from: 'failed', to: 'succeeded', evidence: 'found on page 2', licenseOrderId: 'LO-7' },
    ]);
    expect(await again()).toMatchObject({ counts: { skipped: 1 }, requests: 0 });
    const back = await settle(first.run, { row: 2, as: 'failed' });
    expect(back.settled).toMatchObject([{ rows: [2], to: 'failed', corrects: 'succeeded' }]);
    const story = await fixture.ledger.report.row(first.run, 2);
    expect(story?.result).not.toHaveProperty('licenseOrderId');
    expect(await again()).toMatchObject({ counts: { succeeded: 1 }, requests: 1 });
  });

  it('adds an order id or a note, and refuses what says nothing new', async () => {
    const first = await unknownRun(orderRows(1));
    await settle(first.run, { row: 2, as: 'succeeded' });
    await expect(settle(first.run, { row: 2, as: 'succeeded' })).rejects.toMatchObject({
      kind: 'usage',
      detail: { code: 'resolve.already', params: { row: 2, status: 'succeeded' } },
    });
    await settle(first.run, { row: 2, as: 'succeeded', licenseOrderId: 'LO-7' });
    await settle(first.run, { row: 2, as: 'succeeded' }, 'asked the platform’s people');
    const story = await fixture.ledger.report.row(first.run, 2);
    expect(story?.result).toMatchObject({ status: 'succeeded', licenseOrderId: 'LO-7' });
    expect(await audit(first.run)).toHaveLength(3);
  });

  it('warns where the row was sent again since, whose hold stays as it is', async () => {
    const first = await unknownRun(orderRows(1));
    await settle(first.run, { row: 2, as: 'failed' });
    const second = await again();
    expect(second.counts).toEqual({ succeeded: 1 });
    const { settled } = await settle(first.run, { row: 2, as: 'succeeded' });
    expect(settled[0]?.warning).toMatchObject({
      code: 'resolve.through_elsewhere',
      params: { other: second.run, row: 2, status: 'succeeded' },
    });
    const third = await again();
    expect(third).toMatchObject({ counts: { skipped: 1 }, requests: 0 });
    const held = await fixture.ledger.report.row(third.run, 2);
    expect(held?.result.messages).toMatchObject([{ text: { params: { run: second.run } } }]);
  });

  it('never frees a key that a second execution still needs', async () => {
    const first = await unknownRun(orderRows(1));
    await settle(first.run, { row: 2, as: 'failed' });
    platform.answer = () => 'reset';
    const second = await again();
    platform.answer = ordersDone;
    await settle(first.run, { row: 2, as: 'succeeded' });
    await settle(second.run, { row: 2, as: 'failed' });
    expect(await again()).toMatchObject({ counts: { skipped: 1 }, requests: 0, exitCode: 0 });
  });

  it('does not change what a reply reported', async () => {
    const first = await run(orderRows(1));
    await expect(settle(first.run, { row: 2, as: 'failed' })).rejects.toMatchObject({
      detail: { code: 'resolve.not_unknown' },
    });
  });

  it('is no business of --verify', async () => {
    const first = await unknownRun(orderRows(1), CLOUD);
    await settle(first.run, { row: 2, as: 'failed' });
    await expect(verify(first.run, 30, 2)).rejects.toMatchObject({ detail: { code: 'resolve.not_unknown' } });
  });
});

describe('resolving by asking the platform', () => {
  const listed = (assetNums: readonly string[], createTime: unknown = Date.now()): Answer => ({
    body: {
      code: 0,
      message: 'success',
      data: assetNums.map((assetNum) => ({ id: assetNum, assetNum, createTime, updateTime: Date.now() })),
    },
  });
  /** Answers asset lists by enterprise; anything else would be a change, which must not happen. */
  const asking =
    (answers: Record<string, Answer>) =>
    (seen: Seen): Answer => {
      const enterprise = /\/asset\/([^/]+)\/list$/.exec(seen.path)?.[1] ?? '';
      return answers[enterprise] ?? { status: 500, body: {} };
    };

  it('distinguishes what was executed from what was not, with one request for each enterprise', async () => {
    const rows = `${orderRows(3)}SO-4,Customer 4,A4,9\n`;
    const first = await unknownRun(rows, CLOUD);
    platform.answer = asking({ E1: listed(['A1', 'A3', 'A9']), E2: listed([]) });
    const { settled, left } = await verify(first.run);
    expect(settled.map((it) => `${it.rows} ${it.to}`)).toEqual(['2 succeeded', '4 succeeded']);
    expect(left.map((it) => `${it.rows} ${it.reason.code}`)).toEqual([
      '3 resolve.assets_absent',
      '5 resolve.assets_absent',
    ]);
    expect(paths().sort()).toEqual([
      '/order/api/order/v1/asset/E1/list',
      '/order/api/order/v1/asset/E2/list',
    ]);
    expect((await audit(first.run)).map((it) => `${it.rows} ${it.how} ${it.from} ${it.to}`)).toEqual([
      '2 platform unknown succeeded',
      '3 platform unknown unknown',
      '4 platform unknown succeeded',
      '5 platform unknown unknown',
    ]);
    // What was seen stands on the row.
    const story = await fixture.ledger.report.row(first.run, 3);
    expect(story?.result).toMatchObject({
      status: 'unknown',
      messages: [{ text: { code: 'resolve.assets_absent' } }],
    });
    platform.answer = ordersDone;
    expect(await run(rows, CLOUD)).toMatchObject({ counts: { skipped: 4 }, exitCode: 6 });
  });

  it('can be asked for one row', async () => {
    const first = await unknownRun(orderRows(2), CLOUD);
    platform.answer = asking({ E1: listed(['A1', 'A2']) });
    const { settled, left } = await verify(first.run, 2, 3);
    expect(settled).toMatchObject([{ rows: [3], to: 'succeeded' }]);
    expect(left).toEqual([]);
    expect(await fixture.ledger.runs.counts(first.run)).toEqual({ unknown: 1, succeeded: 1 });
  });

  it('leaves orders whose assets other orders of the run name too', async () => {
    const first = await unknownRun('Order,Customer,Asset,Nodes\nSO-1,C,A1,5\nSO-2,C,A1,5\n', CLOUD);
    platform.answer = asking({ E1: listed(['A1']) });
    const { left } = await verify(first.run);
    expect(left.map((it) => `${it.reason.code} ${it.reason.params.row}`)).toEqual([
      'resolve.assets_named_too 3',
      'resolve.assets_named_too 2',
    ]);
  });

  describe('what another run may have done', () => {
    const ROWS = 'Order,Customer,Asset,Nodes\nSO-9,C,A1,5\n';
    const another = CLOUD.replace('name: orders', 'name: others');

    /** One run over the asset A1 that ends so, then the unknown one; what verifying that gives. */
    async function after(
      answer: FakePlatform['answer'],
      job: string,
      change: Parameters<FakePlatform['connection']>[0] = {},
      options: { readonly dryRun?: boolean } = {},
    ): Promise<string> {
      platform.answer = answer;
      await fixture.file('orders.csv', ROWS);
      const file = await fixture.file('other.yaml', job);
      await fixture.run(file, {
        connection: { ...connection(), ...change },
        set: ['run.retries=0', 'run.stopAfterFailures=1'],
        ...options,
      });
      const first = await unknownRun(orderRows(1), CLOUD);
      platform.answer = asking({ E1: listed(['A1']) });
      const { settled, left } = await verify(first.run);
      return settled[0]?.to ?? left[0]?.reason.code ?? '';
    }

    const refused: FakePlatform['answer'] = () => ({ body: { code: '13004', message: 'no', cause: '' } });
    const locks = `version: 1
name: locks
operation: asset.lock
source: { file: orders.csv }
map: { assetNums: Asset, operatorIdentity: { value: ops } }
`;
    const locked: FakePlatform['answer'] = () => ({
      body: { code: 0, message: 'ok', data: [{ assetNum: 'A1', status: 1 }] },
    });

    it.each<readonly [string, string, Parameters<typeof after>]>([
      ['an order that got through', 'resolve.assets_named_too', [ordersDone, another]],
      ['an order left unknown', 'resolve.assets_named_too', [() => 'reset', another]],
      ['an accepted order', 'resolve.assets_named_too', [ordersDone, another.replace('sync }', 'async }')]],
      [
        'an order of another licence type',
        'resolve.assets_named_too',
        [ordersDone, another.replace('cloud_account', 'softkey')],
      ],
      ['a lock', 'resolve.assets_named_too', [locked, locks]],
      [
        'another name for the same address',
        'resolve.assets_named_too',
        [ordersDone, another, { name: 'again' }],
      ],
      ['an order that was refused', 'succeeded', [refused, another]],
      ['an order that was only checked', 'succeeded', [ordersDone, another, {}, { dryRun: true }]],
      ['a 401: nothing was sent', 'succeeded', [() => ({ status: 401, body: {} }), another]],
      [
        'a trial on another platform',
        'succeeded',
        [ordersDone, another, { name: 'trial', baseUrl: 'http://localhost:1' }],
      ],
    ])('%s: %s', async (_, expected, args) => {
      expect(await after(...args)).toBe(expected);
    });

    it('is shown an earlier list that had the asset', async () => {
      await fixture.file('orders.csv', 'Enterprise\nE1\n');
      const list = await fixture.file(
        'list.yaml',
        'version: 1\nname: list\noperation: asset.list\nsource: { file: orders.csv }\nmap: { enterpriseGlobalId: Enterprise }\n',
      );
      platform.answer = asking({ E1: listed(['A1']) });
      const seen = await fixture.run(list, { connection: connection() });
      expect(seen.counts).toEqual({ succeeded: 1 });
      const first = await unknownRun(orderRows(2), CLOUD);
      platform.answer = asking({ E1: listed(['A1', 'A2']) });
      const { settled, left } = await verify(first.run);
      expect(settled).toMatchObject([{ rows: [3] }]);
      expect(left).toMatchObject([
        { reason: { code: 'resolve.assets_there_before', params: { run: seen.run } } },
      ]);
      // A list made afterwards proves nothing against it.
      await fixture.file('orders.csv', 'Enterprise\nE1\n');
      platform.answer = asking({ E1: listed(['A5']) });
      const later = await unknownRun(orderRows(1, 5), CLOUD);
      await fixture.file('orders.csv', 'Enterprise\nE1\n');
      platform.answer = asking({ E1: listed(['A5']) });
      await fixture.run(list, { connection: connection() });
      expect((await verify(later.run)).settled).toMatchObject([{ to: 'succeeded' }]);
    });
  });

  it('reads the platform’s times in the unit of the connection, and says where they can’t be', async () => {
    const first = await unknownRun(orderRows(1), CLOUD);
    platform.answer = asking({ E1: listed(['A1'], Math.floor(Date.now() / 1000)) });
    const { left } = await verify(first.run);
    expect(left).toMatchObject([
      { reason: { code: 'resolve.assets_other_unit', params: { unit: 'milliseconds' } } },
    ]);
    const inSeconds = { ...connection(), timestamps: 'seconds' } as const;
    const stored = await fixture.ledger.runs.get(first.run);
    expect((await verifyRun(parts(), stored!, inSeconds)).settled).toMatchObject([{ to: 'succeeded' }]);
  });

  it('takes no asset for the order’s that is older, though it was changed since', async () => {
    const first = await unknownRun(orderRows(1), CLOUD);
    platform.answer = asking({ E1: listed(['A1'], Date.now() - 86_400_000) });
    expect((await verify(first.run)).left).toMatchObject([
      { reason: { code: 'resolve.assets_made_elsewhen' } },
    ]);
  });

  it('leaves what the platform cannot report, with the reason for each row, and asks nothing', async () => {
    const first = await unknownRun(orderRows(2));
    const { left } = await verify(first.run);
    expect(left.map((it) => `${it.rows} ${render(it.reason)}`)).toEqual([
      '2 the platform lists assets of cloud licence types only, not of normal_recover_usbkey',
      '3 the platform lists assets of cloud licence types only, not of normal_recover_usbkey',
    ]);
    expect(paths()).toEqual([]);
  });

  it('asks again when the platform asks it to wait, and gives up at a 401 for all', async () => {
    const rows = `${orderRows(1)}SO-4,Customer 4,A4,9\n`;
    const first = await unknownRun(rows, CLOUD, ['run.retries=2']);
    let busy = 1;
    platform.answer = (seen) => {
      if (busy-- > 0) return { status: 429, body: {}, headers: { 'retry-after': '0' } };
      return asking({ E1: listed(['A1']), E2: { status: 401, body: {} } })(seen);
    };
    const { settled, left } = await verify(first.run);
    expect(settled).toMatchObject([{ rows: [2], to: 'succeeded' }]);
    expect(left).toMatchObject([{ rows: [3], detail: { code: 'platform.unauthorized' } }]);
    expect(paths()).toHaveLength(3);
  });

  it('leaves all as it was when the answer is unusable', async () => {
    const first = await unknownRun(orderRows(1), CLOUD);
    platform.answer = () => ({ body: { code: '13004', message: 'no such enterprise', cause: '' } });
    const { left } = await verify(first.run);
    expect(left).toHaveLength(1);
    expect(left[0]?.reason.code).toBe('resolve.no_answer');
    expect(renderText(left[0]?.detail ?? '', 'en')).toContain('no such enterprise');
    expect(await audit(first.run)).toEqual([]);
  });

  describe('of bindings', () => {
    const BIND = `version: 1
name: bind
operation: enterprise.bind
source: { file: customers.csv }
map:
  channelCode: { value: CH }
  channelCustomerId: Id
  customerName: Name
  branchName: { value: B }
  enterpriseName: Name
  passwordMobile: { value: "13800000001" }
`;
    const QUERY = `version: 1
name: query
operation: enterprise.query
source: { file: customers.csv }
map: { channelCode: { value: CH }, channelCustomerId: Id, defaultCustomer: { value: N } }
`;
    const record = {
      customerId: 'C5',
      channelCode: 'CH',
      channelCustomerId: '007',
      enterpriseGlobalId: 'E5',
      enterpriseName: '一',
      isDefault: true,
    };
    const found = (...data: unknown[]): Answer => ({ body: { code: 0, message: 'success', data } });

    async function bound(): Promise<RunEnd> {
      const job = await fixture.file('bind.yaml', BIND);
      platform.answer = () => 'reset';
      const end = await fixture.run(job, { connection: connection(), set: ['run.retries=0'] });
      expect(end.counts).toEqual({ unknown: 2 });
      platform.seen.length = 0;
      return end;
    }

    it('resolves a customer that is bound as its row requires and was not known before, leaves one that is not there', async () => {
      await fixture.file('customers.csv', 'Id,Name\n007,一\n008,二\n');
      const first = await bound();
      platform.answer = ({ query }) => (query.get('channelCustomerId') === '007' ? found(record) : found());
      const { settled, left } = await verify(first.run);
      expect(settled).toMatchObject([{ rows: [2], to: 'succeeded' }]);
      expect(left).toMatchObject([{ rows: [3], reason: { code: 'resolve.customer_absent' } }]);
      expect(paths()).toEqual(Array(2).fill('/order/api/order/v1/enterprise/user/query'));
    });

    it('leaves a customer of whom only the existence is known', async () => {
      await fixture.file('customers.csv', 'Id,Name\n007,一\n008,二\n');
      const first = await bound();
      const { enterpriseName: _, ...bare } = record;
      platform.answer = () => found(bare);
      const { settled, left } = await verify(first.run);
      expect(settled).toEqual([]);
      expect(left[0]?.reason.code).toBe('resolve.customer_time_untold');
    });

    it('leaves one that an earlier run had seen', async () => {
      await fixture.file('customers.csv', 'Id,Name\n007,一\n008,二\n');
      const query = await fixture.file('query.yaml', QUERY);
      platform.answer = () => found(record);
      await fixture.run(query, { connection: connection() });
      const first = await bound();
      platform.answer = () => found(record);
      const { settled, left } = await verify(first.run);
      expect(settled).toEqual([]);
      expect(left[0]?.reason.code).toBe('resolve.customer_there_before');
    });

    it('leaves one for which an earlier query was answered with another customer', async () => {
      await fixture.file('customers.csv', 'Id,Name\n007,一\n');
      const query = await fixture.file('query.yaml', QUERY);
      platform.answer = () => found({ ...record, channelCustomerId: '009', enterpriseGlobalId: 'E9' });
      const asked = await fixture.run(query, { connection: connection() });
      expect(asked.counts).toEqual({ succeeded: 1 });
      const job = await fixture.file('bind.yaml', BIND);
      platform.answer = () => 'reset';
      const first = await fixture.run(job, { connection: connection(), set: ['run.retries=0'] });
      platform.answer = () => found({ ...record, enterpriseName: null });
      const { settled, left } = await verify(first.run);
      expect(settled).toEqual([]);
      expect(left[0]?.reason.code).toBe('resolve.customer_time_untold');
    });

    it('resolves one that a query of this ledger did not find before, with its ids', async () => {
      await fixture.file('customers.csv', 'Id,Name\n007,一\n008,二\n');
      const query = await fixture.file('query.yaml', QUERY);
      const other = { ...record, channelCustomerId: '008', enterpriseName: '二' };
      platform.answer = ({ query: asked }) =>
        asked.get('channelCustomerId') === '008' ? found(other) : found();
      await fixture.run(query, { connection: connection() });
      const first = await bound();
      platform.answer = () => found(record, { ...record, channelCustomerId: '008', enterpriseName: '二' });
      const { settled, left } = await verify(first.run);
      expect(settled).toMatchObject([{ rows: [2], to: 'succeeded' }]);
      expect(left).toMatchObject([{ rows: [3], reason: { code: 'resolve.customer_there_before' } }]);
      const story = await fixture.ledger.report.row(first.run, 2);
      expect(story?.result.columns).toMatchObject({ customerId: 'C5', enterpriseGlobalId: 'E5' });
    });
  });

  it('does not take absence for a proof where the order may be executed late', async () => {
    const late = CLOUD.replace('{ value: sync }', '{ value: async }');
    const first = await unknownRun(orderRows(2), late);
    platform.answer = asking({ E1: listed(['A1']) });
    const { settled, left } = await verify(first.run);
    expect(settled).toMatchObject([{ rows: [2], to: 'succeeded' }]);
    expect(left).toMatchObject([{ rows: [3], reason: { code: 'resolve.assets_absent' } }]);
  });

  it('does not ask another platform that bears the name now', async () => {
    const first = await unknownRun(orderRows(1), CLOUD);
    platform.answer = asking({ E1: listed([]) });
    const stored = (await fixture.ledger.runs.get(first.run))!;
    const other = { ...connection(), baseUrl: `${platform.url}/other` };
    await expect(verifyRun(parts(30), stored, other)).rejects.toMatchObject({
      kind: 'usage',
      detail: { code: 'run.other_host', params: { now: expect.stringContaining('/other') } },
    });
    const moved = { ...other, name: 'another' };
    const { left } = await verifyRun(parts(30), stored, moved);
    expect(left).toMatchObject([
      {
        rows: [2],
        reason: {
          code: 'resolve.other_address',
          params: { before: platform.url },
        },
      },
    ]);
    expect(paths()).toEqual([]);
  });

  it('does not take an empty sandbox of its own for the one that no longer exists', async () => {
    const first = await unknownRun(orderRows(1), CLOUD);
    const { baseUrl: _, ...elsewhere } = connection();
    const stored = (await fixture.ledger.runs.get(first.run))!;
    // As the ledger has it of a sandbox that was being served.
    const settings = {
      ...stored.settings,
      connection: { ...elsewhere, sandbox: true },
    } as unknown as JsonObject;
    const resolved = await verifyRun(parts(30), { ...stored, settings }, { ...elsewhere, sandbox: true });
    expect(resolved.left).toMatchObject([{ reason: { code: 'resolve.sandbox_gone' } }]);
  });
});
