import { describe, expect, it } from 'vitest';
import { render } from '../../../src/errors/message.js';
import type { ItemOutcome } from '../../../src/model/item.js';
import type { JsonObject } from '../../../src/model/json.js';
import type { OperationName, WireRequest } from '../../../src/model/operation.js';
import type { AttemptEvent, ReplyHead } from '../../../src/platform/client/attempt-event.js';
import { type JudgeOptions, judge, type Verdict } from '../../../src/platform/client/verdict.js';
import { OPERATIONS } from '../../../src/platform/operations/catalogue.js';

interface Case {
  readonly name: OperationName;
  readonly sent: WireRequest;
  readonly items: number;
}

const POST = { method: 'POST', path: '/p', query: {} } as const;
const ORDERS: Case = {
  name: 'order.new_buy',
  sent: { ...POST, body: { syncMode: 'sync', orderList: [{ sequence: 1 }, { sequence: 2 }] } },
  items: 2,
};
const LOCKS: Case = {
  name: 'asset.lock',
  sent: { ...POST, body: { assetNums: ['A1', 'A2'], operatorIdentity: 'x' } },
  items: 2,
};
const ACTIVITY: Case = { name: 'activity.participate', sent: { ...POST, body: {} }, items: 1 };

function verdict(it: Case, event: AttemptEvent, options: Partial<JudgeOptions> = {}): Verdict {
  const all = { retryCode500: 'retry', lastAttempt: false, ...options } as const;
  return judge(OPERATIONS[it.name], it.sent, it.items, event, all);
}

function reply(httpStatus: number, body: unknown, head: Partial<ReplyHead> = {}): AttemptEvent {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return { kind: 'reply', httpStatus, text, ...head };
}

const good = (outcome: ItemOutcome) => outcome.status === 'succeeded' || outcome.status === 'accepted';

/** One word (and code) an item: `unknown`, `rejected 13004`; `retry(failed)`, `stop(not_sent 401)`; `again`. */
function short(it: Verdict): string | string[] {
  const word = (outcome: ItemOutcome | undefined): string =>
    // The code of a success is the operation's own affair.
    outcome ? [outcome.status, good(outcome) ? '' : outcome.code].filter(Boolean).join(' ') : 'again';
  if (it.kind === 'settled') {
    const words = it.outcomes.map(word);
    return words.every((one) => one === words[0]) ? words[0]! : words;
  }
  return it.kind === 'retry' ? `retry(${word(it.otherwise)})` : `stop(${word(it.outcome)})`;
}

function texts(it: Verdict): string[] {
  const outcomes = it.kind === 'settled' ? it.outcomes : [it.kind === 'retry' ? it.otherwise : it.outcome];
  return outcomes.map((one) =>
    typeof one?.message === 'object' ? render(one.message) : (one?.message ?? ''),
  );
}

const unsent = (reason: 'dns' | 'refused' | 'tls' | 'timeout' | 'other'): AttemptEvent => ({
  kind: 'unsent',
  reason,
  detail: 'why',
});
const lost = (
  reason: 'timeout' | 'reset' | 'truncated' | 'oversize' | 'undecodable' | 'aborted' | 'other',
  httpStatus?: number,
): AttemptEvent => ({ kind: 'lost', reason, detail: 'why', ...(httpStatus ? { httpStatus } : {}) });

const order = (sequence: number, id = `L${sequence}`) => ({ sequence, licenseOrderId: id, customerId: 'K' });
const lock = (assetNum: string, status: number) => ({ assetNum, status });
const ok = (data?: unknown, code: unknown = 0): AttemptEvent => reply(200, { code, message: 'ok', data });
const refused = (code: unknown, status = 200, head: Partial<ReplyHead> = {}) =>
  reply(status, { code, message: 'not so', cause: 'because' }, head);

