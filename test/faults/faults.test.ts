import { createServer, type Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LEDGER_MAKER, LEDGER_MAKERS, SQLITE } from '../support/ledgers.js';
import { orderRows } from '../support/orders.js';
import { EVENTS } from './event-table.js';
import { afterwards, changedData, changedText, fine, inTurn, refuses } from './happenings.js';
import { type Attempted, attempt, type Outcome } from './trial.js';

const COLUMNS: readonly Attempted[] = ['order', 'lock', 'activity'];
const seen = new Map<string, Partial<Record<Attempted, Outcome>>>();

let silent: Server;

beforeAll(async () => {
  silent = createServer((socket) => void socket.on('error', () => undefined).resume());
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
});

afterAll(async () => {
  console.log(table());
  await new Promise((resolve) => silent.close(resolve));
});

/** The event table as it was found to hold: status, attempts, effects and exit code by operation. */
function table(): string {
  const cell = (it: Outcome | undefined): string =>
    it ? `${it.status} · ${it.attempts} · ${it.effects} · ${it.exit}` : '';
  const lines = [
    ['event', ...COLUMNS.map((it) => `${it}: status · attempts · effects · exit`)],
    ...[...seen].map(([event, found]) => [event, ...COLUMNS.map((it) => cell(found[it]))]),
  ];
  const widths = lines[0]?.map((_, at) => Math.max(...lines.map((line) => line[at]?.length ?? 0))) ?? [];
  return lines
    .map((line) =>
      line
        .map((text, at) => text.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

describe.each(LEDGER_MAKERS)('$name: what a user sees after each event on the way', (maker) => {
  const recorded = new Set<string>();
  for (const { event, expected, ...trial } of EVENTS) {
    for (const attempted of COLUMNS) {
      const wanted = expected[attempted];
      if (!wanted) continue;
      // What an event means is decided before the ledger: on a server, one event for each outcome that it has to record.
      const outcome = [attempted, ...wanted, trial.dies].join();
      if (maker !== SQLITE && recorded.has(outcome)) continue;
      recorded.add(outcome);
      const [status, attempts, effects, exit] = wanted;
      it(`${event}: ${attempted} ${status}, exit code ${exit}`, async () => {
        const port = (silent.address() as { port: number }).port;
        const tested = await attempt(maker, {
          attempted,
          ...trial,
          ...(trial.address
            ? { address: (it) => trial.address?.(it).replace('{silent}', `${port}`) ?? '' }
            : {}),
        });
        seen.set(event, { ...seen.get(event), [attempted]: tested });
        expect(tested).toMatchObject({ status, attempts, effects, exit, strayed: 0 });
        // Every attempt that was counted as sent came to the platform's door, and no other.
        const reached = trial.address === undefined ? attempts : 0;
        expect(tested.arrived).toBe(reached);
      });
    }
  }
});

describe('particulars of these events', () => {
  it('waits as long as the platform says, in seconds or as a date', async () => {
    const now = Date.now();
    const [date, later] = [now, now + 90_000].map((it) => new Date(it).toUTCString()) as [string, string];
    for (const header of ['90', later]) {
      const tested = await attempt(LEDGER_MAKER, {
        attempted: 'lock',
        happening: inTurn(refuses(429, {}, { 'retry-after': header, date }), fine),
      });
      expect(tested.status).toBe('succeeded');
      // The time runs from the reply, which was read and kept before the wait began.
      expect(Math.max(...tested.waits)).toBeGreaterThanOrEqual(80_000);
    }
  });

  it('retries under the same order number, each attempt with a nonce of its own', async () => {
    const asked: { order: unknown; nonce: string | null }[] = [];
    const busy = refuses(200, { code: '500', message: 'busy', cause: '' });
    const tested = await attempt(LEDGER_MAKER, {
      attempted: 'order',
      happening: (it) => {
        const nonce = new URL(it.target, 'http://platform').searchParams.get('g_nonce');
        asked.push({ order: it.body.channelOrderId, nonce });
        return busy(it);
      },
    });
    expect(tested.lines.map((line) => line.attempts)).toEqual(['3', '3', '3']);
    expect(asked).toHaveLength(3);
    expect(new Set(asked.map((it) => it.order)).size).toBe(1);
    expect(new Set(asked.map((it) => it.nonce)).size).toBe(3);
  });

  it('keeps the digits of numbers over 2^53', async () => {
    const code = await attempt(LEDGER_MAKER, {
      attempted: 'order',
      happening: afterwards('{"code":9007199254740993,"message":"no","cause":""}'),
    });
    expect(code.lines[0]).toMatchObject({ status: 'rejected', code: '9007199254740993' });
    const foreign = await attempt(LEDGER_MAKER, {
      attempted: 'order',
      happening: changedText((text) =>
        text.replace(
          '"data":[',
          '"data":[{"sequence":9007199254740993,"licenseOrderId":"LO-X","customerId":"C"},',
        ),
      ),
    });
    expect(foreign.status).toBe('succeeded');
    expect(foreign.warnings).toHaveLength(1);
  });

  it.each(['9007199254740993', '123456789012345678901234567890', '1.0', '1e3', '7'])(
    'takes the order id and customer id %s digit for digit',
    async (digits) => {
      // No two orders have one id.
      let made = 0;
      const numbered = (_: string, name: string) => {
        if (name === 'customerId') return `"${name}":${digits}`;
        made += 1;
        return `"${name}":${made}${digits}`;
      };
      const tested = await attempt(LEDGER_MAKER, {
        attempted: 'order',
        happening: changedText((text) => text.replace(/"(licenseOrderId|customerId)":"[^"]*"/gu, numbered)),
      });
      expect(tested).toMatchObject({ status: 'succeeded', exit: 0 });
      for (const [at, line] of tested.lines.entries())
        expect(line).toMatchObject({ licenseOrderId: `${at + 1}${digits}`, customerId: digits });
    },
  );

  it('warns of results that were not asked for', async () => {
    const tested = await attempt(LEDGER_MAKER, {
      attempted: 'lock',
      happening: changedData((data) => [...data, { assetNum: '8999999999', status: 1 }]),
    });
    expect(tested.warnings.join()).toContain('8999999999');
  });

  it('stops after three refusals alike by status, with the rest not sent', async () => {
    const tested = await attempt(LEDGER_MAKER, {
      attempted: 'order',
      happening: refuses(404),
      set: ['batch.size=1', 'run.concurrency=1'],
      rows: orderRows(5),
    });
    expect(tested).toMatchObject({ attempts: 3, effects: 0, exit: 4 });
    expect(tested.end.counts).toEqual({ rejected: 3, not_sent: 2 });
  });

  it('reports the reasons of a refused participation', async () => {
    const unit = {
      id: 'u',
      name: 'Unit A',
      participateResult: false,
      errorCode: 14005,
      errorMessage: 'too often',
    };
    const activity = { id: 'a', name: 'Spring', participateResult: false, engineSubActivityDtos: [unit] };
    const tested = await attempt(LEDGER_MAKER, {
      attempted: 'activity',
      happening: refuses(200, { resultCode: '3002', resultMessage: 'no', activityDtoList: [activity] }),
    });
    expect(tested.lines[0]).toMatchObject({ status: 'rejected', code: '3002' });
    expect(tested.lines[0]?.message).toContain('Unit A: 14005 too often');
  });
});
