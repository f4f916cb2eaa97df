import path from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Connection } from '../../src/model/connection.js';
import { operationNamed } from '../../src/platform/operations/catalogue.js';
import { exportResult } from '../../src/run/report/export-result.js';
import type { RunEnd } from '../../src/run/run-end.js';
import { openSource } from '../../src/source/open-source.js';
import { FakePlatform, type Seen } from '../support/fake-platform.js';
import { Fixture } from '../support/job-runs.js';
import { quickClock } from '../support/quick-clock.js';
import { readSheet } from '../support/read-sheet.js';
import { anyJob, COLUMNS, type GivenJob, inputFile, jobFile, jobOf, rowNumbers } from './generated-jobs.js';
import { SCRIPTS, ScriptedPlatform } from './scripted-platform.js';

/** Waits are over at once; what is waited for is tested elsewhere. */
const clock = quickClock();

let fixture: Fixture;
let platform: FakePlatform;
let connections = 0;

beforeAll(async () => {
  process.env.PROPERTIES_TOKEN = 'token';
  fixture = await Fixture.open();
  platform = await new FakePlatform(() => 'reset').start();
});

afterAll(async () => {
  await platform.stop();
  await fixture.close();
  delete process.env.PROPERTIES_TOKEN;
});

/** A platform that no run before has used, so that no earlier run holds a key. */
function newConnection(): Connection {
  connections += 1;
  return platform.connection({
    name: `fake-${connections}`,
    platform: `fake-${connections}`,
    token: { kind: 'env', name: 'PROPERTIES_TOKEN' },
  });
}

async function run(job: GivenJob, dryRun: boolean): Promise<RunEnd> {
  const input = await fixture.file('input.xlsx', inputFile(job));
  const file = await fixture.file('job.yaml', jobFile(job));
  return fixture.run(file, { input, dryRun, connection: newConnection(), parts: { clock } });
}

/** Every row of the source once, in order, with its own cells; and as many statuses as rows. */
async function checkAccount(job: GivenJob, end: RunEnd): Promise<Record<string, string>[]> {
  const numbers = rowNumbers(job.rows);
  const lines = await readSheet(end.output ?? '');
  expect(lines.map((it) => Number(it.row))).toEqual(numbers);
  expect(end.rows).toBe(numbers.length);
  expect(Object.values(end.counts).reduce((sum, it) => sum + it, 0)).toBe(numbers.length);
  expect(tally(lines)).toEqual(end.counts);
  const cells = numbers.map((number) => Object.values(job.rows[number - 2]!));
  expect(lines.map((it) => COLUMNS.map((name) => it[name]))).toEqual(cells);
  expect(await fixture.ledger.runs.counts(end.run)).toEqual(end.counts);
  return lines;
}

function tally(lines: readonly Record<string, string>[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status = '' } of lines) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

const anyScripts = fc.array(
  fc.oneof(
    { weight: 2, arbitrary: fc.constant('done') },
    { weight: 3, arbitrary: fc.constantFrom(...Object.keys(SCRIPTS)) },
    // What stops a run, so that some orders are never sent.
    { weight: 1, arbitrary: fc.constantFrom('HTTP 401', 'done, HTTP 303') },
  ),
  { minLength: 1, maxLength: 9 },
);
const anyOrders = fc
  .constantFrom('one row', 'grouped', 'nested', 'joined')
  .chain((shape) => jobOf(shape as GivenJob['shape']));

describe('whatever the platform does with the orders', () => {
  it('every row is reported once, none that had an effect as anything but succeeded, accepted or unknown', async () => {
    const met = new Set<string>();
    await fc.assert(
      fc.asyncProperty(anyOrders, anyScripts, async (job, scripts) => {
        const scripted = new ScriptedPlatform(scripts, job.shape !== 'one row');
        platform.answer = (seen) => scripted.answer(seen);
        const end = await run(job, false);
        for (const [, sent] of scripted.sent) checkRepeats(sent, met);
        const sent = [...scripted.sent.values()].reduce((sum, it) => sum + it.length, 0);
        expect(end.requests).toBe(sent);
        for (const line of await checkAccount(job, end)) {
          met.add(String(line.status));
          const known = [...scripted.effects].some((it) => isOf(it, line, job));
          const status = String(line.status);
          if (line.Take === 'no') expect(status).toBe('skipped');
          else if (known) expect(['succeeded', 'accepted', 'unknown']).toContain(status);
          else expect(['succeeded', 'accepted']).not.toContain(status);
        }
      }),
      { numRuns: 60 },
    );
    // All that can become of an order was met, or the property would say little.
    for (const status of ['accepted', 'succeeded', 'unknown', 'rejected', 'invalid', 'skipped', 'not_sent']) {
      expect(met).toContain(status);
    }
  });

  function isOf(effect: string, line: Record<string, string>, job: GivenJob): boolean {
    return job.shape === 'one row'
      ? effect.endsWith(` ${line.Customer}`)
      : effect.startsWith(`${line.Order} `);
  }

  /** A request goes out again only where the answer before allowed it, and always under the same number. */
  function checkRepeats(sent: readonly { channelOrderId: string; script: string }[], met: Set<string>): void {
    expect(new Set(sent.map((it) => it.channelOrderId)).size).toBe(1);
    for (const { script } of sent.slice(0, -1)) expect(SCRIPTS[script]!.again, script).toBe(true);
    if (sent.length > 1) met.add('sent again');
  }
});

