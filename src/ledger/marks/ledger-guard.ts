import { type Message, message } from '../../errors/message.js';
import type { Clock } from '../../util/clock.js';
import type { OnPlatform, RestoreState, Sender } from '../contract/sending-guard.js';
import { sharesKeys } from '../rules/scopes.js';
import type { SqlAuditStore } from '../store/audit.js';
import { packId } from '../store/ids.js';
import type { StoreRunner } from '../store/runner.js';
import { execute, query, queryOne, type Store } from '../store/statement.js';
import { type HostMarks, MarksFolder, type SentAttempt } from './host-marks.js';

/** The marks are written at most this often while a run sends, and at its end. */
const WRITE_EVERY_MS = 250;
/** For this process; the file keeps more. */
const ATTEMPTS_KEPT = 16;

export interface GuardParts {
  readonly location: string;
  readonly db: StoreRunner;
  readonly audit: SqlAuditStore;
  readonly clock: Clock;
  /** Names of the tables with attempts. */
  readonly attempts: readonly string[];
  /** For a ledger on a server: detects a change of the server since sending began. */
  readonly server?: {
    changed(marksHold: () => Promise<boolean>, how: 'record' | 'look'): Promise<Message | undefined>;
    /** Accepts the current server. */
    accept(): Store<unknown>;
  };
  /** For a ledger in a file: throws when the file was removed or replaced. */
  readonly checkFile?: () => void;
}

interface Epoch {
  readonly n: number;
  readonly at: number;
}

/** Stops sending from a ledger that lost records: it was restored from an older copy, or replaced. Compares it with this user's marks. */
export class LedgerGuard {
  readonly #parts: GuardParts;
  #folder: MarksFolder | undefined;
  #marks: HostMarks | undefined;
  #attempts: SentAttempt[] = [];
  #written = Number.NEGATIVE_INFINITY;
  #waiting: AbortController | undefined;
  #warning: Message | undefined;

  constructor(parts: GuardParts) {
    this.#parts = parts;
  }

  /**
   * Called before a process begins to send. From then on the attempts that it commits are remembered for this user. The
   * platform is not remembered before `sendsTo`, because a user may have to confirm that the ledger is new to it.
   * @returns why nothing may be sent
   * @throws ProductError internal when the ledger's file was removed or replaced since it was opened
   */
  async beginSending(sender: Sender): Promise<Message | undefined> {
    this.#parts.checkFile?.();
    const closed = await this.#closed();
    if (closed) return closed;
    if (sender.sandbox) return this.#parts.server?.changed(async () => false, 'record');
    const state = await this.#state(sender.env, 'record');
    if (state.kind === 'lost') return state.what;
    await this.#begin(sender);
    return undefined;
  }

