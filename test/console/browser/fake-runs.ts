import type { FakeRoutes } from '../../support/fake-console.js';
import { problem } from '../../support/fake-console.js';

const MADE = '2026-11-23T01:20:00.000Z';

/** A run as the API lists it. */
function listed(over: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    run: '20261123-012410-4f9a21',
    kind: 'run',
    job: 'new-buy',
    operation: 'order.new_buy',
    connection: 'production',
    host: 'licences.example.com',
    sandbox: false,
    state: 'completed',
    by: 'Wang Fang',
    started: '2026-11-23T01:24:10.000Z',
    ended: '2026-11-23T01:26:42.000Z',
    input: '/srv/sheets/orders-november.xlsx',
    rows: 120,
    items: 112,
    counts: { succeeded: 108, rejected: 3, unknown: 1, invalid: 5, skipped: 3 },
    requests: 118,
    retries: 6,
    approval: { state: 'not_asked' },
    ...over,
  };
}

const LIST = [
  listed({
    run: '20261123-021500-aa11ff',
    state: 'executing',
    counts: { succeeded: 40, not_sent: 72 },
    ended: undefined,
  }),
  listed(),
  listed({
    run: '20261123-011000-0b77c2',
    job: 'delete-asset',
    kind: 'plan',
    operation: 'asset.delete',
    state: 'planned',
    counts: { valid: 12, invalid: 1 },
    by: 'os:li@desk-7',
  }),
  listed({
    run: '20261122-180000-c0ffee',
    job: 'extend',
    connection: 'sandbox',
    sandbox: true,
    state: 'stopped',
  }),
  listed({
    run: '20261122-170000-beef01',
    job: 'extend',
    connection: 'sandbox',
    sandbox: true,
    state: 'cut off',
    counts: { succeeded: 5, not_sent: 20 },
  }),
  listed({
    run: '20261122-160000-beef02',
    job: 'onboard',
    operation: 'steps',
    state: 'invalid',
    kind: 'dry_run',
    counts: { valid: 18, invalid: 4 },
  }),
];

const WAITING = listed({
  run: '20261123-012000-77d0aa',
  kind: 'plan',
  state: 'planned',
  counts: { valid: 112, invalid: 5, skipped: 3 },
  approval: { state: 'waiting', by: 'Wang Fang', comment: 'November orders of the south region' },
});

export interface FakeRuns {
  readonly routes: FakeRoutes;
  readonly plan: Record<string, unknown>;
  readonly run: Record<string, unknown>;
  /** Bodies of writes, by address. */
  readonly written: (readonly [address: string, body: unknown])[];
  /** Takes the next send in and gives no answer; `lost`: not even that. */
  sendFails: 'unanswered' | 'lost' | undefined;
  /** Streams that are open. */
  readonly events: Set<ReadableStreamDefaultController<Uint8Array>>;
  /** `Last-Event-ID` of each stream that was asked for. */
  readonly resumedFrom: (string | null)[];
  tell(id: number, name: string, data: unknown): void;
  /** Cuts the streams. */
  cut(): void;
  list: readonly Record<string, unknown>[];
  waiting: readonly Record<string, unknown>[];
}