/** Event, then what it means: orders before the last attempt, locks before it, locks on the last attempt. */
const TABLE: readonly [string, AttemptEvent, string, string, string][] = [
  ['DNS', unsent('dns'), 'retry(failed)', 'retry(failed)', 'failed'],
  ['refused', unsent('refused'), 'retry(failed)', 'retry(failed)', 'failed'],
  ['TLS failure', unsent('tls'), 'retry(failed)', 'retry(failed)', 'failed'],
  ['timeout, nothing sent', unsent('timeout'), 'retry(failed)', 'retry(failed)', 'failed'],
  ['other, nothing sent', unsent('other'), 'retry(failed)', 'retry(failed)', 'failed'],
  ['timeout, sent', lost('timeout'), 'unknown', 'retry(failed)', 'failed'],
  ['reset, sent', lost('reset'), 'unknown', 'retry(failed)', 'failed'],
  ['aborted, sent', lost('aborted'), 'unknown', 'retry(failed)', 'failed'],
  ['truncated', lost('truncated', 200), 'unknown 200', 'retry(failed 200)', 'failed 200'],
  ['too large', lost('oversize', 200), 'unknown 200', 'retry(failed 200)', 'failed 200'],
  ['undecodable', lost('undecodable', 200), 'unknown 200', 'retry(failed 200)', 'failed 200'],
  ['not JSON', reply(200, '<html>ok</html>'), 'unknown 200', 'retry(failed 200)', 'failed 200'],
  ['empty', reply(200, ''), 'unknown 200', 'retry(failed 200)', 'failed 200'],
  ['no content', reply(204, ''), 'unknown 204', 'retry(failed 204)', 'failed 204'],
  ['an array', reply(200, []), 'unknown 200', 'retry(failed 200)', 'failed 200'],
  ['null', reply(200, null), 'unknown 200', 'retry(failed 200)', 'failed 200'],
  ['no code', reply(200, { message: 'x', data: [] }), 'unknown 200', 'retry(failed 200)', 'failed 200'],
  ['a code that is none', refused({}), 'unknown 200', 'retry(failed 200)', 'failed 200'],
  ['a code of true', refused(true), 'unknown 200', 'retry(failed 200)', 'failed 200'],
  ['data of the wrong kind', ok({ a: 1 }), 'unknown 200', 'retry(failed 200)', 'failed 200'],
  ['data that is text', ok('done'), 'unknown 200', 'retry(failed 200)', 'failed 200'],
  ['code 0, data missing', ok(), 'unknown 0', 'failed 0', 'failed 0'],
  ['code "0", data null', ok(null, '0'), 'unknown 0', 'failed 0', 'failed 0'],
  ['nothing in data', ok([]), 'unknown', 'again', 'failed'],
  ['code 13004', refused('13004'), 'rejected 13004', 'rejected 13004', 'rejected 13004'],
  ['code 13004, a number', refused(13004), 'rejected 13004', 'rejected 13004', 'rejected 13004'],
  ['any other code', refused('E-77'), 'rejected E-77', 'rejected E-77', 'rejected E-77'],
  ['HTTP 299', refused('20001', 299), 'rejected 20001', 'rejected 20001', 'rejected 20001'],
  ['HTTP 299, no JSON', reply(299, 'sorry'), 'rejected 299', 'rejected 299', 'rejected 299'],
  ['HTTP 299, empty', reply(299, ''), 'rejected 299', 'rejected 299', 'rejected 299'],
  ['HTTP 299, code 500', refused('500', 299), 'retry(unknown 500)', 'retry(failed 500)', 'failed 500'],
  ['HTTP 299 claiming success', refused(0, 299), 'unknown 299', 'retry(failed 299)', 'failed 299'],
  ['code 500', refused('500'), 'retry(unknown 500)', 'retry(failed 500)', 'failed 500'],
  ['code 500, a number', refused(500), 'retry(unknown 500)', 'retry(failed 500)', 'failed 500'],
  ['HTTP 429', reply(429, ''), 'retry(not_sent 429)', 'retry(not_sent 429)', 'retry(not_sent 429)'],
  [
    'HTTP 429, body lost',
    lost('truncated', 429),
    'retry(not_sent 429)',
    'retry(not_sent 429)',
    'retry(not_sent 429)',
  ],
  ['HTTP 401', reply(401, ''), 'stop(not_sent 401)', 'stop(not_sent 401)', 'stop(not_sent 401)'],
  [
    'HTTP 401, body lost',
    lost('timeout', 401),
    'stop(not_sent 401)',
    'stop(not_sent 401)',
    'stop(not_sent 401)',
  ],
  ['HTTP 403', refused('1', 403), 'stop(not_sent 403)', 'stop(not_sent 403)', 'stop(not_sent 403)'],
  ['HTTP 408', reply(408, ''), 'unknown 408', 'retry(failed 408)', 'failed 408'],
  ['HTTP 500', reply(500, ''), 'unknown 500', 'retry(failed 500)', 'failed 500'],
  ['HTTP 500 with code 13004', refused('13004', 500), 'unknown 500', 'retry(failed 500)', 'failed 500'],
  ['HTTP 500 with code 500', refused('500', 500), 'unknown 500', 'retry(failed 500)', 'failed 500'],
  ['HTTP 502', reply(502, '<h1>Bad</h1>'), 'unknown 502', 'retry(failed 502)', 'failed 502'],
  ['HTTP 503, body lost', lost('reset', 503), 'unknown 503', 'retry(failed 503)', 'failed 503'],
  ['HTTP 404', reply(404, ''), 'rejected 404', 'rejected 404', 'rejected 404'],
  ['HTTP 400 with a code', refused('13004', 400), 'rejected 13004', 'rejected 13004', 'rejected 13004'],
  ['HTTP 302', reply(302, ''), 'stop(unknown 302)', 'stop(failed 302)', 'stop(failed 302)'],
  ['HTTP 303', reply(303, ''), 'stop(unknown 303)', 'stop(failed 303)', 'stop(failed 303)'],
  ['HTTP 304', reply(304, ''), 'stop(unknown 304)', 'stop(failed 304)', 'stop(failed 304)'],
];

