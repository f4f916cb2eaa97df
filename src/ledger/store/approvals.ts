import { message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import type { ApprovalPolicy } from '../../model/connection.js';
import { exactStringify } from '../../util/exact-json.js';
import type {
  AnnouncedItem,
  ApprovalLine,
  HostPolicy,
  NewApplication,
  NewApproval,
  PlanApplication,
  PlanMaker,
  Signer,
} from '../contract/approvals.js';
import { appendAudit } from './audit.js';
import type { Dialect } from './dialect.js';
import { HASH_NOW } from './run-rows.js';
import { SqlStore } from './runner.js';
import {
  execute,
  find,
  type InsertTarget,
  insertAll,
  list,
  query,
  queryOne,
  type Store,
  serverOnly,
} from './statement.js';

/** A run and its steps. */
const WITH_STEPS =
  'id = $1 OR (step IS NOT NULL AND parent = (SELECT whole.name FROM runs AS whole WHERE whole.id = $1))';

const SEAL = `
UPDATE runs SET kind = 'plan', state = CASE WHEN id = $1 THEN 'planned' ELSE state END, plan_hash = $2, needs_approval = $3
WHERE ${WITH_STEPS}`;
const STOP = "UPDATE runs SET state = 'stopped' WHERE id = $1";

/** The first hash of a run that was not a plan. */
const SEAL_FIRST = `UPDATE runs SET plan_hash = $2, needs_approval = 1 WHERE ${WITH_STEPS}`;
const SEAL_STEP = ({ now }: Dialect) => `
INSERT INTO step_seals (run, n, plan_hash, at)
SELECT CAST($1 AS bigint), (SELECT coalesce(max(n), 0) + 1 FROM step_seals WHERE run = $1), $2, at
FROM (SELECT ${now} AS at) AS clock
WHERE EXISTS (SELECT 1 FROM runs WHERE id = $1 AND plan_hash IS NOT NULL)`;

const ANNOUNCE: InsertTarget = {
  table: 'step_shapes',
  columns: { run: 'bigint', first_row: 'bigint', n: 'bigint', shape: 'text' },
  end: 'ON CONFLICT DO NOTHING',
};

const ANNOUNCED = `
SELECT first_row AS "firstRow", n, shape FROM step_shapes WHERE run = $1 AND first_row BETWEEN $2 AND $3`;

const LINE = `n, act, plan_hash AS "planHash", signer AS who, signer_subject AS subject, comment, at,
  expires_at AS "expiresAt"`;

const ADD = ({ now }: Dialect) => `
INSERT INTO approvals (run, n, act, plan_hash, signer, signer_subject, comment, at, expires_at)
SELECT CAST($1 AS bigint), (SELECT coalesce(max(n), 0) + 1 FROM approvals WHERE run = $1), $2, $3, $4, $5, $6, at,
  at + CAST($7 AS bigint)
FROM (SELECT ${now} AS at) AS clock RETURNING ${LINE}`;

const LIST = `SELECT ${LINE} FROM approvals WHERE run = $1 ORDER BY n`;

const ADD_MAKER = `
INSERT INTO plan_makers (run, who, subject, did, user_name) VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (run, who, did) DO NOTHING`;

const MAKERS = 'SELECT who, subject, did, user_name AS "user" FROM plan_makers WHERE run = $1';

const APPLY = ({ now }: Dialect) => `
INSERT INTO plan_applications (run, plan_hash, signer, signer_subject, at)
SELECT $1, $2, $3, $4, at FROM (SELECT ${now} AS at) AS clock RETURNING at`;

const SEND = `UPDATE runs SET kind = 'run' WHERE ${WITH_STEPS}`;

const APPLICATION = `
SELECT plan_hash AS "planHash", signer AS who, signer_subject AS subject, at FROM plan_applications
WHERE run = $1 AND plan_hash = (SELECT ${HASH_NOW} FROM runs WHERE id = $1)`;

/** Policies that apply: a row without a policy lifts all earlier ones of its host. */
const POLICIES = `
SELECT host, policy_json AS policy, said_by AS "by", at FROM host_policies AS it
WHERE policy_json IS NOT NULL AND NOT EXISTS (
  SELECT 1 FROM host_policies AS later WHERE later.host = it.host AND later.policy_json IS NULL AND later.n > it.n)
ORDER BY n`;

/** Two transactions must not both add the same policy. Readers don't wait. */
const ONE_AT_A_TIME = 'LOCK TABLE host_policies IN SHARE ROW EXCLUSIVE MODE';

const KEEP = ({ now }: Dialect) => `
INSERT INTO host_policies (n, host, policy_json, said_by, at)
SELECT (SELECT coalesce(max(n), 0) + 1 FROM host_policies), $1, $2, $3, at FROM (SELECT ${now} AS at) AS clock
RETURNING at`;

type Signed<T extends { readonly by: Signer }> = Omit<T, 'by'> & Signer;

/** `policy`: JSON text. */
type PolicyRow = Omit<HostPolicy, 'policy'> & { readonly policy: string };

/**
 * Approvals and applications of kept plans. The database itself refuses (each a `ProductError` of kind safety):
 * - an approver who created a part of the plan, or who was added or given a token within the last 7 days by a user who did,
 *   and was not confirmed since;
 * - a hash other than the plan's;
 * - an approval that was not requested;
 * - a second apply, or one without a valid approval;
 * - a change of a sealed plan.
 */
export class SqlApprovalStore extends SqlStore {
  /**
   * Makes a run and its steps a kept plan with this hash. From then on the database refuses every change of it.
   * @param needsApproval it may only be sent with an approval of that hash
   * @param makers kept with it; none of them may approve it
   * @param isStarted part of it was sent: it stays a run, stopped, and may be applied again once this hash is approved
   */
  seal(
    run: string,
    sealed: {
      readonly planHash: string;
      readonly needsApproval: boolean;
      readonly isStarted?: true;
      readonly makers?: readonly PlanMaker[];
    },
  ): Promise<void> {
    return this.#write(run, function* (number) {
      const { planHash, needsApproval, isStarted, makers = [] } = sealed;
      if (isStarted) {
        yield* execute(STOP, number);
        if ((yield* execute(SEAL_STEP, number, planHash)) === 0) yield* execute(SEAL_FIRST, number, planHash);
      } else yield* execute(SEAL, number, planHash, needsApproval);
      for (const { who, subject, did, user } of makers)
        yield* execute(ADD_MAKER, number, who, subject, did, user);
    });
  }

  /**
   * Records an approval, rejection or request, with its audit entry.
   * @throws ProductError safety when the database refuses it
   */
  add(run: string, approval: NewApproval): Promise<ApprovalLine> {
    return this.#write(run, function* (number) {
      const { act, planHash, by, comment } = approval;
      const maxAgeMs = approval.act === 'approve' ? approval.maxAgeMs : undefined;
      const values = [number, act, planHash, by.who, by.subject, comment, maxAgeMs];
      const line = signed((yield* find<Signed<ApprovalLine>>(ADD, ...values))!);
      const detail = {
        planHash,
        ...(comment === undefined ? {} : { comment }),
        ...(maxAgeMs === undefined ? {} : { maxAgeMs }),
      };
      yield* appendAudit({ who: by.who, act, run, detail }, line.at);
      return line;
    });
  }

  makers(run: string): Promise<readonly PlanMaker[]> {
    return this.readRun(run, (number) => list<PlanMaker>(MAKERS, number));
  }

  /** Oldest first. */
  async list(run: string): Promise<readonly ApprovalLine[]> {
    const lines = await this.readRun(run, (number) => list<Signed<ApprovalLine>>(LIST, number));
    return lines.map(signed);
  }

  /**
   * Makes a kept plan and its steps the run that sends it, with its audit entry. The settings of its sending are written in
   * the same transaction: a process that dies right after must not leave a run that sends everything at once.
   * @throws ProductError safety when it was applied before, or requires an approval that is missing
   */
  apply(run: string, { planHash, by, settings = new Map() }: NewApplication): Promise<void> {
    return this.#write(run, function* (number) {
      const { at } = (yield* queryOne<{ at: number }>(APPLY, number, planHash, by.who, by.subject))!;
      yield* execute(SEND, number);
      for (const [name, value] of settings)
        yield* execute('UPDATE runs SET settings_json = $1 WHERE name = $2', exactStringify(value), name);
      yield* appendAudit({ who: by.who, act: 'apply', run, detail: { planHash } }, at);
    });
  }

  /** Keeps a plan's view of a step's items before the step is planned again. Items that are kept already don't change. */
  announce(run: string, items: readonly AnnouncedItem[]): Promise<void> {
    return this.#write(run, (number) =>
      insertAll(
        ANNOUNCE,
        items.map(({ firstRow, n, shape }) => [number, firstRow, n, shape]),
      ),
    );
  }

  /** The announced items of the rows `from` to `to`. */
  announced(run: string, from: number, to: number): Promise<readonly AnnouncedItem[]> {
    return this.readRun(run, (number) => query<AnnouncedItem>(ANNOUNCED, number, from, to));
  }

  /** The application of the current plan hash; undefined until it is applied. */
  async application(run: string): Promise<PlanApplication | undefined> {
    const found = await this.readRun(run, (number) => find<Signed<PlanApplication>>(APPLICATION, number));
    return found && signed(found);
  }

  /** Policies of hosts that were not lifted, oldest first. */
  async policies(): Promise<readonly HostPolicy[]> {
    const kept = await this.db.read(() => query<PolicyRow>(POLICIES));
    return kept.map((it) => ({ ...it, policy: JSON.parse(it.policy) as ApprovalPolicy }));
  }

  /** Adds the policies that are new, each with its audit entry. */
  async keepPolicies(host: string, policies: readonly ApprovalPolicy[], by: string): Promise<void> {
    if ((await this.db.read(() => unkeptPolicies(host, policies))).length === 0) return;
    await this.db.write(function* () {
      yield* serverOnly(ONE_AT_A_TIME);
      for (const policy of yield* unkeptPolicies(host, policies)) {
        const { at } = (yield* queryOne<{ at: number }>(KEEP, host, policy, by))!;
        const detail = { host, policy: JSON.parse(policy) };
        yield* appendAudit({ who: by, act: 'policy_keep', detail }, at);
      }
    }, 'outcomes');
  }

  /**
   * Lifts all current policies of the host, with an audit entry. Policies kept later apply.
   * @returns false when the host had no policy
   * @throws ProductError safety when the ledger has an admin and `by` is a user of the ledger without that role
   */
  liftPolicies(host: string, by: string): Promise<boolean> {
    const lift = function* (): Store<boolean> {
      yield* serverOnly(ONE_AT_A_TIME);
      const isKept = (yield* query<PolicyRow>(POLICIES)).some((it) => it.host === host);
      if (!isKept) return false;
      const { at } = (yield* queryOne<{ at: number }>(KEEP, host, null, by))!;
      yield* appendAudit({ who: by, act: 'policy_lift', detail: { host } }, at);
      return true;
    };
    return orRefusal('-', () => this.db.write(lift, 'outcomes'));
  }

  /** Locks the run row, so that writes to a run's approvals are serialised. */
  #write<T>(run: string, work: (number: number) => Store<T>): Promise<T> {
    const locked = function* ({ number }: { readonly number: number }): Store<T> {
      yield* serverOnly('SELECT 1 FROM runs WHERE id = $1 FOR UPDATE', number);
      return yield* work(number);
    };
    return orRefusal(run, () => this.db.writeRun(run, locked, 'outcomes'));
  }
}

