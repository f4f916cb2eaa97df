import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { approvePlan, rejectPlan, requestApproval } from '../../src/app/approvals.js';
import { auditPage, checkAudit } from '../../src/app/audit.js';
import { UNWATCHED, type WatchedContext } from '../../src/app/context.js';
import { applyPlan, resumeRun, retryRun, revertRun } from '../../src/app/continue-run.js';
import { acceptRestored, copyLedger } from '../../src/app/ledger.js';
import { addPerson, renewToken } from '../../src/app/people.js';
import { permitted } from '../../src/app/permit.js';
import { pruneRuns } from '../../src/app/prune.js';
import { pullRecords } from '../../src/app/pull.js';
import { stopRun } from '../../src/app/queued-runs.js';
import { reconcileJob } from '../../src/app/reconcile.js';
import { rehearseJob } from '../../src/app/rehearse.js';
import { resolveRun } from '../../src/app/resolve.js';
import { runJob } from '../../src/app/run.js';
import { listRuns, showRun } from '../../src/app/runs.js';
import { runSchedules } from '../../src/app/schedule.js';
import { submitJob } from '../../src/app/submit.js';
import { withLedger } from '../../src/app/with-ledger.js';
import { ProductError } from '../../src/errors/product-error.js';
import { ROLES, type Role } from '../../src/model/console.js';
import { ACTS, type Act, type Caller, localName, mayDo } from '../../src/people/identity.js';
import { StopSignal } from '../../src/util/stop-signal.js';
import { LEDGER_MAKERS, useLedger } from '../support/ledgers.js';
import { orderJob, orderRows } from '../support/orders.js';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'license-sync-permit-'));
  const files = {
    'orders.csv': orderRows(1),
    'orders.yaml': orderJob({ extra: 'connection: sandbox\n' }),
    'nightly.yaml': orderJob({
      extra: 'connection: sandbox\nschedule: { cron: "0 7 * * *", timezone: Asia/Shanghai }\n',
    }),
    'want.csv': 'Enterprise,Lock,Locked\nE1,8100000001,TRUE\n',
    'enterprises.csv': 'Enterprise ID\nENT-0001\n',
    'compare.yaml': [
      'version: 1',
      'name: compare',
      'reconcile: asset',
      'connection: sandbox',
      'source: { file: want.csv }',
      'key: { enterpriseGlobalId: Enterprise, assetNum: Lock }',
      'expect: { locked: Locked }',
    ].join('\n'),
  };
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(folder, name), text);
});

afterEach(() => rm(folder, { recursive: true, force: true }));

const RUN = '20261121-020311-4f9a21';
/** What the ledger itself decides for every caller. Other use cases rely on it; their tests check that. */
const asked =
  (act: Act) =>
  async (context: WatchedContext): Promise<unknown> =>
    permitted(context, await context.opened!(), act);

