import * as on from './happenings.js';
import type { Attempted, Trial } from './trial.js';

/** Status of the rows, attempts, effects, exit code. */
export type Expected = readonly [status: string, attempts: number, effects: number, exit: number];

export interface Event extends Partial<Omit<Trial, 'tried'>> {
  readonly event: string;
  readonly happening: Trial['happening'];
  /** By what was tried; what is missing has no such event. Orders and locks go three to a request. */
  readonly expected: Partial<Record<Attempted, Expected>>;
}

const SHORT = ['run.timeout=250ms'];

/** Orders and claims with an uncertain outcome are never sent again; locks are, as a repeat does no harm. */
const LOST_BEFORE = {
  order: ['unknown', 1, 0, 6],
  lock: ['failed', 3, 0, 1],
  activity: ['unknown', 1, 0, 6],
} as const;
const LOST_AFTER = {
  order: ['unknown', 1, 3, 6],
  lock: ['failed', 3, 9, 1],
  activity: ['unknown', 1, 1, 6],
} as const;
const UNSENT = {
  order: ['failed', 3, 0, 1],
  lock: ['failed', 3, 0, 1],
  activity: ['failed', 3, 0, 1],
} as const;
const REFUSED = {
  order: ['rejected', 1, 0, 1],
  lock: ['rejected', 1, 0, 1],
  activity: ['rejected', 1, 0, 1],
} as const;
const STOPPED = {
  order: ['not_sent', 1, 0, 4],
  lock: ['not_sent', 1, 0, 4],
  activity: ['not_sent', 1, 0, 4],
} as const;
const DONE = {
  order: ['succeeded', 1, 3, 0],
  lock: ['succeeded', 1, 3, 0],
  activity: ['succeeded', 1, 1, 0],
} as const;
const DONE_AT_SECOND = {
  order: ['succeeded', 2, 3, 0],
  lock: ['succeeded', 2, 3, 0],
  activity: ['succeeded', 2, 1, 0],
} as const;
/** A redirect stops the run. */
const REDIRECTED = {
  order: ['unknown', 1, 0, 6],
  lock: ['failed', 1, 0, 4],
  activity: ['unknown', 1, 0, 6],
} as const;
const REDIRECTED_AFTER = {
  order: ['unknown', 1, 3, 6],
  lock: ['failed', 1, 3, 4],
  activity: ['unknown', 1, 1, 6],
} as const;

const BUSY = { code: '500', message: 'network error', cause: '' };
const ELSEWHERE = { location: '/sandbox/elsewhere' };
const BIG = '9007199254740993';

/** Where the activity's answer would be one of many alike. */
function ordersAndLocks({ order, lock }: Event['expected']): Event['expected'] {
  return { ...(order && { order }), ...(lock && { lock }) };
}