describe('the event table', () => {
  it.each(TABLE)('%s', (_name, event, orders, locks, locksLast) => {
    expect(short(verdict(ORDERS, event))).toBe(orders);
    // On the last attempt nothing is left to retry: what all items become is said at once.
    const ordersLast = orders.replace(/^retry\(((?!not_sent 429).*)\)$/, '$1');
    expect(short(verdict(ORDERS, event, { lastAttempt: true }))).toBe(ordersLast);
    expect(short(verdict(LOCKS, event))).toBe(locks);
    expect(short(verdict(LOCKS, event, { lastAttempt: true }))).toBe(locksLast);
  });

  it('says something to people for every row of it', () => {
    for (const [name, event] of TABLE) {
      for (const text of [
        ...texts(verdict(ORDERS, event)),
        ...texts(verdict(LOCKS, event, { lastAttempt: true })),
      ]) {
        expect(text, name).toMatch(/\w{3}/);
        expect(text, name).not.toMatch(/[{}]|undefined|: $/);
      }
    }
  });
});

describe('success', () => {
  it('is by item, whatever the order, with code 0 as a number or as text', () => {
    for (const code of [0, '0']) {
      const it = verdict(ORDERS, ok([order(2), order(1)], code));
      expect(it).toMatchObject({
        kind: 'settled',
        outcomes: [
          { status: 'succeeded', licenseOrderId: 'L1' },
          { status: 'succeeded', licenseOrderId: 'L2' },
        ],
        warnings: [],
      });
    }
  });

  it('is only `accepted` when processed asynchronously', () => {
    const sent = { ...ORDERS.sent, body: { ...ORDERS.sent.body, syncMode: 'async' } };
    expect(short(verdict({ ...ORDERS, sent }, ok([order(1), order(2)])))).toBe('accepted');
  });

  it('needs no data where the interface gives none', () => {
    const update: Case = { name: 'enterprise.update', sent: { ...POST, body: {} }, items: 1 };
    expect(short(verdict(update, ok()))).toMatch(/^succeeded/);
    expect(short(verdict(update, refused('13004')))).toBe('rejected 13004');
  });

  it('of locks is by their status', () => {
    const words = (first: number) => short(verdict(LOCKS, ok([lock('A1', first), lock('A2', 1)])))[0];
    expect([2, 3, 4].map(words)).toEqual(['rejected 2', 'rejected 3', 'rejected 4']);
    expect(words(9)).toBe('failed 9');
  });

  it('keeps identifiers over 2^53 exactly', () => {
    const text =
      '{"code":0,"data":[{"sequence":1,"licenseOrderId":"9007199254740993","customerId":"K"},' +
      '{"sequence":2,"licenseOrderId":"90071992547409931234","customerId":"K"}]}';
    const it = verdict(ORDERS, reply(200, text));
    expect(it).toMatchObject({
      outcomes: [{ licenseOrderId: '9007199254740993' }, { licenseOrderId: '90071992547409931234' }],
    });
  });
});

describe('items of which the reply says nothing, or two things', () => {
  it('are unknown among orders at once', () => {
    const event = ok([order(1)]);
    for (const lastAttempt of [false, true]) {
      expect(short(verdict(ORDERS, event, { lastAttempt }))).toEqual(['succeeded', 'unknown']);
    }
    expect(short(verdict(ORDERS, ok([order(1), order(2), order(2, 'other')])))).toEqual([
      'succeeded',
      'unknown',
    ]);
  });

  it('are asked again among locks, and failed on the last attempt', () => {
    const event = ok([lock('A2', 1)]);
    expect(short(verdict(LOCKS, event))).toEqual(['again', 'succeeded']);
    expect(short(verdict(LOCKS, event, { lastAttempt: true }))).toEqual(['failed', 'succeeded']);
  });

  it('leave the others standing, as does one that was not asked for', () => {
    const it = verdict(ORDERS, ok([order(1), order(2), order(7)]));
    expect(short(it)).toBe('succeeded');
    expect(it).toMatchObject({ warnings: [expect.anything()] });
  });
});