  /** The location of another ledger with which this user has sent to the platform, if this ledger is new to it. */
  async otherLedger({ env, to }: Sender): Promise<string | undefined> {
    if (!to) return undefined;
    const id = await this.#id();
    const ofPlatform = new MarksFolder(env).all().filter((it) => it.platforms.includes(to.scope));
    if (ofPlatform.some((it) => it.id === id)) return undefined;
    const last = ofPlatform.sort((a, b) => b.at - a.at)[0];
    return last && !(await this.#hasSentTo(to)) ? last.location : undefined;
  }

  /** Remembers for this user that the ledger is used for the platform. Called after `beginSending`. */
  sendsTo({ scope }: OnPlatform): void {
    if (!this.#marks || this.#marks.platforms.includes(scope)) return;
    this.#marks = { ...this.#marks, platforms: [...this.#marks.platforms, scope] };
    this.flush();
  }

  /** Reads only. */
  async state(env: NodeJS.ProcessEnv): Promise<RestoreState> {
    const what = await this.#closed();
    return what ? { kind: 'closed', what } : this.#state(env, 'look');
  }

  async #closed(): Promise<Message | undefined> {
    const to = await this.closedTo();
    return to === undefined ? undefined : message('ledger.closed', { location: this.#parts.location, to });
  }

  async #state(env: NodeJS.ProcessEnv, how: 'record' | 'look'): Promise<RestoreState> {
    const { location, server } = this.#parts;
    // The last attempts of this process may not be in the marks yet.
    if (this.#waiting) this.flush();
    const folder = new MarksFolder(env);
    const [id, epoch] = [await this.#id(), await this.#epoch()];
    const marks = folder.read(id);
    // An acceptance after the marks were written applies to all hosts.
    const valid = marks && epoch && epoch.at > marks.epoch ? undefined : marks;
    const lost = valid ? await this.#lack(valid, epoch) : undefined;
    const other = marks ? undefined : folder.all().find((it) => it.id !== id && it.location === location);
    const changed = await server?.changed(async () => valid !== undefined && lost === undefined, how);
    if (changed) return { kind: 'lost', what: changed };
    if (lost) return { kind: 'lost', what: lost };
    if (other && !(epoch && epoch.at > other.at))
      return { kind: 'lost', what: message('ledger.restored_other', { location, run: other.run ?? '-' }) };
    if (marks) return { kind: 'holds' };
    return { kind: 'no_marks', sent: (await this.#sentScopes()).some((it) => it !== 'sandbox') };
  }

  /**
   * Accepts that records were lost, for all hosts.
   * @param who for the audit
   * @returns what was accepted; undefined when nothing was lost
   */
  async accept(env: NodeJS.ProcessEnv, who: string): Promise<Message | undefined> {
    const state = await this.state(env);
    if (state.kind !== 'lost') return undefined;
    const { location, db, audit, clock, server } = this.#parts;
    const folder = new MarksFolder(env);
    const id = await this.#id();
    const marks = folder.read(id);
    const others = folder.all().filter((it) => it.id !== id && it.location === location);
    const before = await this.#epoch();
    const last = await this.#highestRun();
    const seen = marks ?? others[0];
    const at = Math.max(
      clock.now(),
      (before?.at ?? 0) + 1,
      (marks?.epoch ?? 0) + 1,
      ...others.map((it) => it.at + 1),
    );
    const detail = {
      why: state.what.code,
      was: { run: seen?.run ?? null, attempt: seen?.attempts.at(-1)?.nonce ?? null },
      is: { run: last ?? null },
    };
    const n = (before?.n ?? 0) + 1;
    const sql = 'INSERT INTO epochs (n, at, who, detail_json) VALUES ($1, $2, $3, $4)';
    await db.write(function* () {
      yield* execute(sql, n, at, who, JSON.stringify(detail));
      if (server) yield* server.accept();
    });
    await audit.append({ who, act: 'ledger_accept', detail });
    for (const other of others) folder.remove(other.id);
    const platforms = [...new Set([...(marks?.platforms ?? []), ...others.flatMap((it) => it.platforms)])];
    folder.write({
      id,
      location,
      at,
      epoch: at,
      attempts: [],
      platforms,
      ...(last === undefined ? {} : { run: last }),
    });
    this.#marks = undefined;
    this.#attempts = [];
    return state.what;
  }

  /** The location that this ledger was copied to, if it was closed for that copy; undefined while it is open. */
  async closedTo(): Promise<string | undefined> {
    const sql = 'SELECT closed_to FROM ledger_identity';
    const found = await this.#get<{ closed_to: string | null }>(sql);
    return found?.closed_to ?? undefined;
  }

  /** Closes the ledger for writing, or reopens it (`to` undefined). */
  async close(to: string | undefined): Promise<void> {
    const sql = 'UPDATE ledger_identity SET closed_to = $1';
    await this.#parts.db.write(() => execute(sql, to), 'even closed');
  }

  /** Remembers a committed attempt. */
  committed({ run, batch, attempt, nonce }: SentAttempt): void {
    if (!this.#marks) return;
    this.#attempts.push({ run, batch, attempt, nonce });
    if (this.#attempts.length > ATTEMPTS_KEPT) this.#attempts.shift();
    const left = this.#written + WRITE_EVERY_MS - this.#parts.clock.monotonic();
    if (left <= 0) this.flush();
    else if (!this.#waiting) void this.#flushAfter(left);
  }

  async #flushAfter(ms: number): Promise<void> {
    this.#waiting = new AbortController();
    if (await this.#parts.clock.sleep(ms, this.#waiting.signal)) this.flush();
  }

  /** Writes the attempts committed since the last write. */
  flush(): void {
    this.#waiting?.abort();
    this.#waiting = undefined;
    if (!this.#marks || !this.#folder) return;
    this.#written = this.#parts.clock.monotonic();
    const runs = [this.#marks.run, ...this.#attempts.map((it) => it.run)].filter((it) => it !== undefined);
    const run = runs.sort().at(-1);
    const marks = { ...this.#marks, at: this.#parts.clock.now(), attempts: this.#attempts };
    this.#marks = run === undefined ? marks : { ...marks, run };
    const reason = this.#folder.write(this.#marks);
    if (reason !== undefined)
      this.#warning ??= message('ledger.marks_unwritable', { folder: this.#folder.folder, reason });
  }

  /** Why the marks could not be written; reported once. */
  takeWarning(): Message | undefined {
    const warning = this.#warning;
    this.#warning = undefined;
    return warning;
  }

  /** Whether the ledger has the attempts that this process remembers. */
  async marksHold(): Promise<boolean> {
    if (!this.#marks) return false;
    return !(await this.#lack({ ...this.#marks, attempts: this.#attempts }, await this.#epoch()));
  }

  async #begin({ env }: Sender): Promise<void> {
    const { location, clock } = this.#parts;
    const folder = new MarksFolder(env);
    const id = await this.#id();
    const epoch = (await this.#epoch())?.at ?? 0;
    const run = await this.#highestRun();
    const platforms = folder.read(id)?.platforms ?? [];
    // Another process has accepted a loss since: attempts committed before are no longer checked.
    if (this.#marks && epoch > this.#marks.epoch) this.#attempts = [];
    this.#folder = folder;
    this.#marks = {
      id,
      location,
      at: clock.now(),
      epoch,
      attempts: this.#attempts,
      platforms,
      ...(run === undefined ? {} : { run }),
    };
    this.flush();
  }

  /** The first record that the ledger lacks. */
  async #lack(seen: HostMarks, epoch: Epoch | undefined): Promise<Message | undefined> {
    const { location } = this.#parts;
    const last = (await this.#highestRun()) ?? '-';
    if ((epoch?.at ?? 0) < seen.epoch) return message('ledger.restored_epoch', { location, last });
    if (seen.run !== undefined && !(await this.#runNumber(seen.run)))
      return message('ledger.restored_run', { location, run: seen.run, last });
    for (const attempt of [...seen.attempts].reverse()) {
      const run = await this.#runNumber(attempt.run);
      if (!run) return message('ledger.restored_run', { location, run: attempt.run, last });
      // Pruning removes attempts.
      if (run.pruned_at === null && !(await this.#hasAttempt(run.id, attempt)))
        return message('ledger.restored_attempt', { location, run: attempt.run, batch: attempt.batch, last });
    }
    return undefined;
  }

  #runNumber(name: string): Promise<{ id: number; pruned_at: number | null } | undefined> {
    return this.#get('SELECT id, pruned_at FROM runs WHERE name = $1', name);
  }

  async #hasAttempt(run: number, { batch, attempt, nonce }: SentAttempt): Promise<boolean> {
    for (const table of this.#parts.attempts) {
      const sql = `SELECT 1 AS one FROM ${table} WHERE batch = $1 AND attempt = $2 AND nonce = $3`;
      if (await this.#get(sql, packId(run, batch), attempt, nonce)) return true;
    }
    return false;
  }

  /** Whether any user has sent to the platform. A copy of a ledger is not new to that ledger's platforms. */
  async #hasSentTo({ connection, scope }: OnPlatform): Promise<boolean> {
    return (await this.#sentScopes()).some((it) => sharesKeys(scope, it, connection));
  }

  async #sentScopes(): Promise<readonly string[]> {
    const sent = this.#parts.attempts.map(
      (table) =>
        `EXISTS (SELECT 1 FROM ${table} WHERE batch > runs.id * 4294967296 AND batch < (runs.id + 1) * 4294967296)`,
    );
    const sql = `SELECT name FROM scopes
      WHERE EXISTS (SELECT 1 FROM runs WHERE runs.scope = scopes.id AND (${sent.join(' OR ')}))`;
    return (await this.#parts.db.read(() => query<{ name: string }>(sql))).map((it) => it.name);
  }

  async #highestRun(): Promise<string | undefined> {
    const sql = 'SELECT name FROM runs ORDER BY name DESC LIMIT 1';
    return (await this.#get<{ name: string }>(sql))?.name;
  }

  async #id(): Promise<string> {
    return (await this.#get<{ id: string }>('SELECT id FROM ledger_identity'))?.id ?? '';
  }

  #epoch(): Promise<Epoch | undefined> {
    return this.#get('SELECT n, at FROM epochs ORDER BY n DESC LIMIT 1');
  }

  #get<T>(sql: string, ...values: readonly (string | number)[]): Promise<T | undefined> {
    return this.#parts.db.read(() => queryOne<T>(sql, ...values));
  }
}

/** Without its private members, so that a test can replace it. */
export type SendingGuard = Pick<LedgerGuard, keyof LedgerGuard>;
