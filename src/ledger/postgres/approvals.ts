import type { ApprovalPolicy } from '../../model/connection.js';
import { exactStringify } from '../../util/exact-json.js';
import type {
  ApprovalLine,
  ApprovalStore,
  HostPolicy,
  NewApplication,
  NewApproval,
  PlanApplication,
  PlanMaker,
} from '../contract/approvals.js';
import {
  type ApplicationRecord,
  type ApprovalRecord,
  approvalEntry,
  approvalValues,
  MAKERS_OF,
  type MakerRecord,
  makerValues,
  orRefusal,
  type PolicyRecord,
  policyEntry,
  SELECT_POLICIES,
  toApplication,
  toApproval,
  toMaker,
  toPolicy,
  unkeptPolicies,
} from '../shared/approvals.js';
import { appendAudit } from './audit.js';
import type { Database } from './database.js';
import type { RunNumbers } from './run-numbers.js';
import type { Queryable } from './transaction.js';

/** A run and its steps. */
const WITH_STEPS =
  'id = $1::bigint OR (step IS NOT NULL AND parent = (SELECT whole.name FROM runs AS whole WHERE whole.id = $1::bigint))';

const SEAL = `
UPDATE runs SET kind = CASE WHEN $4::boolean THEN kind ELSE 'plan' END,
  state = CASE WHEN id <> $1::bigint THEN state WHEN $4::boolean THEN 'stopped' ELSE 'planned' END, plan_hash = $2,
  needs_approval = $3::smallint
WHERE ${WITH_STEPS}`;

const NOW = '(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS at';

const ADD = `
INSERT INTO approvals (run, n, act, plan_hash, signer, signer_subject, comment, at, expires_at)
SELECT $1::bigint, (SELECT coalesce(max(n), 0) + 1 FROM approvals WHERE run = $1::bigint), $2, $3, $4, $5, $6, at,
  at + $7::bigint
FROM (SELECT ${NOW}) AS now RETURNING *`;

const ADD_MAKER = `
INSERT INTO plan_makers (run, who, subject, did, user_name) VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (run, who, did) DO NOTHING`;

const APPLY = `
INSERT INTO plan_applications (run, plan_hash, signer, signer_subject, at)
SELECT $1, $2, $3, $4, at FROM (SELECT ${NOW}) AS now RETURNING at`;

/** Two who keep the same must not both write it; nobody who reads waits. */
const ONE_AT_A_TIME = 'LOCK TABLE host_policies IN SHARE ROW EXCLUSIVE MODE';
const KEEP = `
INSERT INTO host_policies (n, host, policy_json, said_by, at)
SELECT (SELECT coalesce(max(n), 0) + 1 FROM host_policies), $1, $2, $3, at FROM (SELECT ${NOW}) AS now RETURNING at`;

export class PostgresApprovalStore implements ApprovalStore {
  readonly #db: Database;
  readonly #numbers: RunNumbers;

  constructor(db: Database, numbers: RunNumbers) {
    this.#db = db;
    this.#numbers = numbers;
  }

  async seal(run: string, sealed: Parameters<ApprovalStore['seal']>[1]): Promise<void> {
    const values = [sealed.planHash, sealed.needsApproval ? 1 : 0, sealed.isStarted === true];
    await this.#write(run, async (tx, number) => {
      await tx.run(SEAL, [number, ...values]);
      for (const it of sealed.makers ?? []) await tx.run(ADD_MAKER, [number, ...makerValues(it)]);
    });
  }

  add(run: string, said: NewApproval): Promise<ApprovalLine> {
    const maxAgeMs = said.act === 'approve' ? said.maxAgeMs : null;
    return this.#write(run, async (tx, number) => {
      const [line] = await tx.all<ApprovalRecord>(ADD, [number, ...approvalValues(said), maxAgeMs]);
      const added = toApproval(line!);
      await appendAudit(tx, approvalEntry(run, said), added.at);
      return added;
    });
  }

  async makers(run: string): Promise<readonly PlanMaker[]> {
    const { number } = await this.#numbers.of(run);
    return (await this.#db.all<MakerRecord>(`${MAKERS_OF} = $1`, [number])).map(toMaker);
  }

  async list(run: string): Promise<readonly ApprovalLine[]> {
    const { number } = await this.#numbers.of(run);
    const sql = 'SELECT * FROM approvals WHERE run = $1 ORDER BY n';
    return (await this.#db.all<ApprovalRecord>(sql, [number])).map(toApproval);
  }

  async apply(run: string, { planHash, by, settings = new Map() }: NewApplication): Promise<void> {
    await this.#write(run, async (tx, number) => {
      const [applied] = await tx.all<{ at: number }>(APPLY, [number, planHash, by.who, by.subject ?? null]);
      await tx.run(`UPDATE runs SET kind = 'run' WHERE ${WITH_STEPS}`, [number]);
      for (const [name, it] of settings)
        await tx.run('UPDATE runs SET settings_json = $1 WHERE name = $2', [exactStringify(it), name]);
      await appendAudit(tx, { who: by.who, act: 'apply', run, detail: { planHash } }, applied!.at);
    });
  }

  async application(run: string): Promise<PlanApplication | undefined> {
    const { number } = await this.#numbers.of(run);
    const sql = 'SELECT * FROM plan_applications WHERE run = $1';
    const found = await this.#db.get<ApplicationRecord>(sql, [number]);
    return found && toApplication(found);
  }

  async policies(): Promise<readonly HostPolicy[]> {
    return (await this.#db.all<PolicyRecord>(SELECT_POLICIES)).map(toPolicy);
  }

  async keepPolicies(host: string, policies: readonly ApprovalPolicy[], by: string): Promise<void> {
    const missing = async (db: Queryable) =>
      unkeptPolicies(await db.all<PolicyRecord>(SELECT_POLICIES), host, policies);
    if ((await missing(this.#db)).length === 0) return;
    await this.#db.transaction(async (tx) => {
      await tx.run(ONE_AT_A_TIME);
      for (const policy of await missing(tx)) await say(tx, host, by, policy);
    });
  }

  async liftPolicies(host: string, by: string): Promise<boolean> {
    return orRefusal('-', () =>
      this.#db.transaction(async (tx) => {
        await tx.run(ONE_AT_A_TIME);
        const isKept = (await tx.all<PolicyRecord>(SELECT_POLICIES)).some((it) => it.host === host);
        if (isKept) await say(tx, host, by);
        return isKept;
      }),
    );
  }

  /** Whoever else says something of this run waits. */
  async #write<T>(run: string, work: (tx: Queryable, number: number) => Promise<T>): Promise<T> {
    const { number } = await this.#numbers.of(run);
    return orRefusal(run, () =>
      this.#db.transaction(async (tx) => {
        await tx.get('SELECT 1 FROM runs WHERE id = $1 FOR UPDATE', [number]);
        return work(tx, number);
      }),
    );
  }
}

async function say(tx: Queryable, host: string, by: string, policy?: string): Promise<void> {
  const [said] = await tx.all<{ at: number }>(KEEP, [host, policy ?? null, by]);
  await appendAudit(tx, policyEntry(host, by, policy), said!.at);
}