function signed<T extends Signer>({ who, subject, ...it }: T) {
  return { ...it, by: { who, ...(subject === undefined ? {} : { subject }) } };
}

/** Canonical text of a policy. */
function policyText({ operations, above }: ApprovalPolicy): string {
  return JSON.stringify({ operations: operations && [...operations].sort(), above });
}

/** Texts of the policies that are new. */
function* unkeptPolicies(host: string, policies: readonly ApprovalPolicy[]): Store<readonly string[]> {
  const kept = (yield* query<PolicyRow>(POLICIES)).filter((it) => it.host === host);
  const known = new Set(kept.map((it) => it.policy));
  return [...new Set(policies.map(policyText))].filter((it) => !known.has(it));
}

const REFUSALS = [
  'approval.applied',
  'approval.granted_by_maker',
  'approval.kept',
  'approval.no_maker',
  'approval.not_requested',
  'approval.other_hash',
  'approval.own_plan',
  'approval.plan_sealed',
  'approval.policy_admin',
  'approval.policy_kept',
  'approval.wanted',
] as const;

/** Executes writes that triggers may refuse. A trigger raises the code of a message, which the thrown error gets. */
async function orRefusal<T>(run: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw refusalIn(error, run) ?? error;
  }
}

function refusalIn(error: unknown, run: string): ProductError | undefined {
  if (!(error instanceof Error)) return undefined;
  const code = REFUSALS.find((it) => error.message === it || error.message.endsWith(` ${it}`));
  if (code !== undefined) return new ProductError('safety', message(code, { run }), { cause: error });
  return refusalIn(error.cause, run);
}