/** The event table of docs/outcomes.md, row by row. `{silent}` in an address: a port that accepts and says nothing. */
export const EVENTS: readonly Event[] = [
  { event: 'nothing goes wrong', happening: on.fine, expected: DONE },

  {
    event: 'name not resolved',
    happening: on.fine,
    // A host of its own: the user has sent to it with no other ledger.
    address: (port) => `https://nowhere-${port}.invalid`,
    expected: UNSENT,
  },
  { event: 'connection refused', happening: on.fine, address: () => 'http://127.0.0.1:1', expected: UNSENT },
  {
    event: 'TLS handshake failed',
    happening: on.fine,
    address: (port) => `https://127.0.0.1:${port}`,
    expected: UNSENT,
  },
  {
    event: 'timeout, nothing sent',
    happening: on.fine,
    address: () => 'https://127.0.0.1:{silent}',
    set: SHORT,
    expected: UNSENT,
  },

  {
    event: 'died with the attempt open',
    happening: on.fine,
    dies: true,
    expected: { order: LOST_AFTER.order, lock: ['succeeded', 2, 6, 0], activity: LOST_AFTER.activity },
  },

  { event: 'reset before delivery', happening: on.resetBefore, expected: LOST_BEFORE },
  { event: 'reset after delivery', happening: on.resetAfter, expected: LOST_AFTER },
  {
    event: 'reset once, then fine',
    happening: on.inTurn(on.resetAfter, on.fine),
    expected: { ...LOST_AFTER, lock: ['succeeded', 2, 6, 0] },
  },
  { event: 'end of stream, no reply', happening: on.endAfter, expected: LOST_AFTER },
  { event: 'no reply (hang)', happening: on.hang, set: SHORT, expected: LOST_AFTER },
  { event: 'reply drips', happening: on.drip, set: SHORT, expected: LOST_AFTER },

  { event: 'reply truncated', happening: on.truncated, expected: LOST_AFTER },
  { event: 'reply over 10 MB', happening: on.oversize, expected: LOST_AFTER },
  { event: 'reply over 10 MB inflated', happening: on.oversizeInflated, expected: LOST_AFTER },
  { event: 'reply not decodable', happening: on.badEncoding, expected: LOST_AFTER },
  { event: 'reply is no HTTP', happening: on.notHttp, expected: LOST_AFTER },
  { event: 'reply not JSON', happening: on.afterwards('<title>Gateway</title>'), expected: LOST_AFTER },
  { event: 'reply empty', happening: on.afterwards(''), expected: LOST_AFTER },
  { event: 'wrong shape: []', happening: on.afterwards('[]'), expected: LOST_AFTER },
  {
    event: 'wrong shape: data is text',
    happening: on.changed((body) => ({ ...body, data: 'done' })),
    expected: { order: LOST_AFTER.order, lock: LOST_AFTER.lock },
  },
  {
    event: 'wrong shape: no code',
    happening: on.changed(({ data }) => ({ data })),
    expected: LOST_AFTER,
  },
  {
    event: 'code 299, code 0 within',
    happening: on.afterwards('{"code":0,"message":"success"}', 299),
    expected: LOST_AFTER,
  },

  {
    event: 'code "0" as text',
    happening: on.changed((body) => ({ ...body, code: '0' })),
    expected: { order: DONE.order, lock: DONE.lock },
  },
  ...['0', '0.0', '-0', '0e5'].map((code) => ({
    event: `code ${code} as a number`,
    happening: on.changedText((text) => text.replace(/"code":(?:0|"0")/u, `"code":${code}`)),
    expected: { order: DONE.order, lock: DONE.lock },
  })),
  {
    event: 'numbers for ids, long ones',
    happening: on.changedText((text) =>
      text
        .replace(/"licenseOrderId":"LO-?/gu, `"licenseOrderId":${BIG}`)
        .replace(/("licenseOrderId":\d+)[^,}]*/gu, '$1')
        .replace(/"(assetNum|customerId)":"(\d+)"/gu, '"$1":$2'),
    ),
    expected: { order: DONE.order, lock: DONE.lock },
  },
  {
    event: 'activity code 0000 as the number 0',
    happening: on.changedText((text) => text.replace('"resultCode":"0000"', '"resultCode":0')),
    expected: { activity: LOST_AFTER.activity },
  },
  {
    event: 'activity code 3002 as a number',
    happening: on.refuses(200, { resultCode: 3002, resultMessage: 'no' }),
    expected: { activity: REFUSED.activity },
  },
  {
    event: 'code 0, no data',
    happening: on.changed(({ code, message }) => ({ code, message })),
    expected: { order: ['unknown', 1, 3, 6], lock: ['failed', 1, 3, 1] },
  },

  {
    event: 'one missing from the reply',
    happening: on.inTurn(
      on.changedData((data) => data.toSpliced(1, 1)),
      on.fine,
    ),
    expected: { order: ['succeeded, unknown, succeeded', 1, 3, 6], lock: ['succeeded', 2, 4, 0] },
  },
  {
    event: 'one missing again and again',
    happening: on.changedData((data) =>
      data.filter((it) => it.sequence !== 2 && it.assetNum !== '8100000002'),
    ),
    expected: {
      order: ['succeeded, unknown, succeeded', 1, 3, 6],
      lock: ['succeeded, failed, succeeded', 3, 5, 1],
    },
  },
  {
    event: 'one twice, different',
    happening: on.inTurn(
      on.changedData((data) => [...data, { ...data[1], licenseOrderId: 'LO-OTHER', status: 3 }]),
      on.fine,
    ),
    expected: { order: ['succeeded, unknown, succeeded', 1, 3, 6], lock: ['succeeded', 2, 4, 0] },
  },
  {
    event: 'one twice, the same',
    happening: on.changedData((data) => [...data, { ...data[1] }]),
    expected: { order: DONE.order, lock: DONE.lock },
  },
  {
    event: 'one not asked for',
    happening: on.changedData((data) => [...data, { ...data[0], sequence: 77, assetNum: '8999999999' }]),
    expected: { order: DONE.order, lock: DONE.lock },
  },
  {
    event: 'number over 2^53 beside',
    happening: on.changedText((text) => text.replace('"data":[', `"at":${BIG},"data":[`)),
    expected: DONE,
  },

  {
    event: 'business code 13004',
    happening: on.refuses(200, { code: '13004', message: 'adminEmail is malformed', cause: 'x' }),
    expected: REFUSED,
  },
  {
    event: 'another business code',
    happening: on.refuses(200, { code: '20001', message: 'no such customer', cause: '' }),
    expected: REFUSED,
  },
  {
    event: 'HTTP 299',
    happening: on.refuses(299, { code: '20999', message: 'no', cause: 'c' }),
    expected: REFUSED,
  },
  { event: 'HTTP 299, not JSON', happening: on.refuses(299, 'sorry'), expected: REFUSED },
  {
    event: 'business code 500 for good',
    happening: on.refuses(200, BUSY),
    expected: { order: ['unknown', 3, 0, 6], lock: ['failed', 3, 0, 1], activity: ['unknown', 3, 0, 6] },
  },
  {
    event: 'business code 500 once',
    happening: on.inTurn(on.refuses(200, BUSY), on.fine),
    expected: DONE_AT_SECOND,
  },
  {
    event: 'HTTP 299, code 500 once',
    happening: on.inTurn(on.refuses(299, BUSY), on.fine),
    expected: DONE_AT_SECOND,
  },
  {
    event: 'code 500, orders held back',
    happening: on.inTurn(on.refuses(200, BUSY), on.fine),
    connection: { retryCode500: 'repeatable' },
    expected: { order: ['unknown', 1, 0, 6], lock: DONE_AT_SECOND.lock, activity: ['unknown', 1, 0, 6] },
  },

  {
    event: 'HTTP 429 for good',
    happening: on.refuses(429, {}, { 'retry-after': '60' }),
    set: ['run.patience=50s'],
    expected: STOPPED,
  },
  {
    event: 'HTTP 429 more often than there are retries',
    happening: on.inTurn(...Array.from({ length: 7 }, () => on.refuses(429)), on.fine),
    expected: {
      order: ['succeeded', 8, 3, 0],
      lock: ['succeeded', 8, 3, 0],
      activity: ['succeeded', 8, 1, 0],
    },
  },
  {
    event: 'HTTP 503 with Retry-After, more often than there are retries',
    happening: on.inTurn(
      ...Array.from({ length: 7 }, () => on.refuses(503, {}, { 'retry-after': '9' })),
      on.fine,
    ),
    expected: { ...LOST_BEFORE, lock: ['succeeded', 8, 3, 0] },
  },
  {
    event: 'code 500 with Retry-After, more often than there are retries',
    happening: on.inTurn(
      ...Array.from({ length: 7 }, () => on.refuses(200, BUSY, { 'retry-after': '9' })),
      on.fine,
    ),
    expected: {
      order: ['succeeded', 8, 3, 0],
      lock: ['succeeded', 8, 3, 0],
      activity: ['succeeded', 8, 1, 0],
    },
  },
  {
    event: 'code 500 with Retry-After beyond patience',
    happening: on.refuses(200, BUSY, { 'retry-after': '60' }),
    set: ['run.patience=50s'],
    expected: { order: ['unknown', 1, 0, 6], lock: ['not_sent', 1, 0, 4], activity: ['unknown', 1, 0, 6] },
  },
  {
    event: 'HTTP 429 once, Retry-After',
    happening: on.inTurn(on.refuses(429, {}, { 'retry-after': '7' }), on.fine),
    expected: DONE_AT_SECOND,
  },
  { event: 'HTTP 401', happening: on.refuses(401), expected: STOPPED },
  { event: 'HTTP 403', happening: on.refuses(403), expected: STOPPED },
  ...[408, 500, 502, 503, 504].map((status) => ({
    event: `HTTP ${status}`,
    happening: on.refuses(status),
    expected: ordersAndLocks(LOST_BEFORE),
  })),
  { event: 'HTTP 500, carried out', happening: on.refusesAfter(500), expected: LOST_AFTER },
  {
    event: 'HTTP 503 once, then fine',
    happening: on.inTurn(on.refuses(503), on.fine),
    expected: { ...LOST_BEFORE, lock: DONE_AT_SECOND.lock },
  },
  ...[400, 404, 405, 409, 413, 415, 422].map((status) => ({
    event: `HTTP ${status}`,
    happening: on.refuses(status),
    expected: ordersAndLocks(REFUSED),
  })),
  ...[301, 302, 307, 308].map((status) => ({
    event: `HTTP ${status}`,
    happening: on.refuses(status, {}, ELSEWHERE),
    expected: ordersAndLocks(REDIRECTED),
  })),
  { event: 'HTTP 303, carried out', happening: on.refusesAfter(303, ELSEWHERE), expected: REDIRECTED_AFTER },

  {
    event: 'lock status 1, 2, 3, 4, else',
    happening: on.changedData((data) =>
      data.map((it) => (it.assetNum === '8100000002' ? { ...it, status: 9 } : it)),
    ),
    rows: 'Lock\n8100000001\n8999999999\n8100000151\n8100000121\n8100000002\n',
    // The last one was still locked: what its status means is not known.
    expected: { lock: ['succeeded, rejected, rejected, rejected, failed', 1, 2, 1] },
  },
  ...(['1001', '1002', '1004', '2001', '3001', '3002', '9999'] as const).map((resultCode) => ({
    event: `activity code ${resultCode}`,
    happening: on.refuses(200, { resultCode, resultMessage: 'no' }),
    expected: { activity: REFUSED.activity },
  })),
  {
    event: 'activity without a code',
    happening: on.changed(({ detail }) => ({ detail })),
    expected: { activity: LOST_AFTER.activity },
  },
];