describe('code 500', () => {
  it('leaves orders unknown at once where the connection does not allow them', () => {
    const hold = { retryCode500: 'repeatable' } as const;
    expect(short(verdict(ORDERS, refused('500'), hold))).toBe('unknown 500');
    expect(short(verdict(LOCKS, refused('500'), hold))).toBe('retry(failed 500)');
  });
});

describe('what the runner needs next to the outcome', () => {
  it('is the pause that was asked for, retries left or not', () => {
    const reported = { retryAfterMs: 7_000 };
    for (const options of [{}, { lastAttempt: true }]) {
      const pause = { pause: { httpStatus: 429 } };
      expect(verdict(ORDERS, reply(429, ''), options)).toMatchObject(pause);
      expect(verdict(ORDERS, reply(429, '', reported), options)).toMatchObject({
        pause: { httpStatus: 429, ...reported },
      });
      expect(verdict(LOCKS, reply(503, '', reported), options)).toMatchObject({
        kind: 'retry',
        otherwise: { status: 'failed' },
        pause: { httpStatus: 503, ...reported },
      });
      expect(verdict(ORDERS, refused('500', 200, reported), options)).toMatchObject({
        kind: 'retry',
        otherwise: { status: 'unknown' },
        pause: { httpStatus: 200, ...reported },
      });
    }
    // What may not be repeated is resolved; everything else still waits.
    expect(short(verdict(ORDERS, reply(503, '', reported)))).toBe('unknown 503');
    for (const event of [refused('500'), unsent('dns')]) {
      expect(verdict(ORDERS, event)).not.toHaveProperty('pause');
    }
  });

  it('is whether something may have happened', () => {
    const doubt = (it: Case, event: AttemptEvent) =>
      (verdict(it, event) as { uncertain?: boolean }).uncertain;
    expect(doubt(ORDERS, unsent('refused'))).toBe(false);
    expect(doubt(ORDERS, reply(429, ''))).toBe(false);
    expect(doubt(ORDERS, refused('500'))).toBe(true);
    expect(doubt(LOCKS, lost('reset'))).toBe(true);
  });

  it('is whether the last attempt got an answer at all', () => {
    const last = { lastAttempt: true };
    for (const event of [refused('500'), unsent('dns')]) {
      expect(verdict(ORDERS, event, last)).toMatchObject({ exhausted: true });
    }
    for (const event of [refused('13004'), reply(404, ''), lost('reset'), ok([order(1), order(2)])]) {
      expect(verdict(ORDERS, event, last)).not.toHaveProperty('exhausted');
    }
  });

  it('is a streak for refusals by HTTP status only', () => {
    expect(verdict(ORDERS, reply(404, ''))).toMatchObject({ streak: 'HTTP 404' });
    expect(verdict(ORDERS, refused('13004', 422))).toMatchObject({ streak: 'HTTP 422' });
    for (const event of [refused('13004'), refused('1', 299), reply(500, '')]) {
      expect(verdict(ORDERS, event)).not.toHaveProperty('streak');
    }
  });

  it('is the reason of a stop', () => {
    const denied = verdict(ACTIVITY, reply(403, { message: 'no scope' }));
    expect(texts(denied)[0]).toContain('auth_activity');
    expect(texts(denied)[0]).toContain('no scope');
    expect(texts(verdict(ORDERS, reply(307, '', { location: 'https://evil.example' })))[0]).toContain(
      'evil.example',
    );
  });

  it('is that an attempt given up before it left was not sent, and an impossible one never will be', () => {
    const aborted: AttemptEvent = { kind: 'unsent', reason: 'aborted', detail: '' };
    expect(short(verdict(ORDERS, aborted))).toBe('retry(not_sent)');
    expect(short(verdict(ORDERS, { ...aborted, reason: 'unsendable' }))).toBe('failed');
  });
});

describe('activities', () => {
  it('are judged by resultCode', () => {
    const done = { resultCode: '0000', resultMessage: 'ok', detail: { products: [] } };
    expect(short(verdict(ACTIVITY, reply(200, done)))).toBe('succeeded');
    const full = reply(200, { resultCode: '2001', resultMessage: 'dropped' });
    expect(short(verdict(ACTIVITY, full))).toBe('rejected 2001');
    expect(texts(verdict(ACTIVITY, full))[0]).toContain('dropped');
  });

  it('without one are unknown', () => {
    for (const body of [{}, { resultMessage: 'x' }, { resultCode: null }, [], 'x', { code: 0, data: {} }]) {
      expect(short(verdict(ACTIVITY, reply(200, body))), JSON.stringify(body)).toBe('unknown 200');
    }
  });

  it('may be refused in the words of the order service', () => {
    expect(short(verdict(ACTIVITY, refused('13004')))).toBe('rejected 13004');
    expect(short(verdict(ACTIVITY, refused('500')))).toBe('retry(unknown 500)');
    expect(short(verdict(ACTIVITY, refused('13004', 299)))).toBe('rejected 13004');
  });
});

