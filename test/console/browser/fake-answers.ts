import type { FakeRoutes } from '../../support/fake-console.js';
import { FakeImport } from './fake-import.js';
import { fakeRuns } from './fake-runs.js';

const AT = '2026-11-23T01:20:00.000Z';

const SCHEDULE = {
  job: 'nightly',
  file: 'jobs/nightly.yaml',
  kind: 'run',
  connection: 'production',
  cron: '0 2 * * *',
  timezone: 'Asia/Shanghai',
  next: ['2026-11-24T18:00:00.000Z', '2026-11-25T18:00:00.000Z'],
  last: { due: '2026-11-22T18:00:00.000Z', exitCode: 1, run: '20261123-012410-4f9a21' },
  lastRun: { run: '20261123-012410-4f9a21', state: 'completed', started: AT },
};

const COMPARED = {
  run: '20261123-030000-c0c0c0',
  kind: 'reconcile',
  job: 'customers',
  operation: 'enterprise',
  connection: 'production',
  state: 'completed',
  started: AT,
  counts: { drifted: 1, missing: 1, in_sync: 40 },
  rows: 42,
};

/** Answers to all that any page asks: there is something everywhere. */
export function fakeAnswers(): FakeRoutes {
  const runs = fakeRuns({
    plan: { may: { send: true, request: true, approve: true, reject: true } },
    run: { may: { resume: true, retry: true, revert: '…', resolve: true, result: true, report: true } },
  });
  const { routes } = new FakeImport(1000, 7);
  return {
    'GET /session': () => ({
      who: 'Chen Jing',
      roles: ['admin'],
      signedInBy: 'token',
      ledger: { kind: 'postgres', people: true },
      languages: ['en', 'zh'],
      version: '0.1.0',
    }),
    'GET /jobs': () => ({
      items: [
        { name: 'new-buy', file: 'jobs/new-buy.yaml', operation: 'order.new_buy', connection: 'production' },
        { name: 'customers', file: 'jobs/customers.yaml', kind: 'reconcile', connection: 'production' },
        { name: 'wrong', file: 'jobs/wrong.yaml', problem: 'line 3: order.steal' },
      ],
    }),
    'GET /connections': () => ({
      items: [
        {
          name: 'production',
          sandbox: false,
          host: 'licences.example.com',
          isDefault: true,
          confirm: 'always',
          approval: { operations: ['order.*'], above: 100 },
          requestsPerSecond: 5,
          maxInFlight: 2,
        },
        { name: 'trial', sandbox: true, host: 'localhost', isDefault: false },
        { name: 'broken', sandbox: false, isDefault: false, problems: ['baseUrl: …'] },
      ],
    }),
    'POST /connections/[^/]+/doctor': () => ({
      ok: false,
      steps: [
        { step: 'settings', state: 'ok', code: 'doctor.settings', message: '…' },
        { step: 'clock', state: 'warning', code: 'doctor.clock', message: '…' },
        { step: 'token', state: 'fault', code: 'doctor.token', message: '…' },
        { step: 'reach', state: 'skipped', code: 'doctor.reach', message: '…' },
      ],
    }),
    'GET /schedules': () => ({
      items: [SCHEDULE, { ...SCHEDULE, job: 'weekly', paused: { by: 'Li Na', at: AT } }],
    }),
    'GET /templates': () => ({
      items: [
        { operation: 'order.new_buy', purpose: '…', nested: true },
        { operation: 'asset.lock', purpose: '…', nested: false },
      ],
    }),
    'GET /audit': () => ({
      items: [
        { n: 3, at: AT, who: 'Li Na', act: 'denied', run: null, detail: { act: 'approve' } },
        { n: 2, at: AT, who: 'Li Na', act: 'request', run: SCHEDULE.last.run, detail: { comment: '…' } },
        { n: 1, at: AT, who: 'os:li@desk-7', act: 'people.add', run: null, detail: { name: 'Li Na' } },
      ].map((it) => ({ ...it, words: { act: '…', detail: '…' } })),
      next: 1,
      acts: [{ act: 'request', name: '…' }],
    }),
    'GET /people': () => ({
      items: [
        {
          name: 'Li Na',
          roles: ['maker', 'checker'],
          added: AT,
          tokenExpires: '2027-02-01T00:00:00.000Z',
          unconfirmed: [{ by: 'Zhao', until: AT }],
        },
        { name: 'Chen Jing', roles: ['admin'], subject: 'chen@example.com', added: AT },
      ],
    }),
    'GET /sessions': () => ({
      items: [
        { id: 's1', who: 'Chen Jing', by: 'token', since: AT, seen: AT, expires: AT },
        { id: 's2', who: 'Li Na', by: 'oidc', since: AT, seen: AT, expires: AT },
      ],
    }),
    'GET /policies': () => ({
      items: [{ host: 'licences.example.com', approval: { above: 100 }, by: 'Li Na', since: AT, words: '…' }],
    }),
    'GET /runs/[^/]+/rehearsal': () => ({
      run: SCHEDULE.last.run,
      state: 'over',
      job: 'nightly',
      connection: 'production',
      operation: 'asset.lock',
      input: 'locks.csv',
      sent: true,
      by: 'Li Na',
      ended: AT,
      rows: 3,
      counts: { succeeded: 2, rejected: 1 },
      warnings: ['…'],
      result: true,
      comparable: true,
    }),
    'GET /runs/[^/]+/rehearsal/rows': () => ({
      items: [
        { row: 2, status: 'succeeded', columns: { Lock: '8100000001' } },
        { row: 4, status: 'rejected', code: '1001', message: '…', columns: {} },
      ],
    }),
    'GET /reconciliations/[^/]+': () => ({
      run: COMPARED,
      drift: [
        {
          line: 1,
          row: 2,
          status: 'drifted',
          fields: [
            { field: 'enterpriseName', expected: '海天酒店', actual: '海天' },
            { field: 'country', expected: '中国' },
          ],
          action: 'enterprise.update',
          message: '…',
        },
        { line: 2, status: 'missing', fields: [] },
      ],
      plans: [],
      next: 2,
    }),
    ...routes,
    'GET /imports/i1': (it) => ({ ...(routes['GET /imports/i1']!(it) as object), guessed: true }),
    ...without(runs.routes, ['GET /session', 'GET /jobs']),
  };
}

/** The answers where there is nothing yet; pages that show one thing only are not among them. */
export const NOTHING_YET: FakeRoutes = {
  'GET /(?:runs|jobs|connections|schedules|templates|audit|people|sessions|policies)': () => ({
    items: [],
    acts: [],
  }),
  'GET /runs/[^/]+/rows': () => ({ items: [], total: 0 }),
  'GET /imports/i1/columns': () => ({ headers: [], rowCount: 0 }),
  'GET /reconciliations/[^/]+': () => ({ run: { ...COMPARED, counts: {} }, drift: [], plans: [] }),
};

function without(routes: FakeRoutes, names: readonly string[]): FakeRoutes {
  return Object.fromEntries(Object.entries(routes).filter(([name]) => !names.includes(name)));
}