/** Runs and plans, as the API reports them. */
export function fakeRuns(over: { plan?: object; run?: object } = {}): FakeRuns {
  const plan: Record<string, unknown> = {
    run: '20261123-012000-77d0aa',
    version: '1',
    job: 'new-buy',
    state: 'planned',
    input: 'orders-november.xlsx',
    hash: '9f2c4b7d1e88a0c35f6e7d90aa41b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3',
    by: 'Wang Fang',
    madeAt: MADE,
    rows: 120,
    items: 112,
    counts: { valid: 112, invalid: 5, skipped: 3 },
    operations: [
      { operation: 'order.new_buy', items: 100, requests: 100, irreversible: true },
      { operation: 'order.extend', items: 12, requests: 2, reversal: 'order.terminate' },
    ],
    first: [
      {
        method: 'POST',
        url: 'https://licences.example.com/v1/orders/new-buy',
        body: {
          orderNo: 'SO-10241',
          customer: { name: 'Guangzhou Hotel' },
          quantity: 12,
          startDate: '2026-12-01',
        },
      },
      {
        method: 'POST',
        url: 'https://licences.example.com/v1/orders/new-buy',
        body: { orderNo: 'SO-10242', customer: { name: '海天酒店' }, quantity: 3, startDate: '2026-12-01' },
      },
    ],
    skipped: [
      {
        status: 'invalid',
        reason: 'C7: "Sued" is not a region; allowed: China, Germany',
        count: 5,
        rows: [7, 9, 12],
      },
      {
        status: 'skipped',
        reason: 'run 20261101-080000-aa00bb already got this through',
        count: 3,
        rows: [15, 18, 19],
      },
    ],
    difference: [
      { kind: 'new', depth: 0, text: '100 new orders by order.new_buy' },
      { kind: 'new', depth: 1, text: 'row 2: Guangzhou Hotel, 12 × Standard' },
      { kind: 'changed', depth: 0, text: '12 orders extended by order.extend' },
    ],
    approval: { needed: false, state: 'not_asked', lines: [] },
    connection: { name: 'production', host: 'licences.example.com', sandbox: false },
    may: { send: true },
    ...over.plan,
  };
  const run: Record<string, unknown> = {
    ...listed(),
    steps: [],
    may: {
      resume: 'It is completed: nothing is left to send.',
      retry: true,
      revert: true,
      resolve: true,
      result: true,
      report: true,
    },
    ...over.run,
  };
  const written: (readonly [string, unknown])[] = [];
  const events = new Set<ReadableStreamDefaultController<Uint8Array>>();
  const resumedFrom: (string | null)[] = [];
  const encoder = new TextEncoder();
  const rows = Array.from({ length: 120 }, (_, at) => rowOf(at + 2));
  const fake: FakeRuns = {
    plan,
    run,
    written,
    events,
    resumedFrom,
    sendFails: undefined,
    list: LIST,
    waiting: [WAITING],
    tell(id, name, data) {
      for (const it of events)
        it.enqueue(encoder.encode(`id: ${id}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`));
    },
    cut() {
      for (const it of events) it.close();
      events.clear();
    },
    routes: {
      'GET /session': () => ({
        who: 'Wang Fang',
        roles: ['maker'],
        ledger: { kind: 'sqlite', people: true },
      }),
      'GET /jobs': () => ({
        items: [
          { name: 'new-buy', file: 'jobs/new-buy.yaml' },
          { name: 'delete-asset', file: 'jobs/delete-asset.yaml' },
        ],
      }),
      'GET /runs': ({ query }) => {
        if (query.get('approval') === 'mine') return { items: fake.waiting };
        const items = fake.list.filter(
          (it) =>
            String(it.job).includes(query.get('job') ?? '') &&
            String(it.by).includes(query.get('person') ?? '') &&
            (query.get('status') ?? it.state) === it.state,
        );
        return query.get('before')
          ? { items: items.slice(0, 1) }
          : { items, ...(items.length > 3 ? { next: 'older' } : {}) };
      },
      'GET /plans/([^/]+)': ({ params }) =>
        params[0] === plan.run ? plan : problem(404, 'There is no such run.', 'run.no_such_run'),
      'GET /plans/[^/]+/version': () => ({ version: plan.version }),
      'GET /plans/[^/]+/rows': ({ query }) => {
        const after = Number(query.get('after') ?? 0);
        return {
          headers: ['订单号', '客户', '开始日期'],
          items: [after + 2, after + 3].map((row) => ({
            row,
            cells: [
              { text: `SO-${10_239 + row}` },
              row === 3 ? { text: '海天酒店', before: '海天' } : { text: 'Guangzhou Hotel' },
              { text: '2026-12-01' },
            ],
            fields: [
              { name: 'limitStartDate', text: '2026-12-01 00:00:00 Asia/Shanghai' },
              { name: 'licenseType', text: 'normal_recover_usbkey' },
            ],
          })),
          total: 112,
          ...(after === 0 ? { next: 51 } : {}),
        };
      },
      'POST /plans/[^/]+/send': async ({ body }) => {
        if (plan.sent) return problem(409, 'This plan was applied already.', 'run.applied_already');
        if (fake.sendFails === 'lost') throw new Error('the network is gone before it arrives');
        written.push(['send', body]);
        plan.sent = { by: 'Wang Fang', at: '2026-11-23T01:30:00.000Z', requests: 102, goesOn: false };
        if (fake.sendFails === 'unanswered') throw new Error('the network is gone before the answer arrives');
        await new Promise((resolve) => setTimeout(resolve, 150));
        return { run: plan.run };
      },
      'POST /plans/[^/]+/(request|approve|reject)': ({ params, body }) => {
        written.push([params[0] ?? '', body]);
        return {};
      },
      'GET /runs/([^/]+)': ({ params }) =>
        params[0] === run.run || params[0] === plan.run
          ? { ...run, run: params[0] }
          : problem(404, 'There is no such run.', 'run.no_such_run'),
      'GET /runs/[^/]+/rows': ({ query }) => {
        const found = rows.filter(
          (it) =>
            (query.get('status') ?? it.status) === it.status &&
            JSON.stringify(it)
              .toLowerCase()
              .includes((query.get('search') ?? '').toLowerCase()),
        );
        const after = Number(query.get('after') ?? 0);
        const items = found.filter((it) => it.row > after).slice(0, 50);
        const last = items.at(-1)?.row;
        return {
          items,
          total: found.length,
          ...(last !== undefined && last !== found.at(-1)?.row ? { next: last } : {}),
        };
      },
      'GET /runs/[^/]+/rows/(\\d+)': ({ params }) => storyOf(Number(params[0])),
      'POST /runs/[^/]+/(stop|resume)': ({ params, body }) => {
        written.push([params[0] ?? '', body]);
        run.state = params[0] === 'stop' ? 'stopped' : 'executing';
        run.may = params[0] === 'stop' ? { resume: true, result: true } : { stop: true };
        return {};
      },
      'POST /runs/[^/]+/(retry|revert)': ({ params, body }) => {
        written.push([params[0] ?? '', body]);
        return { run: plan.run };
      },
      'POST /runs/[^/]+/resolve': ({ body }) => {
        written.push(['resolve', body]);
        return body.verify
          ? { settled: [], left: [{ rows: [41], reason: 'the platform has no record by that number' }] }
          : { settled: [{ rows: [41] }], left: [] };
      },
      'GET /runs/[^/]+/events': ({ headers }) => {
        resumedFrom.push(headers.get('last-event-id'));
        let own: ReadableStreamDefaultController<Uint8Array>;
        const body = new ReadableStream<Uint8Array>({
          start(controller) {
            own = controller;
            events.add(controller);
            controller.enqueue(encoder.encode(': hello\n\n'));
          },
          cancel() {
            events.delete(own);
          },
        });
        return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
      },
    },
  };
  return fake;
}

