import { type Message, message, render } from '../errors/message.js';
import type { ChunkLease, Counted, FailureTally, QueuedRunEvent } from '../ledger/contract/queue.js';
import type { Run } from '../ledger/contract/runs.js';
import { lineOf } from '../ledger/rules/scopes.js';
import type { Connection } from '../model/connection.js';
import type { Job } from '../model/job.js';
import { RequestGate } from '../platform/client/request-gate.js';
import { operationNamed } from '../platform/operations/catalogue.js';
import { approvalGate } from '../run/approval/approval-gate.js';
import { otherThanApproved } from '../run/approval/unchanged-plan.js';
import { changedInQueue } from '../run/conflicts/check-conflicts.js';
import { revertedOrders } from '../run/execute/attempt-outcomes.js';
import type { BatchEnd, BatchSenderParts } from '../run/execute/batch-sender.js';
import { mayBeginSending } from '../run/execute/may-execute.js';
import {
  type CountedEnd,
  countFailure,
  type FailureWatch,
  NO_FAILURES,
  tooManyFailures,
} from '../run/execute/send-batches.js';
import type { OpenedPlatform } from '../run/open-platform.js';
import { claimOptions } from '../run/retry-chain.js';
import { requireRun } from '../run/run-checks.js';
import { refuseOtherHost } from '../run/run-connection.js';
import { pauseEvent } from '../run/run-events.js';
import { unpackAny, unpackSettings } from '../run/settings.js';
import { RetryBudget } from '../util/retry-timing.js';
import { StopSignal } from '../util/stop-signal.js';
import type { WorkerServices } from './services.js';
import type { SharedLimits } from './shared-limits.js';

/**
 * Counts consecutive failures over all workers of a run, by the same rule as in one process. If no worker has failures, a
 * successful batch causes no ledger access.
 */
class SharedFailures implements FailureWatch {
  readonly #services: Pick<WorkerServices, 'ledger'>;
  readonly #of: { readonly run: string; readonly turn: number; readonly job: Job; readonly stop: StopSignal };
  /** The last known tally. */
  #known = NO_FAILURES;
  /** Ends of batches that are not counted yet. */
  #ended: CountedEnd[] = [];
  #counting = false;

  constructor(
    services: Pick<WorkerServices, 'ledger'>,
    of: { readonly run: string; readonly turn: number; readonly job: Job; readonly stop: StopSignal },
  ) {
    this.#services = services;
    this.#of = of;
  }

  update(tally: FailureTally): void {
    this.#known = tally;
  }

  saw(end: BatchEnd): void {
    if (end.stopped) {
      // If this fails, the stop is reported when the chunk is released.
      this.#stop(end.stopped).catch(() => {});
    }
    if (end.outcomes.length === 0) return;
    if (!this.#counting && isSame(countFailure(this.#known, end), this.#known)) return;
    this.#ended.push(end);
    if (!this.#counting) void this.#count();
  }

  /** Counts the ends in order. Batches that end in the meantime are counted together afterwards. */
  async #count(): Promise<void> {
    const { run, turn } = this.#of;
    const { queue } = this.#services.ledger;
    this.#counting = true;
    while (this.#ended.length > 0) {
      const ends = this.#ended.splice(0);
      // The first failure beyond the limit gives the reason.
      let why: Message | undefined;
      const next = (before: FailureTally): Counted => {
        why = undefined;
        const tally = ends.reduce((sum, end) => {
          const after = countFailure(sum, end);
          why ??= tooManyFailures(after, end, this.#of);
          return after;
        }, before);
        return { tally, ...(why ? { stop: { kind: 'safety', reason: why } } : {}) };
      };
      try {
        this.#known = await queue.work.tally(run, next, turn);
        if (why) this.#of.stop.stop({ kind: 'safety', reason: why });
      } catch {
        // The ledger is unavailable: nothing is sent, and these ends are not counted.
      }
    }
    this.#counting = false;
  }

  async #stop(reason: Message): Promise<void> {
    const { stop, run, turn } = this.#of;
    stop.stop({ kind: 'safety', reason });
    await this.#services.ledger.queue.stop(run, { kind: 'safety', reason }, turn);
  }
}

function isSame(a: FailureTally, b: FailureTally): boolean {
  return a.failures === b.failures && a.streak === b.streak && a.streakLength === b.streakLength;
}

/** A run of which this worker processes chunks. Shared by all chunks of one turn in the queue. */
export class ActiveRun {
  readonly #turn: number;
  readonly run: Run;
  /** Nothing more of the run is sent. */
  readonly stop: StopSignal;
  readonly failures: SharedFailures;
  readonly #services: WorkerServices;
  readonly #parts: Omit<BatchSenderParts, 'lease' | 'stop'>;
  readonly #warnings = new Map<string, Message>();

