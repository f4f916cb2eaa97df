import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { approvePlan, requestApproval } from '../../src/app/approvals.js';
import { planData } from '../../src/app/console/plan-data.js';
import { UNWATCHED, type WatchedContext } from '../../src/app/context.js';
import { addPerson } from '../../src/app/people.js';
import { runJob } from '../../src/app/run.js';
import { runText } from '../../src/cli/run-summary.js';
import { StopSignal } from '../../src/util/stop-signal.js';
import { orderJob, orderRows } from '../support/orders.js';

let folder: string;
/** Of the user of this machine, who manages people; `maker` makes the plans. */
let local: WatchedContext;
let context: WatchedContext;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'license-sync-approvals-'));
  local = { env: {}, cwd: folder, language: 'en', watch: UNWATCHED, stop: new StopSignal(), confirm: true };
  const settings = `version: 1
connections:
  office: { baseUrl: "http://127.0.0.1:9", appKey: k, token: { env: NO_TOKEN }, approval: required }
`;
  const files = {
    'license-sync.yaml': settings,
    'orders.csv': orderRows(2),
    'orders.yaml': orderJob({ extra: 'connection: office\n' }),
  };
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(folder, name), text);
  context = {
    ...local,
    as: { kind: 'token', token: (await addPerson(local, 'mae', { role: 'maker' })).token },
  };
});

afterEach(() => rm(folder, { recursive: true, force: true }));

it('is refused to the user who corrected a cell of the plan, though another user planned it', async () => {
  const { token } = await addPerson(local, 'zed', { role: 'maker,checker' });
  const { token: other } = await addPerson(local, 'ada', { role: 'checker' });
  const corrected = { row: 2, column: 2, header: 'Customer', text: 'Another', who: 'zed', at: 1 };
  const carried = await runJob(context, 'orders.yaml', { kind: 'plan', corrections: [corrected] });
  const plan = carried.kind === 'run' ? carried.end.run : '';
  await requestApproval(context, plan, {});
  const zed: WatchedContext = { ...context, as: { kind: 'token', token } };
  await expect(approvePlan(zed, plan, {})).rejects.toMatchObject({
    kind: 'safety',
    code: 'approval.own_plan',
  });
  const ada: WatchedContext = { ...context, as: { kind: 'token', token: other } };
  // The page offers it to none but those who may.
  expect((await planData(zed, plan)).may?.approve).toContain('you cannot approve your own plans');
  expect((await planData(ada, plan)).may?.approve).toBe(true);
  expect((await approvePlan(ada, plan, {})).approval.state).toBe('approved');
});

it('is reported with the plan: what requires one is not executed by apply alone', async () => {
  const carried = await runJob(context, 'orders.yaml', { kind: 'plan' });
  const text = carried.kind === 'run' ? runText(carried.end, 0, 'en') : '';
  expect(text).toContain('once another user approves; request it with: license-sync request');
  expect(text).not.toContain('license-sync apply');
});

it('an approval that is over is said again, and asked for again, as if nothing had been said', async () => {
  const { token } = await addPerson(local, 'zed', { role: 'checker' });
  const zed: WatchedContext = { ...context, as: { kind: 'token', token } };
  const carried = await runJob(context, 'orders.yaml', { kind: 'plan' });
  const plan = carried.kind === 'run' ? carried.end.run : '';
  await requestApproval(context, plan, {});
  await approvePlan(zed, plan, { maxAge: 1 });
  await delay(5);
  const asked = await requestApproval(context, plan, { comment: 'once more' });
  expect(asked.approval).toMatchObject({ state: 'waiting', comment: 'once more' });
  await approvePlan(zed, plan, { maxAge: 1 });
  await delay(5);
  const again = await approvePlan(zed, plan, { maxAge: 1 });
  expect(again.approval.lines.map((it) => it.act)).toEqual([
    'request',
    'approve',
    'request',
    'approve',
    'approve',
  ]);
  const longer = await approvePlan(zed, plan, { maxAge: '2h' });
  const longest = await approvePlan(zed, plan, { maxAge: '4h' });
  expect(Date.parse(longest.approval.until ?? '') - Date.parse(longer.approval.until ?? '')).toBeGreaterThan(
    7_000_000,
  );
  // The same word said twice at once, as by a browser whose answer was lost.
  expect((await approvePlan(zed, plan, { maxAge: '4h' })).approval.lines).toHaveLength(7);
});