function rowOf(row: number) {
  const base = { row, attempts: 1, columns: {}, about: [`SO-${10_239 + row}`, '海天酒店'] };
  if (row === 41) return { ...base, status: 'unknown', message: 'no answer came after it was sent' };
  if (row % 40 === 0)
    return {
      ...base,
      status: 'rejected',
      code: '4012',
      message: 'the customer is not known to the platform',
    };
  if (row === 7 || row === 9)
    return {
      ...base,
      status: 'invalid',
      attempts: 0,
      message: `C${row}: "Sued" is not a region; allowed: China, Germany`,
    };
  return { ...base, status: 'succeeded', licenseOrderId: `LO-${80_000 + row}`, message: '' };
}

function storyOf(row: number) {
  const { attempts: _, ...result } = rowOf(row);
  return {
    run: '20261123-012410-4f9a21',
    ...result,
    sheet: 'Orders',
    cells: [
      { header: 'Order number', address: `A${row}`, text: `SO-${10_239 + row}` },
      { header: 'Customer', address: `B${row}`, text: '海天酒店' },
      { header: 'Quantity', address: `D${row}`, text: '12' },
    ],
    lookups: [
      {
        field: 'customer.id',
        operation: 'customer.list',
        request: { name: '海天酒店' },
        record: { id: 4711, name: '海天酒店' },
      },
    ],
    requests: [
      {
        items: 1,
        request: {
          method: 'POST',
          url: 'https://licences.example.com/v1/orders/new-buy',
          body: { orderNo: `SO-${row}`, quantity: 12 },
        },
        attempts: [
          {
            attempt: 1,
            startedAt: '2026-11-23T01:24:12.000Z',
            durationMs: 431,
            httpStatus: 200,
            event: 'answered',
            reply: { code: 200, msg: 'ok' },
          },
        ],
      },
    ],
    audit: row === 42 ? [{ at: MADE, who: 'Wang Fang', evidence: 'seen on the platform' }] : [],
    next: 'Nothing: it is through.',
  };
}
