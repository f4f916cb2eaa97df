import { message } from '../../src/errors/message.js';
import type { RowVerdict } from '../../src/ledger/contract/plan.js';
import type { RunKind } from '../../src/ledger/contract/runs.js';
import { keepInput } from '../../src/ledger/inputs.js';
import { packSettings } from '../../src/ledger/stored-settings.js';
import type { Connection } from '../../src/model/connection.js';
import type { ItemOutcome } from '../../src/model/item.js';
import type { Job, JobStep, StepsJob } from '../../src/model/job.js';
import type { MapBranch, MapLeaf, MapNode } from '../../src/model/map.js';
import type { Fixture } from './job-runs.js';
import { closeBatch, columnsOf, openBatch, order, runStart } from './ledger-samples.js';

const AT = { line: 1, column: 1 };
const CONNECTION: Connection = {
  name: 'sandbox',
  sandbox: true,
  token: { kind: 'sandbox' },
  timestamps: 'milliseconds',
  timezone: 'Asia/Shanghai',
  allowInsecureHttp: false,
  confirm: 'default',
  retryCode500: 'retry',
};

function step(
  name: string,
  operation: JobStep['operation'],
  fields: Readonly<Record<string, MapNode>> = {},
): JobStep {
  const map: MapBranch = { kind: 'branch', at: AT, fields: new Map(Object.entries(fields)) };
  return { name, operation, onPartial: 'continue', map, batch: {}, at: AT };
}

function column(name: string): MapLeaf {
  return { kind: 'column', column: name, at: AT };
}

/** From customers to orders, as in the contract's section 9. */
export function onboardJob(file: string): StepsJob {
  return {
    file: '/jobs/onboard.yaml',
    sha256: 'a'.repeat(64),
    name: 'onboard',
    source: {
      file,
      headerRow: 1,
      encoding: 'auto',
      delimiter: 'auto',
      hiddenRows: 'include',
      merged: 'refuse',
    },
    run: {
      concurrency: 1,
      timeoutMs: 1000,
      retries: 0,
      patienceMs: 1000,
      onInvalid: 'skip',
      stopAfterFailures: 50,
    },
    safety: {
      maxItems: 10_000,
      maxDeletes: 100,
      allowDeleteFromAllOrders: false,
      duplicates: 'skip',
      conflicts: 'abort',
    },
    output: { file: '/results/{job}.xlsx' },
    steps: [
      step('customer', 'enterprise.bind', {
        channelCode: column('Channel'),
        channelCustomerId: column('Customer No'),
      }),
      step('numbers', 'asset.numbers', { size: column('Locks') }),
      step('order', 'order.new_buy', {
        channelCode: column('Channel'),
        orderList: {
          kind: 'branch',
          at: AT,
          fields: new Map<string, MapNode>([
            [
              'customerId',
              { kind: 'from', step: 'customer', field: 'customerId', else: column('Customer No'), at: AT },
            ],
            ['assetNos', { kind: 'from', step: 'numbers', field: 'assetNumber', at: AT }],
          ]),
        },
      }),
    ],
  };
}

/** The outcome of one row in one step: of an item of its own, or by a verdict. */
export type Came = ItemOutcome | Omit<RowVerdict, 'row'> | 'pending';

/** A run of a job of steps in a ledger as its driver leaves it, every row with its outcome in each step. */
export async function stepsRun(
  fixture: Pick<Fixture, 'ledger'>,
  job: StepsJob,
  rows: Readonly<Record<number, readonly (Came | undefined)[]>>,
  { id = 'whole', kind = 'run', goesOn = false }: { id?: string; kind?: RunKind; goesOn?: boolean } = {},
): Promise<string> {
  const { ledger } = fixture;
  const { sha256 } = await keepInput(ledger.inputs, job.source.file);
  const start = { kind, job: job.name, jobFile: job.file, inputFile: job.source.file, inputSha256: sha256 };
  const settings = packSettings({ job, connection: CONNECTION });
  await ledger.runs.create(runStart(id, { ...start, operation: 'steps', settings }));
  for (const [index, it] of job.steps.entries()) {
    const of = `${id}-${it.name}`;
    const own: Job = {
      ...job,
      undoes: undefined,
      operation: it.operation,
      batch: it.batch,
      ...(it.map ? { map: it.map } : {}),
    };
    const child = { parent: id, step: index + 1, operation: it.operation };
    await ledger.runs.create(
      runStart(of, { ...start, ...child, settings: packSettings({ job: own, connection: CONNECTION }) }),
    );
    await fillStep(
      fixture,
      of,
      Object.entries(rows).map(([row, came]) => [Number(row), came[index]]),
    );
  }
  if (!goesOn) await ledger.runs.patch(id, { state: 'completed', endedAt: 1_764_000_060_000 });
  return id;
}

async function fillStep(
  { ledger }: Pick<Fixture, 'ledger'>,
  run: string,
  rows: readonly (readonly [number, Came | undefined])[],
): Promise<void> {
  const verdicts: RowVerdict[] = [];
  const items: [number, ItemOutcome | 'pending'][] = [];
  for (const [row, came] of rows) {
    if (came === undefined) continue;
    if (
      came !== 'pending' &&
      (came.status === 'invalid' || came.status === 'skipped' || came.status === 'not_sent')
    )
      verdicts.push({ row, ...(came as Omit<RowVerdict, 'row'>) });
    else items.push([row, came as ItemOutcome | 'pending']);
  }
  await ledger.plan.addItems(run, columnsOf(items.map(([row]) => order(row))));
  await ledger.plan.addVerdicts(run, verdicts);
  await ledger.plan.formBatches(run, 1);
  const isPlanned = rows.every(([, came]) => came !== undefined);
  await ledger.plan.finish(run, rows.length, isPlanned ? undefined : 'given');
  if (!isPlanned) return;
  for (const [index, [, came]] of items.entries()) {
    if (came === 'pending') continue;
    await openBatch(ledger, run, index + 1);
    await closeBatch(ledger, run, index + 1, { [index + 1]: came });
  }
}

export const LEFT_OUT: Came = { status: 'skipped' };
export const STOPPED_BEFORE: Came = { status: 'not_sent', message: message('ledger.bad_address') };
