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
import type { GroupCommit } from './group-commit.js';
import type { RunNumbers } from './run-numbers.js';

/** A run and its steps. */
const WITH_STEPS = 'id = ?1 OR (step IS NOT NULL AND parent = (SELECT name FROM runs WHERE id = ?1))';

const SEAL = `
UPDATE runs SET kind = CASE ?4 WHEN 1 THEN kind ELSE 'plan' END,
  state = CASE WHEN id <> ?1 THEN state WHEN ?4 = 1 THEN 'stopped' ELSE 'planned' END, plan_hash = ?2, needs_approval = ?3
WHERE ${WITH_STEPS}`;

const NOW = "CAST(unixepoch('subsec') * 1000 AS INTEGER) AS at";

const ADD = `
INSERT INTO approvals (run, n, act, plan_hash, signer, signer_subject, comment, at, expires_at)
SELECT ?1, (SELECT coalesce(max(n), 0) + 1 FROM approvals WHERE run = ?1), ?2, ?3, ?4, ?5, ?6, at, at + ?7
FROM (SELECT ${NOW}) RETURNING *`;

const ADD_MAKER = `
INSERT INTO plan_makers (run, who, subject, did, user_name) VALUES (?, ?, ?, ?, ?) ON CONFLICT (run, who, did) DO NOTHING`;

const APPLY = `
INSERT INTO plan_applications (run, plan_hash, signer, signer_subject, at) SELECT ?, ?, ?, ?, at FROM (SELECT ${NOW})
RETURNING at`;

const KEEP = `
INSERT INTO host_policies (n, host, policy_json, said_by, at)
SELECT (SELECT coalesce(max(n), 0) + 1 FROM host_policies), ?, ?, ?, at FROM (SELECT ${NOW}) RETURNING at`;

export class SqliteApprovalStore implements ApprovalStore {
  readonly #db: Database;
  readonly #numbers: RunNumbers;
  readonly #group: GroupCommit;

  constructor(db: Database, numbers: RunNumbers, group: GroupCommit) {
    this.#db = db;
    this.#numbers = numbers;
    this.#group = group;
  }

  async seal(run: string, sealed: Parameters<ApprovalStore['seal']>[1]): Promise<void> {
    const needs = sealed.needsApproval ? 1 : 0;
    const isStarted = sealed.isStarted ? 1 : 0;
    await this.#write(run, (number) => {
      this.#db.run(SEAL, number, sealed.planHash, needs, isStarted);
      for (const it of sealed.makers ?? []) this.#db.run(ADD_MAKER, number, ...makerValues(it));
    });
  }

  add(run: string, said: NewApproval): Promise<ApprovalLine> {
    const maxAgeMs = said.act === 'approve' ? said.maxAgeMs : null;
    return this.#write(run, (number) => {
      const line = toApproval(this.#db.get<ApprovalRecord>(ADD, number, ...approvalValues(said), maxAgeMs)!);
      appendAudit(this.#db, approvalEntry(run, said), line.at);
      return line;
    });
  }

  async makers(run: string): Promise<readonly PlanMaker[]> {
    return this.#db
      .read(() => this.#db.all<MakerRecord>(`${MAKERS_OF} = ?`, this.#numbers.of(run).number))
      .map(toMaker);
  }

  async list(run: string): Promise<readonly ApprovalLine[]> {
    const sql = 'SELECT * FROM approvals WHERE run = ? ORDER BY n';
    return this.#db
      .read(() => this.#db.all<ApprovalRecord>(sql, this.#numbers.of(run).number))
      .map(toApproval);
  }

  async apply(run: string, { planHash, by, settings = new Map() }: NewApplication): Promise<void> {
    await this.#write(run, (number) => {
      const { at } = this.#db.get<{ at: number }>(APPLY, number, planHash, by.who, by.subject ?? null)!;
      this.#db.run(`UPDATE runs SET kind = 'run' WHERE ${WITH_STEPS}`, number);
      for (const [name, it] of settings)
        this.#db.run('UPDATE runs SET settings_json = ? WHERE name = ?', exactStringify(it), name);
      appendAudit(this.#db, { who: by.who, act: 'apply', run, detail: { planHash } }, at);
    });
  }

  async application(run: string): Promise<PlanApplication | undefined> {
    const sql = 'SELECT * FROM plan_applications WHERE run = ?';
    const found = this.#db.read(() => this.#db.get<ApplicationRecord>(sql, this.#numbers.of(run).number));
    return found && toApplication(found);
  }

  async policies(): Promise<readonly HostPolicy[]> {
    return this.#db.read(() => this.#policies()).map(toPolicy);
  }

  async keepPolicies(host: string, policies: readonly ApprovalPolicy[], by: string): Promise<void> {
    const missing = () => unkeptPolicies(this.#policies(), host, policies);
    if (this.#db.read(missing).length === 0) return;
    await this.#group.write(() => {
      for (const policy of missing()) this.#say(host, by, policy);
    });
  }

  async liftPolicies(host: string, by: string): Promise<boolean> {
    return orRefusal('-', () =>
      this.#group.write(() => {
        const isKept = this.#policies().some((it) => it.host === host);
        if (isKept) this.#say(host, by);
        return isKept;
      }),
    );
  }

  #policies(): PolicyRecord[] {
    return this.#db.all<PolicyRecord>(SELECT_POLICIES);
  }

  #say(host: string, by: string, policy?: string): void {
    const { at } = this.#db.get<{ at: number }>(KEEP, host, policy ?? null, by)!;
    appendAudit(this.#db, policyEntry(host, by, policy), at);
  }

  #write<T>(run: string, work: (number: number) => T): Promise<T> {
    return orRefusal(run, () => this.#group.write(() => work(this.#numbers.of(run).number)));
  }
}
