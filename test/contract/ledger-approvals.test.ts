import { expect, test } from 'vitest';
import type { Ledger } from '../../src/ledger/contract/ledger.js';
import { unconfirmedAccess } from '../../src/ledger/rules/people.js';
import { collect, order, planRun } from '../support/ledger-samples.js';
import { describeLedger } from '../support/ledgers.js';

const HASH = 'f'.repeat(64);
const OTHER = 'e'.repeat(64);
const HOUR = 3_600_000;
const LI = { who: 'li', subject: 'sub-li' };
const WANG = { who: 'wang', subject: 'sub-wang' };

describeLedger('approvals', (here) => {
  const approvals = () => here.ledger.approvals;

  /** A plan of li's: three orders, two to a request. */
  async function plan(
    id = 'r-1',
    sealed: Partial<Parameters<Ledger['approvals']['seal']>[1]> = {},
  ): Promise<void> {
    const items = [order(2), order(3, { rows: [3, 4] }), order(5)];
    await planRun(here.ledger, id, items, { kind: 'plan', by: LI.who, bySubject: LI.subject, size: 2 });
    await approvals().seal(id, { planHash: HASH, needsApproval: true, ...sealed });
  }

  const request = (id = 'r-1', planHash = HASH) => approvals().add(id, { act: 'request', planHash, by: LI });
  const approve = (
    id = 'r-1',
    by: { who: string; subject?: string } = WANG,
    maxAgeMs = HOUR,
    planHash = HASH,
  ) => approvals().add(id, { act: 'approve', planHash, by, maxAgeMs });
  const reject = (id = 'r-1') =>
    approvals().add(id, { act: 'reject', planHash: HASH, by: WANG, comment: 'row 3 is wrong' });
  const apply = (id = 'r-1', planHash = HASH) => approvals().apply(id, { planHash, by: LI });
  const refusal = (code: string) => expect.objectContaining({ detail: expect.objectContaining({ code }) });

  test('the whole way: asked for, approved by another, applied once', async () => {
    await plan();
    expect(await here.ledger.runs.get('r-1')).toMatchObject({
      kind: 'plan',
      state: 'planned',
      planHash: HASH,
      needsApproval: true,
    });
    const before = Date.now();
    await request();
    const line = await approve();
    expect(line).toMatchObject({ n: 2, act: 'approve', planHash: HASH, by: WANG });
    expect(line.expiresAt).toBe(line.at + HOUR);
    expect(Math.abs(line.at - before)).toBeLessThan(60_000);
    expect(await approvals().application('r-1')).toBeUndefined();
    await apply();
    expect(await approvals().application('r-1')).toMatchObject({ planHash: HASH, by: LI });
    expect(await here.ledger.runs.get('r-1')).toMatchObject({ kind: 'run', state: 'planned' });
    await here.ledger.runs.patch('r-1', { state: 'executing' });
    expect((await approvals().list('r-1')).map((it) => it.act)).toEqual(['request', 'approve']);
    const audit = (await collect(here.ledger.audit.list({ run: 'r-1' }))).flat();
    expect(audit.map((it) => [it.act, it.who])).toEqual([
      ['request', 'li'],
      ['approve', 'wang'],
      ['apply', 'li'],
    ]);
  });

  test('a plan that waited for a night took as long as its sending', async () => {
    await plan('r-1', { needsApproval: false });
    await apply();
    const { startedAt, appliedAt = 0 } = (await here.ledger.runs.get('r-1'))!;
    expect(appliedAt - startedAt).toBeGreaterThan(12 * HOUR);
    await here.ledger.runs.patch('r-1', { state: 'completed', endedAt: appliedAt + 4000, exitCode: 0 });
    const [total] = await here.ledger.runs.totals();
    expect(total).toMatchObject({ durationMs: 4000, last: { appliedAt } });
  });

  test('steps are sealed and applied with the run that they belong to', async () => {
    await planRun(here.ledger, 'w-1', [order(2)], { kind: 'plan', by: LI.who, operation: 'steps' });
    await planRun(here.ledger, 'w-1-1', [order(2)], { kind: 'plan', by: LI.who, parent: 'w-1', step: 1 });
    await planRun(here.ledger, 'w-2', [order(2)], { kind: 'plan', by: LI.who, parent: 'w-1' });
    await approvals().seal('w-1', { planHash: HASH, needsApproval: true });
    expect(await here.ledger.runs.get('w-1-1')).toMatchObject({ planHash: HASH, needsApproval: true });
    expect((await here.ledger.runs.get('w-2'))?.planHash).toBeUndefined();
    await expect(here.ledger.runs.patch('w-1-1', { kind: 'run' })).rejects.toThrow();
    await request('w-1');
    await approve('w-1');
    await apply('w-1');
    expect(await here.ledger.runs.get('w-1-1')).toMatchObject({ kind: 'run' });
    await here.ledger.runs.patch('w-1-1', { state: 'executing' });
    expect(await here.ledger.runs.get('w-2')).toMatchObject({ kind: 'plan' });
  });

  test('a plan that needs none is applied without, once', async () => {
    await plan('r-1', { needsApproval: false });
    await apply();
    await expect(apply()).rejects.toEqual(refusal('approval.applied'));
  });

  test('the user who made it is refused, by name and by subject, also through a second account', async () => {
    await plan();
    await request();
    await expect(approve('r-1', { who: 'li' })).rejects.toEqual(refusal('approval.own_plan'));
    await expect(approve('r-1', { who: 'li-admin', subject: LI.subject })).rejects.toEqual(
      refusal('approval.own_plan'),
    );
    // The account's subject is looked up: who says nothing of it is found out.
    const token = 'a'.repeat(64);
    await here.ledger.people.add(
      { name: 'li-2', roles: ['admin'], subject: LI.subject, tokenSha256: token },
      'li',
    );
    await expect(approve('r-1', { who: 'li-2' })).rejects.toEqual(refusal('approval.own_plan'));
    expect((await approvals().list('r-1')).map((it) => it.act)).toEqual(['request']);
  });

  test('every user who made a part of it is refused, and is kept with it', async () => {
    const makers = [
      { who: 'li', subject: 'sub-li', did: 'planned', user: 'u@desk' },
      { who: 'chen', did: 'uploaded' },
      { who: 'zhao', subject: 'sub-zhao', did: 'corrected' },
    ] as const;
    await plan('r-1', { makers });
    expect(new Set(await approvals().makers('r-1'))).toEqual(new Set(makers));
    await request();
    for (const by of [{ who: 'chen' }, { who: 'zhao' }, { who: 'zhao-2', subject: 'sub-zhao' }, LI])
      await expect(approve('r-1', by)).rejects.toEqual(refusal('approval.own_plan'));
    expect(await approve()).toMatchObject({ by: WANG });
  });

  test('whom a maker gave access within a week is refused, until another admin confirms them', async () => {
    const token = (it: string) => ({ name: it, roles: ['checker'], tokenSha256: it.repeat(20) }) as const;
    await here.ledger.people.add(token('wang'), 'chen');
    await here.ledger.people.add(token('sun'), 'admin');
    await plan('r-1', {
      makers: [
        { who: 'li', did: 'planned' },
        { who: 'chen', did: 'uploaded' },
      ],
    });
    await request();
    await expect(approve()).rejects.toEqual(refusal('approval.granted_by_maker'));
    const confirm = (who: string) =>
      here.ledger.audit.append({ who, act: 'people_confirm', detail: { name: 'wang' } });
    /** As lists of people show it. */
    const unconfirmed = async () =>
      unconfirmedAccess([...(await here.ledger.audit.page({ limit: 100 }))].reverse());
    const until = expect.any(Number);
    expect(await unconfirmed()).toEqual(
      new Map([
        ['wang', [{ by: 'chen', until }]],
        ['sun', [{ by: 'admin', until }]],
      ]),
    );
    for (const who of ['wang', 'chen', 'li']) {
      await confirm(who);
      await expect(approve()).rejects.toEqual(refusal('approval.granted_by_maker'));
      // Who made which plan is not known in lists.
      const left = who === 'li' ? [] : [{ by: 'chen', until }];
      expect((await unconfirmed()).get('wang')).toEqual(left);
    }
    await confirm('admin');
    expect((await unconfirmed()).get('wang')).toEqual([]);
    expect(await approve()).toMatchObject({ by: WANG });
    await here.ledger.people.setToken('sun', { sha256: 'e'.repeat(64) }, 'li');
    await expect(approve('r-1', { who: 'sun' })).rejects.toEqual(refusal('approval.granted_by_maker'));
    expect((await unconfirmed()).get('sun')).toEqual([
      { by: 'admin', until },
      { by: 'li', until },
    ]);
  });

  test('an approval needs a maker, a request, and the hash of the plan', async () => {
    await plan();
    await expect(approve()).rejects.toEqual(refusal('approval.not_requested'));
    await expect(reject()).rejects.toEqual(refusal('approval.not_requested'));
    await expect(request('r-1', OTHER)).rejects.toEqual(refusal('approval.other_hash'));
    await request();
    await expect(approve('r-1', WANG, HOUR, OTHER)).rejects.toEqual(refusal('approval.other_hash'));
    await planRun(here.ledger, 'r-2', [order(2)], { kind: 'plan' });
    await expect(request('r-2')).rejects.toEqual(refusal('approval.other_hash'));
    await approvals().seal('r-2', { planHash: HASH, needsApproval: true });
    await request('r-2');
    await expect(approve('r-2')).rejects.toEqual(refusal('approval.no_maker'));
  });

  test('nothing is applied without an approval that holds', async () => {
    await plan();
    await expect(apply()).rejects.toEqual(refusal('approval.wanted'));
    await request();
    await expect(apply()).rejects.toEqual(refusal('approval.wanted'));
    await approve('r-1', WANG, 1);
    await new Promise((resolve) => setTimeout(resolve, 20));
    await expect(apply()).rejects.toEqual(refusal('approval.wanted'));
    await approve();
    await reject();
    await expect(apply()).rejects.toEqual(refusal('approval.wanted'));
    await expect(approve()).rejects.toEqual(refusal('approval.not_requested'));
    await request();
    await expect(apply()).rejects.toEqual(refusal('approval.wanted'));
    await approve();
    await expect(apply('r-1', OTHER)).rejects.toEqual(refusal('approval.other_hash'));
    await apply();
    await expect(apply()).rejects.toEqual(refusal('approval.applied'));
    // Of all that, the audit contains what was done.
    const audit = (await collect(here.ledger.audit.list({ run: 'r-1' }))).flat();
    expect(audit.map((it) => it.act).join(' ')).toBe('request approve approve reject request approve apply');
  });

  test('no way past the store: the database itself refuses every caller', async () => {
    await plan();
    await request();
    const run = (await here.ask<{ id: number }>("SELECT id FROM runs WHERE name = 'r-1'"))[0]!.id;
    const first = Number(run) * 2 ** 32;
    const now = Date.now();
    const approval = (signer: string, subject: string, hash = HASH) =>
      `INSERT INTO approvals (run, n, act, plan_hash, signer, signer_subject, at, expires_at)
       VALUES (${run}, 7, 'approve', '${hash}', '${signer}', '${subject}', ${now}, ${now + HOUR})`;
    const application = `INSERT INTO plan_applications (run, plan_hash, signer, at) VALUES (${run}, '${HASH}', 'li', ${now - HOUR})`;
    const refused = {
      own_plan: [approval('li', 'x'), approval('li-2', LI.subject)],
      other_hash: [approval('wang', 'x', OTHER)],
      wanted: [
        application,
        `UPDATE runs SET kind = 'run' WHERE id = ${run}`,
        `UPDATE runs SET state = 'executing' WHERE id = ${run}`,
        `UPDATE runs SET state = 'queued' WHERE id = ${run}`,
      ],
      kept: [
        `UPDATE approvals SET signer = 'wang' WHERE run = ${run}`,
        `DELETE FROM approvals WHERE run = ${run}`,
      ],
      plan_sealed: [
        `UPDATE runs SET needs_approval = 0 WHERE id = ${run}`,
        `UPDATE runs SET plan_hash = '${OTHER}' WHERE id = ${run}`,
        `UPDATE runs SET plan_hash = NULL WHERE id = ${run}`,
        `UPDATE runs SET made_by = 'chen' WHERE id = ${run}`,
        `UPDATE runs SET settings_json = '{}' WHERE id = ${run}`,
        `UPDATE runs SET input_sha256 = '${OTHER}' WHERE id = ${run}`,
        `UPDATE bodies SET json = '{}' WHERE item = ${first + 1}`,
        `DELETE FROM bodies WHERE item = ${first + 1}`,
        `UPDATE items SET envelope = ${first + 2} WHERE id = ${first + 1}`,
        `UPDATE items SET item_key = 'K' WHERE id = ${first + 1}`,
        `DELETE FROM items WHERE id = ${first + 1}`,
        `UPDATE envelopes SET json = '{}' WHERE id = ${first + 1}`,
        `DELETE FROM batch_items WHERE item = ${first + 1}`,
        `INSERT INTO batch_items (batch, item) VALUES (${first + 2}, ${first + 9})`,
        `UPDATE batch_items SET batch = ${first + 2} WHERE item = ${first + 1}`,
        `UPDATE batches SET envelope = ${first + 2} WHERE id = ${first + 1}`,
        `UPDATE item_rows SET "row" = ${first + 8} WHERE item = ${first + 1}`,
        `DELETE FROM item_rows WHERE item = ${first + 1}`,
      ],
    };
    for (const [code, statements] of Object.entries(refused)) {
      for (const sql of statements) {
        await expect(here.ask(sql), sql).rejects.toThrow(`approval.${code}`);
      }
    }
    // An approval that is over doesn't hold because the application says it is of then.
    await approve('r-1', WANG, 1);
    await new Promise((resolve) => setTimeout(resolve, 20));
    await expect(here.ask(application)).rejects.toThrow('approval.wanted');
    await approve();
    await apply();
    await expect(here.ask(application)).rejects.toThrow('approval.applied');
    for (const sql of [`UPDATE plan_applications SET signer = 'x'`, 'DELETE FROM plan_applications'])
      await expect(here.ask(sql), sql).rejects.toThrow('approval.kept');
    // A run that was stopped is resumed: what it sends is what was approved.
    for (const sql of [
      `UPDATE bodies SET json = '{}' WHERE item = ${first + 1}`,
      `UPDATE envelopes SET json = '{}' WHERE id = ${first + 1}`,
      `UPDATE items SET envelope = ${first + 2} WHERE id = ${first + 1}`,
      `UPDATE items SET item_key = 'K' WHERE id = ${first + 1}`,
      `UPDATE item_rows SET "row" = ${first + 8} WHERE item = ${first + 1}`,
      `UPDATE batches SET envelope = ${first + 2} WHERE id = ${first + 1}`,
      `UPDATE batch_items SET batch = ${first + 2} WHERE item = ${first + 1}`,
      `INSERT INTO batch_items (batch, item) VALUES (${first + 2}, ${first + 9})`,
      `UPDATE runs SET settings_json = '{"connection":{}}' WHERE id = ${run}`,
      `UPDATE runs SET input_sha256 = '${OTHER}' WHERE id = ${run}`,
    ])
      await expect(here.ask(sql), sql).rejects.toThrow('approval.plan_sealed');
    // A canary is said when it is applied.
    const { settings } = (await here.ledger.runs.get('r-1'))!;
    await here.ledger.runs.patch('r-1', { settings: { ...settings, canary: 1, plannedCanary: 0 } });
    // What is sent from here on writes to these tables again.
    await here.ask(`UPDATE batches SET done = 1 WHERE id = ${first + 1}`);
  });

  test('what a host requires is kept once, only lifted by an admin, and never changed', async () => {
    const store = approvals();
    const [all, some] = [{}, { operations: ['order.*', 'asset.*'], above: 10 }];
    await store.keepPolicies('office:1', [all], 'li');
    await store.keepPolicies(
      'office:1',
      [all, { above: 10, operations: ['asset.*', 'order.*'] }, some],
      'wang',
    );
    await store.keepPolicies('elsewhere', [all], 'wang');
    expect((await store.policies()).map((it) => [it.host, it.policy, it.by])).toEqual([
      ['office:1', {}, 'li'],
      ['office:1', { operations: ['asset.*', 'order.*'], above: 10 }, 'wang'],
      ['elsewhere', {}, 'wang'],
    ]);
    expect(await store.liftPolicies('nowhere', 'chen')).toBe(false);
    await here.ledger.people.add({ name: 'chen', roles: ['admin'], tokenSha256: 'c' }, 'os');
    await here.ledger.people.add({ name: 'li', roles: ['maker'], tokenSha256: 'l' }, 'os');
    await expect(store.liftPolicies('office:1', 'li')).rejects.toEqual(refusal('approval.policy_admin'));
    for (const sql of [`UPDATE host_policies SET host = 'other'`, 'DELETE FROM host_policies'])
      await expect(here.ask(sql), sql).rejects.toThrow('approval.policy_kept');
    expect(await store.policies()).toHaveLength(3);
    expect(await store.liftPolicies('office:1', 'chen')).toBe(true);
    expect((await store.policies()).map((it) => it.host)).toEqual(['elsewhere']);
    await store.keepPolicies('office:1', [all], 'li');
    expect(await store.policies()).toHaveLength(2);
    const audit = (await collect(here.ledger.audit.list())).flat();
    expect(audit.filter((it) => it.act.startsWith('policy')).map((it) => `${it.who} ${it.act}`)).toEqual([
      'li policy_keep',
      'wang policy_keep',
      'wang policy_keep',
      'chen policy_lift',
      'li policy_keep',
    ]);
  });

  test('other plans and runs stay as free as they were', async () => {
    await plan();
    await planRun(here.ledger, 'r-2', [order(2)], { kind: 'plan' });
    await here.ledger.plan.clear('r-2');
    await planRun(here.ledger, 'r-3', [order(2)]);
    await here.ledger.plan.unlink('r-3', 1, [2]);
    await here.ledger.runs.patch('r-3', { state: 'executing' });
  });

  test('a sealed plan can be pruned', async () => {
    await plan();
    await here.ledger.runs.patch('r-1', { state: 'completed', endedAt: 1000, exitCode: 0 });
    expect(await here.ledger.runs.prune(2000)).toBe(1);
    expect(await here.ledger.runs.get('r-1')).toMatchObject({ planHash: HASH, prunedAt: expect.any(Number) });
  });
});
