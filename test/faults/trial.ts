import type { Message } from '../../src/errors/message.js';
import type { Connection } from '../../src/model/connection.js';
import type { Status } from '../../src/model/status.js';
import type { RunServices } from '../../src/run/run-context.js';
import type { RunEnd } from '../../src/run/run-end.js';
import { resumeRun } from '../../src/run/start-run.js';
import { Fixture } from '../support/job-runs.js';
import type { LedgerMaker } from '../support/ledgers.js';
import { orderJob, orderRows } from '../support/orders.js';
import { quickClock } from '../support/quick-clock.js';
import { readSheet } from '../support/read-sheet.js';
import { dyingLedger } from './dying-ledger.js';
import { connectionTo, type Happening, Relay } from './relay.js';

export type Attempted = 'order' | 'lock' | 'activity';

/** Three items that are sent in one request, but for the activity, which is its own request. */
const ITEMS = 3;

const JOBS: Readonly<
  Record<Attempted, { readonly job: string; readonly file: string; readonly rows: string }>
> = {
  order: {
    job: `${orderJob().replace('  channelOrderId: Order\n', '')}batch: { size: ${ITEMS} }\n`,
    file: 'orders.csv',
    rows: orderRows(ITEMS),
  },
  lock: {
    job: `version: 1
name: locks
operation: asset.lock
source: { file: locks.csv }
map: { assetNums: Lock, operatorIdentity: { value: ops@example.com } }
`,
    file: 'locks.csv',
    rows: 'Lock\n8100000001\n8100000002\n8100000003\n',
  },
  activity: {
    job: `version: 1
name: activity
operation: activity.participate
source: { file: people.csv }
map: { identity: Who, activityLabel: { value: spring }, source: { value: example.com }, branch: { value: HQ } }
`,
    file: 'people.csv',
    rows: 'Who\n13800000001\n',
  },
};

export interface Trial {
  readonly attempted: Attempted;
  /** What happens to the requests. */
  readonly happening: Happening;
  /** In place of the relay's address. */
  readonly address?: (port: number) => string;
  readonly set?: readonly string[];
  readonly connection?: Partial<Connection>;
  /** Other rows than the usual. */
  readonly rows?: string;
  /** The program ends before it can note what the first attempt came to, and is resumed. */
  readonly dies?: boolean;
}

/** What a trial came to, in the words of the event table. */
export interface Outcome {
  /** Of the rows: one word when they agree. */
  readonly status: string;
  /** Requests that the program counts as begun. */
  readonly attempts: number;
  /** Orders, locks or claims that the platform executed. */
  readonly effects: number;
  readonly exit: number;
}

export interface Tested extends Outcome {
  readonly end: RunEnd;
  readonly lines: readonly Readonly<Record<string, string>>[];
  /** Waits that the program asked for, in milliseconds. */
  readonly waits: readonly number[];
  /** Requests that came to the platform's door. */
  readonly arrived: number;
  /** Requests that followed a redirect. */
  readonly strayed: number;
  readonly warnings: readonly string[];
}

/** Runs a small job of one operation, with a ledger of a kind, against a platform on which something happens. */
export async function attempt(maker: LedgerMaker, trial: Trial): Promise<Tested> {
  const fixture = await Fixture.open(maker);
  const relay = await Relay.start(trial.happening);
  const waits: number[] = [];
  const warnings: string[] = [];
  try {
    const { job, file, rows } = JOBS[trial.attempted];
    await fixture.file(file, trial.rows ?? rows);
    const address = trial.address?.(relay.port) ?? `http://127.0.0.1:${relay.port}`;
    const parts = {
      clock: quickClock(waits),
      observer: {
        started() {},
        paused() {},
        progress() {},
        warn: ({ code, params }: Message) => void warnings.push(`${code} ${Object.values(params).join(' ')}`),
      },
    };
    const run = fixture.run(await fixture.file('job.yaml', job), {
      connection: connectionTo(address, trial.connection),
      set: ['run.retries=2', 'run.timeout=5s', ...(trial.set ?? [])],
      extension: '.csv',
      parts: trial.dies ? { ...parts, ledger: dyingLedger(fixture.ledger) } : parts,
    });
    const end = trial.dies ? await afterDeath(run, fixture, parts) : await run;
    const lines = await readSheet(end.output ?? '');
    const stats = relay.stats();
    const { orders, effects, redirectsFollowed: strayed } = stats;
    const done = { order: orders, lock: effects.locks, activity: effects.claims }[trial.attempted] ?? 0;
    return {
      status: together(lines.map((it) => it.status as Status)),
      attempts: end.requests,
      effects: done,
      exit: end.exitCode,
      end,
      lines,
      waits,
      arrived: relay.requests,
      strayed,
      warnings,
    };
  } finally {
    await relay.stop();
    await fixture.close();
  }
}

async function afterDeath(
  run: Promise<RunEnd>,
  fixture: Fixture,
  parts: Partial<RunServices>,
): Promise<RunEnd> {
  const survived = await run.then(
    () => true,
    () => false,
  );
  const last = await fixture.ledger.runs.last();
  if (survived || !last) throw new Error('the run was meant to die');
  return resumeRun(fixture.parts(parts), last, (it) => it);
}

function together(statuses: readonly Status[]): string {
  return new Set(statuses).size === 1 ? (statuses[0] ?? '') : statuses.join(', ');
}