/** What each act is done by; runs are stopped before they begin, and where a run is named there is none. */
const USE_CASES: Readonly<Record<Act, (context: WatchedContext) => Promise<unknown>>> = {
  read: (context) => listRuns(context),
  validate: (context) => runJob(context, 'orders.yaml', { kind: 'dry_run' }),
  plan: (context) => runJob(context, 'orders.yaml', { kind: 'plan' }),
  run: (context) => runJob(context, 'orders.yaml', { kind: 'run' }),
  submit: (context) => submitJob(context, 'orders.yaml', {}),
  request: (context) => requestApproval(context, RUN, {}),
  apply: (context) => applyPlan(context, RUN, { maxAge: '24h' }),
  stop: (context) => stopRun(context, RUN),
  resume: (context) => resumeRun(context, RUN, {}),
  retry: (context) => retryRun(context, RUN, {}),
  resolve: (context) => resolveRun(context, RUN, { row: 2, as: 'failed' }),
  revert: (context) => revertRun(context, RUN, {}),
  reconcile: (context) => reconcileJob(context, 'compare.yaml', {}),
  rehearse: (context) => rehearseJob(context, 'orders.yaml', {}),
  pull: (context) =>
    pullRecords(context, 'asset', {
      keys: 'enterprises.csv',
      output: 'pulled.csv',
      connection: 'sandbox',
    }),
  schedule: (context) =>
    runSchedules(
      {
        ...context,
        watch: { note() {}, line() {}, ran() {} },
        leave: new AbortController().signal,
        program: [process.execPath],
      },
      [path.join(folder, 'nightly.yaml')],
      { concurrency: 1 },
    ),
  import: asked('import'),
  correct: asked('correct'),
  approve: (context) => approvePlan(context, RUN, {}),
  reject: (context) => rejectPlan(context, RUN, { comment: 'no' }),
  people: (context) => addPerson(context, 'zhao', { role: 'viewer' }),
  sessions: asked('sessions'),
  prune: (context) => pruneRuns(context, '90d'),
  ledger_accept: (context) => acceptRestored(context),
  ledger_copy: (context) => copyLedger(context, path.join(folder, 'copy.db')),
};

/** The code by which it was refused; nothing where it was done. */
async function codeOf(work: () => Promise<unknown>): Promise<string | undefined> {
  try {
    const end = (await work()) as { readonly kind?: string; readonly error?: unknown } | undefined;
    if (end?.kind === 'failed') throw end.error;
    return undefined;
  } catch (error) {
    if (error instanceof ProductError) return error.code;
    throw error;
  }
}

const allActs = Object.keys(ACTS) as readonly Act[];
/** These look for a server's ledger first, and are tried on it; the others on a file. */
const WANTS_SERVER: ReadonlySet<Act> = new Set(['submit', 'stop']);

