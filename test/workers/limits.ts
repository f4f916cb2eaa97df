import { setTimeout as delay } from 'node:timers/promises';
import { must } from '../support/accounts.js';
import { type Answer, FakePlatform, type Seen } from '../support/fake-platform.js';
import { orderJob } from '../support/orders.js';
import { World } from './world.js';

/** What all workers together keep to, as the platform sees it. */
export const LIMITS = [
  'rate',
  'in-flight',
  'pause',
  'unavailable',
  'unavailable (408)',
  'stop',
  'refused',
  'failures',
  'same-id',
  'order',
] as const;
export type Limit = (typeof LIMITS)[number];

interface Arrival {
  /** Milliseconds, monotonic. */
  readonly at: number;
  readonly order: string;
  readonly customer: string;
  ended?: number;
}

interface Scene {
  readonly world: World;
  readonly arrivals: readonly Arrival[];
  readonly run: string;
  readonly orders: number;
  /** Since when the platform reports it, where it does. */
  readonly since: () => number | undefined;
}

interface LimitTrial {
  readonly settings?: string;
  readonly job?: string;
  readonly orders: number;
  readonly customers?: number;
  readonly latencyMs: number;
  /** Other than a success; called for the nth request. */
  readonly answer?: (nth: number, since: (it: number) => void) => Answer | Success | undefined;
  /** Holds the promise against what arrived; gives a figure for people. */
  readonly check: (scene: Scene) => Promise<string>;
}

const RATE = 40;
const MOST = 6;
/** Within this all of them know. */
const KNOWN_MS = 1_000;
const PAUSE_MS = 2_000;
const DOWN_MS = 2_000;

