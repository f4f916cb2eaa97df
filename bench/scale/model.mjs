import { Cores, Events, Log } from './events.mjs';

/**
 * Workers that process one run over one database, as the program does it: each worker is one thread with so many slots;
 * each request requires an intent that is durable before it leaves, and its outcome is kept before its slot is free. A
 * worker has one statement in progress at a time; what is asked for in the meantime is sent in the next one.
 *
 * @param costs measured: `requestMs` of a worker's thread for a request, `batchMs` of the database's CPU for an intent
 *   and an outcome together, `statementMs` for a statement by itself, `flushMs` for a commit's flush, `tripMs` to the
 *   database and back
 * @param place workers, slots, machines' cores for workers (`cores`), the database's (`databaseCores`), `latencyMs` of
 *   the platform, `perSecond` that the platform lets through (0: all)
 * @returns batches a second in the steady state, and which part was busy how much (0 to 1)
 */
export function simulate(costs, place, batches = 30_000) {
  const { workers, slots, cores, databaseCores, latencyMs, perSecond } = place;
  const events = new Events();
  const thread = new Cores(events, Math.min(workers, cores));
  const database = new Cores(events, databaseCores);
  const log = new Log(events, costs.flushMs);
  let begun = 0;
  let done = 0;
  let mayLeaveAt = 0;
  let steadyFrom;

  const request = (worker) => {
    if (begun >= batches) return;
    begun += 1;
    worker.statement(() => {
      const wait = turn();
      events.in(wait, () =>
        thread.use(costs.requestMs, () => events.in(latencyMs, () => worker.statement(() => ended(worker)))),
      );
    });
  };
  const turn = () => {
    if (!perSecond) return 0;
    mayLeaveAt = Math.max(mayLeaveAt, events.now) + 1000 / perSecond;
    return mayLeaveAt - events.now;
  };
  const ended = (worker) => {
    done += 1;
    if (done === Math.floor(batches / 5)) steadyFrom = events.now;
    if (done === Math.floor((batches * 4) / 5)) steadyUntil = events.now;
    request(worker);
  };
  let steadyUntil;

  for (let n = 0; n < workers; n += 1) {
    const worker = new Writer(events, database, log, costs);
    for (let slot = 0; slot < slots; slot += 1) request(worker);
  }
  while (events.step());
  const share = Math.floor((batches * 4) / 5) - Math.floor(batches / 5);
  return {
    perSecond: (share / (steadyUntil - steadyFrom)) * 1000,
    workerBusy: thread.busyMs / events.now / Math.min(workers, cores),
    databaseBusy: database.busyMs / events.now / databaseCores,
  };
}

/** One statement of a worker at a time; it contains all that was asked for while the one before was in progress. */
class Writer {
  #events;
  #database;
  #log;
  #costs;
  #asked = [];
  #underWay = false;

  constructor(events, database, log, costs) {
    this.#events = events;
    this.#database = database;
    this.#log = log;
    this.#costs = costs;
  }

  statement(then) {
    this.#asked.push(then);
    if (!this.#underWay) this.#send();
  }

  #send() {
    this.#underWay = true;
    const carried = this.#asked;
    this.#asked = [];
    const { tripMs, statementMs, batchMs } = this.#costs;
    // An intent or an outcome is half of what a batch costs.
    const ms = statementMs + (carried.length * batchMs) / 2;
    this.#events.in(tripMs, () =>
      this.#database.use(ms, () =>
        this.#log.commit(() => {
          this.#underWay = false;
          for (const then of carried) then();
          if (this.#asked.length > 0 && !this.#underWay) this.#send();
        }),
      ),
    );
  }
}