describe.each(LEDGER_MAKERS)('$name: every use case', (maker) => {
  const here = useLedger(maker);
  const isServer = maker.name === 'PostgreSQL';

  const contextAs = (as: Caller | undefined): WatchedContext => {
    const stop = new StopSignal();
    stop.stop({ kind: 'interrupted' });
    const env = { LICENSE_SYNC_LEDGER: here.ledger.address };
    const base = { env, cwd: folder, language: 'en' as const, ledger: here.ledger.address };
    const opened = async () => here.ledger;
    return { ...base, opened, watch: UNWATCHED, stop, confirm: true, ...(as ? { as } : {}) };
  };
  const attempt = (act: Act, as: Caller | undefined) => codeOf(() => USE_CASES[act](contextAs(as)));
  const denied = async () =>
    (await auditPage(contextAs(undefined), { limit: 1000 })).items.filter((it) => it.act === 'denied');
  const add = async (name: string, role: string): Promise<Caller> => ({
    kind: 'token',
    token: (await addPerson(contextAs(admin), name, { role })).token,
  });
  let admin: Caller | undefined;

  beforeEach(async () => {
    admin = undefined;
    admin = await add('boss', 'admin');
  });

  it('asks for the role that its act requires', async () => {
    const table: Record<string, string> = {};
    const expected: Record<string, string> = {};
    const callers = new Map<Role, Caller>();
    for (const role of ROLES) callers.set(role, await add(role, role));
    let refused = 0;
    for (const act of allActs) {
      if (WANTS_SERVER.has(act) !== isServer) continue;
      for (const [role, as] of callers) {
        const code = await attempt(act, as);
        table[`${role} ${act}`] = code === 'people.not_allowed' ? code : 'may';
        const may = mayDo([role], act);
        expected[`${role} ${act}`] = may ? 'may' : 'people.not_allowed';
        if (!may) refused += 1;
      }
    }
    expect(table).toEqual(expected);
    const reported = await denied();
    expect(reported).toHaveLength(refused);
    for (const { who, detail } of reported) {
      expect(ROLES).toContain(who);
      expect(mayDo([who as Role], detail.act as Act)).toBe(false);
      expect(detail.wanted).toBe(ACTS[detail.act as Act]);
    }
    expect(await checkAudit(contextAs(undefined))).not.toHaveProperty('fault');
  });

  it('refuses a token that is unknown or has expired, and a person who was removed, reading too', async () => {
    const { token } = await renewToken(contextAs(admin), 'boss', { expires: 1 });
    await new Promise((resolve) => setTimeout(resolve, 5));
    const strangers: readonly (readonly [Caller, string, string])[] = [
      [{ kind: 'token', token: 'nobody' }, 'people.token_unknown', localName()],
      [{ kind: 'token', token }, 'people.token_expired', 'boss'],
      [{ kind: 'person', name: 'gone', via: 'session' }, 'people.person_gone', 'gone'],
    ];
    for (const [as, code, who] of strangers) {
      const before = (await denied()).length;
      const acts = allActs.filter((it) => isServer === WANTS_SERVER.has(it));
      for (const act of acts) expect(await attempt(act, as), act).toBe(code);
      expect(await codeOf(() => showRun(contextAs(as), RUN))).toBe(code);
      const reported = (await denied()).slice(0, acts.length + 1);
      expect((await denied()).length - before).toBe(acts.length + 1);
      expect(new Set(reported.map((it) => it.who))).toEqual(new Set([who]));
    }
  });

  it(
    isServer
      ? 'lets the user of a machine read where there are people, and nothing else'
      : 'lets the user of the machine do everything in a file of it, people or not',
    async () => {
      for (const act of allActs) {
        if (WANTS_SERVER.has(act) && !isServer) continue;
        const code = await attempt(act, undefined);
        if (isServer && act !== 'read') expect(code, act).toBe('people.token_required');
        else expect(code ?? 'may', act).not.toMatch(/^people\.(token|not)/);
      }
    },
  );

  it('is not checked again for the act that an entry point has checked, only for other acts', async () => {
    const as = { kind: 'person', name: 'nobody', via: 'session' } as const;
    const allowed = { act: 'resolve', actor: { who: 'seen', roles: ['maker'] } } as const;
    const context = { ...contextAs(as), opened: async () => here.ledger, allowed };
    const actorOf = (act: Act): Promise<string> =>
      withLedger(context, async ({ actor }) => actor.who, { act });
    expect(await actorOf('resolve')).toBe('seen');
    expect(await actorOf('read')).toBe('seen');
    for (const act of allActs.filter((it) => it !== 'resolve' && it !== 'read'))
      expect(await codeOf(() => actorOf(act)), act).toBe('people.person_gone');
  });

  it('lets the user of a machine manage people as long as no other user may', async () => {
    await here.ledger.people.remove('boss', 'x');
    expect(await codeOf(() => addPerson(contextAs(undefined), 'li', { role: 'maker' }))).toBeUndefined();
    expect(
      await codeOf(() => addPerson(contextAs(undefined), 'zhao', { role: 'admin,checker' })),
    ).toBeUndefined();
    const code = await codeOf(() => addPerson(contextAs(undefined), 'qian', { role: 'viewer' }));
    expect(code).toBe(isServer ? 'people.token_required' : undefined);
  });

  it('names in the run and in the audit who made it', async () => {
    const li: Caller = {
      kind: 'token',
      token: (await addPerson(contextAs(admin), 'li', { role: 'maker', subject: 'sub-li' })).token,
    };
    await runJob(contextAs(li), 'orders.yaml', { kind: 'plan' });
    const [run] = await here.ledger.runs.list(1);
    expect(run).toMatchObject({ kind: 'plan', by: 'li', bySubject: 'sub-li' });
    expect((await showRun(contextAs(admin), run!.id)).run.by).toBe('li');
    const { items } = await auditPage(contextAs(admin), { run: run!.id, limit: 10 });
    expect(items).toMatchObject([{ who: 'li', act: 'plan', run: run!.id, detail: { job: 'orders' } }]);
  });
});
