import { type Message, message, render } from '../errors/message.js';
import type { CarriedRunNews, ChunkLease } from '../ledger/contract/queue.js';
import type { Run } from '../ledger/contract/run.js';
import { lineOf } from '../ledger/rules/scopes.js';
import type { Connection } from '../model/connection.js';
import { RequestGate } from '../platform/client/request-gate.js';
import { operationNamed } from '../platform/operations/index.js';
import { approvalGate } from '../run/approval/gate.js';
import { otherThanApproved } from '../run/approval/other-than-approved.js';
import { undoneOrders } from '../run/execute/attempt-outcomes.js';
import type { CarrierParts } from '../run/execute/batch-carrier.js';
import { mayBeginSending } from '../run/execute/may-begin-sending.js';
import type { OpenedPlatform } from '../run/open-platform.js';
import { claimOptions } from '../run/retry-chain.js';
import { requireRun } from '../run/run-checks.js';
import { refuseOtherHost } from '../run/run-connection.js';
import { pauseEvent } from '../run/run-events.js';
import { unpackAny, unpackSettings } from '../run/settings.js';
import { RetryBudget } from '../util/retry-timing.js';
import { StopSignal } from '../util/stop-signal.js';
import type { WorkerServices } from './contract.js';
import { SharedFailures } from './shared-failures.js';
import type { SharedLimits } from './shared-limits.js';

/** A run of which this worker carries chunks: what all of one turn in the queue share here. */
export class RunInHand {
  readonly #turn: number;
  readonly run: Run;
  /** Nothing more of the run is sent. */
  readonly stop: StopSignal;
  readonly failures: SharedFailures;
  readonly #services: WorkerServices;
  readonly #parts: Omit<CarrierParts, 'lease' | 'stop'>;
  readonly #warned = new Map<string, Message>();

  static async open(
    services: WorkerServices,
    { run: id, turn }: Pick<ChunkLease, 'run' | 'turn'>,
    connection: Connection,
    { client }: OpenedPlatform,
    limits: SharedLimits,
  ): Promise<RunInHand> {
    const { ledger } = services;
    const run = await requireRun(ledger, id);
    refuseOtherHost(run, connection);
    const settings = { ...unpackSettings(run.settings), connection };
    const claim = await claimOptions(ledger, id, settings);
    const undone = await undoneOrders(ledger, id, settings.connection);
    limits.sharePausesOf(client.origin);
    const own = { ...settings, client, claim, undoneOrders: undone };
    const inHand = new RunInHand(services, { run, turn }, own, limits);
    const may = await mayBeginSending(services, connection);
    const reason = may.lost ?? (await unapproved(services, run, connection));
    if (reason) inHand.stop.stop({ kind: 'safety', reason });
    // Whoever queued the run has confirmed it where that was required.
    else if (!may.lost) may.begin();
    return inHand;
  }

  private constructor(
    services: WorkerServices,
    { run, turn }: { readonly run: Run; readonly turn: number },
    {
      job,
      connection,
      client,
      claim,
      undoneOrders,
    }: Pick<CarrierParts, 'job' | 'connection' | 'client' | 'claim' | 'undoneOrders'>,
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
        tell: (pause) => {
          observer.paused(pause);
          if (pause) log?.add(pauseEvent(run.id, pause, clock.now()));
        },
      }),
      budget: new RetryBudget(),
      clock,
      warn: (warning) => {
        this.#warned.set(render(warning), warning);
        observer.warn(warning);
      },
      ...(log ? { log } : {}),
      claim,
      undoneOrders,
    };
  }

  /** For the batches of one chunk. */
  parts(own: Required<Pick<CarrierParts, 'lease' | 'stop'>>): CarrierParts {
    return { ...this.#parts, ...own };
  }

  /** How the run stands by what all workers know. */
  heard(news: CarriedRunNews | undefined): void {
    // It may have been queued again while something of before is still under way here.
    if (news?.turn !== this.#turn) return;
    this.failures.heard(news.tally);
    if (news.stop?.kind === 'interrupted') this.stop.stop({ kind: 'interrupted' });
    else if (news.stop) this.stop.stop({ kind: 'safety', reason: news.stop.reason });
  }

  /** Says to all workers that the run stops, where something that happened here stops it; and keeps what was warned of. */
  async tell(): Promise<void> {
    const { ledger } = this.#services;
    const { id } = this.run;
    const { cause } = this.stop;
    if (cause?.kind === 'safety') await ledger.queue.stop(id, cause, this.#turn);
    const warned = [...this.#warned.values()];
    this.#warned.clear();
    if (warned.length > 0) await ledger.plan.addWarnings(id, warned);
  }
}

/** Whose settings they are that a worker has. */
const BY = { who: 'worker', act: 'run' } as const;

/**
 * Danger: whoever queued a run may have had settings that want no approval. Those of the worker, who has the credential, count
 * too. A step is approved with the run that it belongs to.
 */
async function unapproved(
  services: WorkerServices,
  run: Run,
  connection: Connection,
): Promise<Message | undefined> {
  const whole = run.step === undefined ? run : await requireRun(services.ledger, run.parent!);
  const settings = { ...unpackAny(whole.settings), connection };
  const other = otherThanApproved(whole, connection);
  if (other) return other;
  const { ledger } = services;
  const gate = { services: { ledger, by: BY }, id: whole.id, settings };
  if (!(await approvalGate(gate))) return undefined;
  return message('approval.worker', { run: run.id, connection: connection.name });
}