describe('whatever the platform does with the locks', () => {
  const anyStatuses = fc.array(fc.constantFrom(0, 1, 1, 1, 2, 3, 4, 7, 'missing', 'reset', '503'), {
    minLength: 3,
    maxLength: 11,
  });

  it('every row is reported once, the worst of its locks', async () => {
    await fc.assert(
      fc.asyncProperty(jobOf('locks'), anyStatuses, async (job, statuses) => {
        platform.answer = (seen, count) =>
          answerLocks(seen, (at) => statuses[(at + count) % statuses.length]!);
        const end = await run(job, false);
        const lines = await checkAccount(job, end);
        for (const { status } of lines) expect(['unknown', 'accepted', 'valid']).not.toContain(status);
      }),
      { numRuns: 10 },
    );
  });

  function answerLocks(seen: Seen, pick: (at: number) => number | string) {
    const locks = seen.body.assetNums as string[];
    if (pick(0) === 'reset') return 'reset' as const;
    if (pick(0) === '503') return { status: 503, body: {} };
    const data = locks.flatMap((assetNum, at) => {
      const status = pick(at);
      return typeof status === 'number' ? [{ assetNum, status }] : [];
    });
    return { body: { code: 0, message: 'success', data } };
  }
});

/** What would be sent, batch by batch, but for what the run's own id is part of. */
async function planned(end: RunEnd): Promise<unknown[]> {
  const operation = operationNamed(end.operation as never);
  const batches = await fixture.ledger.execution.pending(end.run, 0, 1000);
  return batches.map(({ batch, envelope, items }) => ({
    batch,
    envelope,
    items,
    request: operation.compose(
      envelope,
      items.map((it) => it.body),
      { appKey: 'app', channelOrderId: 'LS' },
    ),
  }));
}

describe('a plan', () => {
  it('made twice has the same batches: bodies, envelopes and order', async () => {
    let batches = 0;
    await fc.assert(
      fc.asyncProperty(anyJob, async (job) => {
        const first = await run(job, true);
        const second = await run(job, true);
        const plans = [await planned(first), await planned(second)];
        batches += plans[0]!.length;
        expect(plans[1]).toEqual(plans[0]);
        expect(second.counts).toEqual(first.counts);
        await checkAccount(job, second);
      }),
      { numRuns: 10 },
    );
    expect(batches).toBeGreaterThan(5);
  });

  it('does not depend on where the rows of an order stand', async () => {
    const shapes = fc
      .constantFrom('grouped', 'nested', 'joined')
      .chain((shape) => jobOf(shape as GivenJob['shape']));
    await fc.assert(
      fc.asyncProperty(shapes, fc.infiniteStream(fc.nat()), async (given, numbers) => {
        // A row without an order number withholds the order above it, so there it does matter where rows stand.
        const rows = given.rows.filter(
          (it) => it.order !== '' || Object.values(it).every((text) => text === ''),
        );
        const job = { ...given, rows };
        const mixed = { ...job, rows: interleaved(job.rows, numbers) };
        const plans = [];
        for (const it of [
          { ...job, size: 1 },
          { ...mixed, size: 1 },
        ]) {
          const end = await run(it, true);
          const bodies = (await planned(end)).map((batch) =>
            JSON.stringify((batch as { request: unknown }).request),
          );
          const lines = await readSheet(end.output ?? '');
          const reported = lines.map((line) => [line.status, ...COLUMNS.map((name) => line[name])].join('|'));
          plans.push({ bodies: bodies.sort(), reported: reported.sort() });
        }
        expect(plans[1]).toEqual(plans[0]);
      }),
      { numRuns: 10 },
    );
  });

  /** The rows in another order, those of one order still one after the other. */
  function interleaved(rows: GivenJob['rows'], numbers: Iterator<number>): GivenJob['rows'] {
    const groups = new Map<string, GivenJob['rows'][number][]>();
    for (const it of rows) groups.set(it.order, [...(groups.get(it.order) ?? []), it]);
    const mixed: GivenJob['rows'][number][] = [];
    while (groups.size > 0) {
      const names = [...groups.keys()];
      const name = names[numbers.next().value % names.length]!;
      const group = groups.get(name)!;
      mixed.push(group.shift()!);
      if (group.length === 0) groups.delete(name);
    }
    return mixed;
  }
});

describe('a report', () => {
  it('made again is the same, cell for cell, on every sheet', async () => {
    await fc.assert(
      fc.asyncProperty(anyJob, anyScripts, async (job, scripts) => {
        const scripted = new ScriptedPlatform(scripts, job.shape !== 'one row');
        platform.answer = (seen) =>
          job.shape === 'locks' ? { body: { code: 0, message: 'x', data: [] } } : scripted.answer(seen);
        const end = await run(job, false);
        const stored = await fixture.ledger.runs.get(end.run);
        const again = path.join(fixture.folder, 'again.xlsx');
        await exportResult(fixture.parts(), stored!, again);
        expect(await allCells(again)).toEqual(await allCells(end.output ?? ''));
      }),
      { numRuns: 8 },
    );
  });

  async function allCells(file: string): Promise<Record<string, string[]>> {
    const source = await openSource(file);
    try {
      const sheets: Record<string, string[]> = {};
      for (const sheet of source.sheets) {
        const cells: string[] = [];
        for await (const page of source.rows(sheet)) {
          for (const row of page) {
            for (const { column, kind, text, format } of row.cells())
              cells.push(`${column} ${row.number} ${kind} ${format} ${text}`);
          }
        }
        sheets[sheet.name] = cells;
      }
      return sheets;
    } finally {
      await source.close();
    }
  }
});
