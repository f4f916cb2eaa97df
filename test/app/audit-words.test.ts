import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { auditWords } from '../../src/app/audit.js';
import { planPermissions } from '../../src/app/console/permissions.js';
import { type AppContext, UNWATCHED } from '../../src/app/context.js';
import { addPerson } from '../../src/app/people.js';
import { runJob } from '../../src/app/run.js';
import { withLedger } from '../../src/app/with-ledger.js';
import { StopSignal } from '../../src/util/stop-signal.js';
import { orderJob, orderRows } from '../support/orders.js';

it('a line of the audit is reported in words, durations as durations, in both languages', () => {
  const approve = { act: 'approve', detail: { maxAgeMs: 7_200_000, planHash: '0123456789abcdef' } };
  expect(auditWords(approve, 'en', 'Asia/Shanghai')).toEqual({
    act: 'approve',
    detail: 'valid for: 2 h; plan: 0123456789ab',
  });
  expect(auditWords(approve, 'zh', 'Asia/Shanghai')).toEqual({
    act: '通过',
    detail: '有效期：2 小时；计划：0123456789ab',
  });
  const denied = { act: 'denied', detail: { act: 'apply', why: 'approval.waits' } };
  expect(auditWords(denied, 'en', 'Asia/Shanghai')).toEqual({
    act: 'denied: send the plan',
    detail: 'because: it waited for an approval',
  });
  expect(auditWords(denied, 'zh', 'Asia/Shanghai').act).toBe('已拒绝：执行计划');
  const pruned = { act: 'prune', detail: { before: '2026-11-20T16:30:00.000Z' } };
  expect(auditWords(pruned, 'zh', 'Asia/Shanghai').detail).toContain('2026-11-21 00:30:00 Asia/Shanghai');
  const kept = { act: 'policy_keep', detail: { host: 'office', policy: { above: 100 } } };
  expect(auditWords(kept, 'en', 'Asia/Shanghai').detail).toBe(
    'host: office; requires approval of: more than 100 items',
  );
  expect(auditWords({ act: 'from_the_future', detail: { when: 90 } }, 'en', 'Asia/Shanghai')).toEqual({
    act: 'from_the_future',
    detail: 'when: 90',
  });
});

it('at a plan nothing is said of acts outside one’s roles; of others why they wait', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'license-sync-may-'));
  const context: AppContext = { env: {}, cwd: folder, language: 'en' };
  try {
    const connection = `office: { baseUrl: "http://127.0.0.1:9", appKey: k, token: { env: T }, approval: required }`;
    await writeFile(path.join(folder, 'license-sync.yaml'), `version: 1\nconnections:\n  ${connection}\n`);
    await writeFile(path.join(folder, 'orders.csv'), orderRows(2));
    await writeFile(path.join(folder, 'job.yaml'), orderJob({ extra: 'connection: office\n' }));
    const watched = { ...context, watch: UNWATCHED, stop: new StopSignal(), confirm: true } as const;
    const carried = await runJob(watched, 'job.yaml', { kind: 'plan' });
    const id = carried.kind === 'run' ? carried.end.run : '';
    const mayOf = async (role: string): Promise<unknown> => {
      const { token } = await addPerson(context, role, { role });
      const as = { ...context, as: { kind: 'token', token } as const };
      return withLedger(context, async ({ ledger }) =>
        planPermissions(as, ledger, (await ledger.runs.get(id))!, 'planned'),
      );
    };
    expect(await mayOf('viewer')).toEqual({});
    expect(await mayOf('maker')).toMatchObject({ send: expect.stringContaining('approv'), request: true });
    expect(await mayOf('checker')).toEqual({
      approve: 'approval has not been requested',
      reject: 'approval has not been requested',
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