const TRIALS: Readonly<Record<Limit, LimitTrial>> = {
  rate: {
    settings: `requestsPerSecond: ${RATE}`,
    orders: 240,
    latencyMs: 20,
    async check({ arrivals, orders }) {
      must(arrivals.length === orders, 'each order must be sent once:', arrivals.length);
      const seconds = (arrivals.at(-1)!.at - arrivals[0]!.at) / 1000;
      const most = mostWithin(arrivals, 1000);
      must(most <= RATE * 1.25, 'the rate must hold over all workers:', { most });
      must(orders / seconds <= RATE * 1.05, 'the rate must hold over all workers:', { orders, seconds });
      return `${(orders / seconds).toFixed(1)} a second of ${RATE}, ${most} in the fullest`;
    },
  },
  'in-flight': {
    settings: `maxInFlight: ${MOST}`,
    orders: 120,
    latencyMs: 60,
    async check({ arrivals, orders }) {
      must(arrivals.length === orders, 'each order must be sent once:', arrivals.length);
      const most = mostAtOnce(arrivals);
      must(most <= MOST, 'no more may be under way, over all workers:', most);
      return `${most} at once of ${MOST}`;
    },
  },
  pause: {
    orders: 150,
    latencyMs: 40,
    answer: (nth, since) => {
      if (nth !== 60) return undefined;
      since(performance.now());
      const headers = { 'retry-after': String(PAUSE_MS / 1000) };
      return { status: 429, body: {}, headers };
    },
    async check({ arrivals, orders, since }) {
      const reported = since()!;
      const late = arrivals.filter((it) => it.at > reported + KNOWN_MS && it.at < reported + PAUSE_MS);
      must(late.length === 0, 'a pause must hold for all workers within a second:', late.length);
      must(
        arrivals.length === orders + 1,
        'each order must be sent once, but the one that was told to wait:',
        {
          arrivals: arrivals.length,
        },
      );
      const last = arrivals.filter((it) => it.at <= reported + KNOWN_MS).at(-1)!;
      return `the last request ${Math.round(last.at - reported)} ms after it was asked for`;
    },
  },
  unavailable: unavailable(503),
  'unavailable (408)': unavailable(408),
  stop: {
    orders: 4_000,
    latencyMs: 40,
    async check({ world, arrivals, run }) {
      while (arrivals.length < 80) await delay(20);
      const ended = await world.run(['stop', run]);
      const reported = performance.now();
      must(ended.code === 0, 'a run must be stoppable:', ended);
      await delay(2 * KNOWN_MS);
      const late = arrivals.filter((it) => it.at > reported + KNOWN_MS);
      must(late.length === 0, 'nothing more may be sent a second after a stop:', late.length);
      const waited = await world.wait(run);
      must(waited.code === 130, 'wait on a stopped run must exit with 130:', waited);
      const last = arrivals.at(-1)!;
      return `the last request ${Math.round(last.at - reported)} ms after stop came back`;
    },
  },
  refused: {
    orders: 4_000,
    latencyMs: 40,
    answer: (nth, since) => {
      if (nth < 80) return undefined;
      if (nth === 80) since(performance.now());
      return { status: 401, body: {} };
    },
    check: (scene) => stopsAll(scene, 'a 401'),
  },
  failures: {
    orders: 4_000,
    latencyMs: 40,
    job: 'run: { stopAfterFailures: 10, retries: 0 }\n',
    answer: (nth, since) => {
      if (nth < 80) return undefined;
      if (nth === 89) since(performance.now());
      return { status: 500, body: {} };
    },
    check: (scene) => stopsAll(scene, 'too many failures in a row'),
  },
  // Every chunk has fewer batches than the limit.
  'same-id': {
    orders: 150,
    latencyMs: 40,
    job: 'run: { stopAfterFailures: 10 }\n',
    answer: (nth) => (nth < 20 ? undefined : success('LO-1')),
    async check({ world, arrivals, run, orders }) {
      const waited = await world.wait(run);
      must(waited.code === 6, 'a run whose orders all get one id must be stopped:', waited);
      must(arrivals.length < orders / 2, 'nothing more may be sent after it:', arrivals.length);
      return `${arrivals.length - 20} requests after the first`;
    },
  },
  order: {
    orders: 80,
    customers: 12,
    latencyMs: 20,
    async check({ arrivals, orders }) {
      must(arrivals.length === orders, 'each order must be sent once:', arrivals.length);
      const last = new Map<string, Arrival>();
      for (const it of arrivals) {
        const before = last.get(it.customer);
        last.set(it.customer, it);
        if (!before) continue;
        must(before.ended !== undefined && before.ended <= it.at, 'one customer, one request at a time:', {
          before,
          it,
        });
        const [one, other] = [before, it].map(({ order }) => Number(order.slice('SO-'.length)));
        must(one! < other!, 'rows of one customer must go in the order of the sheet:', { before, it });
      }
      return `${last.size} customers, ${mostAtOnce(arrivals)} requests at once`;
    },
  },
};

/** Sends a run by several workers and holds what the platform saw against the limit; gives a figure for people. */
export async function tryLimit(
  limit: Limit,
  { server, workers, slots }: { readonly server: string; readonly workers: number; readonly slots: number },
): Promise<string> {
  const trial = TRIALS[limit];
  const arrivals: Arrival[] = [];
  let since: number | undefined;
  const fake = await new FakePlatform(async (seen) => {
    const arrival = arrivalOf(seen);
    arrivals.push(arrival);
    const answer = trial.answer?.(arrivals.length, (it) => {
      since = it;
    });
    await delay(trial.latencyMs);
    arrival.ended = performance.now();
    return typeof answer === 'function' ? answer(seen) : (answer ?? success()(seen));
  }).start();
  const world = await World.make({
    server,
    slots,
    orders: ordersOf(trial.orders, trial.customers ?? trial.orders),
    leaseMs: 5_000,
    platform: { environment: {}, stop: () => fake.stop() },
    settings: `defaultConnection: fake
connections:
  fake:
    baseUrl: ${fake.url}
    appKey: app
    token: { env: LICENSE_SYNC_TOKEN_OF_THE_TESTS }
    ${trial.settings ?? 'timestamps: milliseconds'}
`,
    job: orderJob({ extra: trial.job ?? '' }),
  });
  try {
    for (let n = 0; n < workers; n += 1) world.startWorker();
    // All are there before there is anything to do.
    while ((await world.listedWorkers()).length < workers) await delay(200);
    const run = await world.submit();
    const scene = { world, arrivals, run, orders: trial.orders, since: () => since };
    if (limit !== 'stop') await world.wait(run);
    const figure = await trial.check(scene);
    await world.leave();
    return figure;
  } finally {
    await world.remove();
  }
}