describe('the platform’s own words', () => {
  it('come with their cause', () => {
    expect(texts(verdict(ORDERS, refused('13004')))[0]).toBe('not so (cause: because)');
    const same = reply(200, { code: '1', message: 'no', cause: 'no' });
    expect(texts(verdict(ORDERS, same))[0]).toBe('no');
    expect(texts(verdict(ORDERS, reply(200, { code: '1' })))[0]).toContain('code 1');
  });

  it('are cleaned of control characters and cut, whatever their type', () => {
    const said = (message: unknown) => texts(verdict(ORDERS, reply(200, { code: '1', message })))[0]!;
    expect(said('a\u0000b\u001b[31m\r\nc\u202ed')).toBe('a b [31m c d');
    expect(said('长'.repeat(5_000))).toBe(`${'长'.repeat(1_999)}…`);
    expect(said({ field: 'x' })).toBe('{"field":"x"}');
    expect(said(['a', 12])).toBe('["a",12]');
  });

  it('may contain braces without being treated as a template', () => {
    expect(texts(verdict(ORDERS, reply(200, { code: '1', message: '{cause} {text}' })))[0]).toBe(
      '{cause} {text}',
    );
  });
});

describe('numbers where the interface has a String', () => {
  const LONG = '123456789012345678901234567890';
  const single = (name: OperationName, body: JsonObject = {}): Case => ({
    name,
    sent: { ...POST, body },
    items: 1,
  });
  const settled = (it: Case, text: string): ItemOutcome | undefined => {
    const found = verdict(it, reply(200, text));
    return found.kind === 'settled' ? found.outcomes[0] : undefined;
  };

  it.each([LONG, '9007199254740993', '1.0', '1e3', '42'])(
    '%s: the same digits, whatever was asked',
    (digits) => {
      const order = {
        name: 'order.new_buy',
        sent: { ...ORDERS.sent, body: { orderList: [{ sequence: 1 }] } },
        items: 1,
      } as const;
      expect(
        settled(
          order,
          `{"code":0,"data":[{"sequence":1,"licenseOrderId":${digits},"customerId":${digits}}]}`,
        ),
      ).toMatchObject({ status: 'succeeded', licenseOrderId: digits, columns: { customerId: digits } });
      expect(
        settled(
          single('enterprise.query'),
          `{"code":0,"data":[{"customerId":${digits},"enterpriseGlobalId":${digits}}]}`,
        ),
      ).toMatchObject({
        status: 'succeeded',
        columns: { customerId: digits, enterpriseGlobalId: digits },
        records: [{ customerId: digits, enterpriseGlobalId: digits }],
      });
      expect(
        settled(single('enterprise.create'), `{"code":0,"data":{"enterpriseGlobalId":${digits}}}`),
      ).toMatchObject({
        columns: { enterpriseGlobalId: digits },
      });
      expect(
        settled(single('activity.participate'), `{"resultCode":${digits},"resultMessage":5}`),
      ).toMatchObject({
        status: 'rejected',
        code: digits,
      });
      expect(settled(order, `{"code":${digits},"message":${digits}}`)).toMatchObject({
        status: 'rejected',
        code: digits,
      });
    },
  );

  it.each(['0', '0.0', '-0', '0E0', '"0"', '"0.0"'])('code %s is a success', (code) => {
    const text = `{"code":${code},"data":["8000000001"]}`;
    expect(settled(single('asset.numbers', { size: 1 }), text)).toMatchObject({ status: 'succeeded' });
  });

  it.each(['500', '500.0', '5e2', '"500"'])('code %s asks to retry', (code) => {
    expect(short(verdict(ORDERS, reply(200, `{"code":${code},"message":"busy"}`)))).toBe(
      'retry(unknown 500)',
    );
  });

  it.each(['0', '0.0', '"0"'])('resultCode %s may have been 0000: nothing is known', (code) => {
    const text = `{"resultCode":${code},"resultMessage":"ok"}`;
    expect(short(verdict(ACTIVITY, reply(200, text)))).toBe('unknown 200');
  });
});