  static async open(
    services: WorkerServices,
    { run: id, turn }: Pick<ChunkLease, 'run' | 'turn'>,
    connection: Connection,
    { client }: OpenedPlatform,
    limits: SharedLimits,
  ): Promise<ActiveRun> {
    const { ledger } = services;
    const run = await requireRun(ledger, id);
    refuseOtherHost(run, connection);
    const settings = { ...unpackSettings(run.settings), connection };
    const claim = await claimOptions(ledger, id, settings);
    const undone = await revertedOrders(ledger, id, settings.connection);
    limits.sharePausesOf(client.origin);
    const shared = { ...settings, client, claim, revertedOrders: undone };
    const active = new ActiveRun(services, { run, turn }, shared, limits);
    const permission = await mayBeginSending(services, connection);
    const reason =
      permission.lost ??
      (await unapproved(services, run, connection)) ??
      (await changedInQueue(ledger, run, settings.job));
    if (reason) active.stop.stop({ kind: 'safety', reason });
    // The user who queued the run has confirmed it if that was required.
    else if (!permission.lost) permission.begin();
    return active;
  }

  private constructor(
    services: WorkerServices,
    { run, turn }: { readonly run: Run; readonly turn: number },
    {
      job,
      connection,
      client,
      claim,
      revertedOrders,
    }: Pick<BatchSenderParts, 'job' | 'connection' | 'client' | 'claim' | 'revertedOrders'>,
    limits: SharedLimits,
  ) {
    const { ledger, clock, log, observer } = services;
    this.run = run;
    this.#turn = turn;
    this.#services = services;
    this.stop = new StopSignal();
    this.failures = new SharedFailures(services, { run: run.id, turn, job, stop: this.stop });
    this.#parts = {
      run: run.id,
      job,
      operation: operationNamed(job.operation),
      connection,
      ledger,
      client,
      gate: new RequestGate({
        pace: limits.pace(run.id, lineOf(connection), job.run, connection),
        slots: limits.slots(lineOf(connection), connection),
        origin: client.origin,
        patienceMs: job.run.patienceMs,
        clock,
        timezone: connection.timezone,
        onPause: (pause) => {
          observer.paused(pause);
          if (pause) log?.add(pauseEvent(run.id, pause, clock.now()));
        },
      }),
      budget: new RetryBudget(),
      clock,
      warn: (warning) => {
        this.#warnings.set(render(warning), warning);
        observer.warn(warning);
      },
      log,
      claim,
      revertedOrders,
    };
  }

  /** Parts for the batches of one chunk. */
  parts(chunk: Required<Pick<BatchSenderParts, 'lease' | 'stop'>>): BatchSenderParts {
    return { ...this.#parts, ...chunk };
  }

  /** Applies the run's state as reported by all workers. */
  applyNews(news: QueuedRunEvent | undefined): void {
    // The run may have been queued again while requests of an earlier turn are in flight here.
    if (news?.turn !== this.#turn) return;
    this.failures.update(news.tally);
    if (news.stop?.kind === 'interrupted') this.stop.stop({ kind: 'interrupted' });
    else if (news.stop) this.stop.stop({ kind: 'safety', reason: news.stop.reason });
  }

  /** Reports to all workers that the run stops, if it was stopped here, and stores the warnings. */
  async reportStop(): Promise<void> {
    const { ledger } = this.#services;
    const { id } = this.run;
    const { cause } = this.stop;
    if (cause?.kind === 'safety') await ledger.queue.stop(id, cause, this.#turn);
    const warnings = [...this.#warnings.values()];
    this.#warnings.clear();
    if (warnings.length > 0) await ledger.plan.addWarnings(id, warnings);
  }
}

/** The actor for a worker's own settings. */
const BY = { who: 'worker', act: 'run' } as const;

/**
 * Danger: the user who queued a run may have settings that require no approval. The settings of the worker, which has the
 * credential, apply too. A step is approved with its whole run.
 */
async function unapproved(
  services: WorkerServices,
  run: Run,
  connection: Connection,
): Promise<Message | undefined> {
  const parent = run.step === undefined ? run : await requireRun(services.ledger, run.parent!);
  const settings = { ...unpackAny(parent.settings), connection };
  const mismatch = otherThanApproved(parent, connection);
  if (mismatch) return mismatch;
  const { ledger } = services;
  const gate = { services: { ledger, by: BY }, id: parent.id, settings };
  if (!(await approvalGate(gate))) return undefined;
  return message('approval.worker', { run: run.id, connection: connection.name });
}