/** The platform replies to all requests with this status for a while. */
function unavailable(status: number): LimitTrial {
  return {
    orders: 150,
    latencyMs: 40,
    answer: downFrom(60, status),
    async check({ arrivals, orders, since }) {
      const reported = since()!;
      must(arrivals.length === orders, 'each order must be sent once:', arrivals.length);
      must(new Set(arrivals.map((it) => it.order)).size === orders, 'no order may be sent twice:', orders);
      const down = arrivals.filter((it) => it.at >= reported && it.at < reported + DOWN_MS);
      must(down.length < orders / 4, 'a platform that is down must cost few rows:', down.length);
      const late = down.filter((it) => it.at > reported + KNOWN_MS);
      must(late.length > 0, 'one request must be sent to see whether it is available again:', down.length);
      must(mostAtOnce(late) === 1, 'of all workers one request at a time may be sent:', mostAtOnce(late));
      return `${down.length} requests while it was down`;
    },
  };
}

function downFrom(first: number, status: number): LimitTrial['answer'] {
  let until = 0;
  return (nth, since) => {
    if (nth === first) {
      since(performance.now());
      until = performance.now() + DOWN_MS;
    }
    return nth >= first && performance.now() < until ? { status, body: {} } : undefined;
  };
}

async function stopsAll({ world, arrivals, run, since }: Scene, what: string): Promise<string> {
  const reported = since()!;
  const late = arrivals.filter((it) => it.at > reported + KNOWN_MS);
  must(late.length === 0, `${what} must stop all workers within a second:`, late.length);
  const waited = await world.wait(run);
  must(waited.code === 4 || waited.code === 6, 'wait must tell that the run was stopped:', waited);
  return `the last request ${Math.round(arrivals.at(-1)!.at - reported)} ms after it`;
}

function arrivalOf({ body }: Seen): Arrival {
  const [order] = body.orderList as readonly { readonly customerName: string }[];
  return { at: performance.now(), order: String(body.channelOrderId), customer: order!.customerName };
}

type Success = (seen: Seen) => Answer;

/** @param licenseOrderId of every order; without it each has its own */
function success(licenseOrderId?: string): Success {
  return ({ body }) => {
    const list = body.orderList as readonly { readonly sequence: number }[];
    const data = list.map(({ sequence }) => ({
      sequence,
      licenseOrderId: licenseOrderId ?? `LO-${body.channelOrderId}`,
      customerId: 'C1',
    }));
    return { body: { code: 0, message: 'ok', data } };
  };
}

/** Orders whose customers take turns. */
function ordersOf(count: number, customers: number): string {
  const lines = Array.from(
    { length: count },
    (_, at) => `SO-${at + 1},Customer ${at % customers},A${at + 1},5`,
  );
  return `Order,Customer,Asset,Nodes\n${lines.join('\n')}\n`;
}

function mostWithin(arrivals: readonly Arrival[], ms: number): number {
  let most = 0;
  let first = 0;
  for (const [at, it] of arrivals.entries()) {
    while (arrivals[first]!.at <= it.at - ms) first += 1;
    most = Math.max(most, at - first + 1);
  }
  return most;
}

function mostAtOnce(arrivals: readonly Arrival[]): number {
  const changes = arrivals.flatMap(({ at, ended = at }) => [
    { at, by: 1 },
    { at: ended, by: -1 },
  ]);
  let now = 0;
  let most = 0;
  for (const { by } of changes.sort((one, other) => one.at - other.at || one.by - other.by)) {
    now += by;
    most = Math.max(most, now);
  }
  return most;
}
