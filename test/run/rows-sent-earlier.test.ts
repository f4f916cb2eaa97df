import { copyFile, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { resolveRows } from '../../src/run/resolve/resolve-run.js';
import type { RunEnd } from '../../src/run/run-end.js';
import { systemClock } from '../../src/util/clock.js';
import { FakePlatform } from '../support/fake-platform.js';
import { Fixture } from '../support/job-runs.js';
import { LEDGER_MAKERS, SQLITE } from '../support/ledgers.js';
import { readSheet } from '../support/read-sheet.js';

const NUMBERS = `version: 1
name: numbers
operation: asset.numbers
source: { file: rows.csv }
map: { size: Locks }
`;
const LOCKS = `version: 1
name: overdue
operation: asset.lock
source: { file: rows.csv }
map:
  assetNums: Lock
  operatorIdentity: { value: me }
`;

describe.each(LEDGER_MAKERS)('rows of an operation without keys ($name)', (maker) => {
  let fixture: Fixture;
  let platform: FakePlatform;
  let last: number;
  let locked: string[];
  /** Fewer numbers come than were requested. */
  let short: boolean;
  /** Locks that the platform refuses. */
  let refused: ReadonlySet<string>;

  beforeEach(async () => {
    fixture = await Fixture.open(maker);
    last = 8_600_000_000;
    locked = [];
    short = false;
    refused = new Set(['8600000099']);
    platform = await new FakePlatform(({ query, body }) => {
      const size = Number(query.get('size') ?? body.size ?? 0);
      if (size > 0) {
        last += size;
        const data = Array.from({ length: short ? size - 1 : size }, (_, at) => `${last - at}`);
        return { body: { code: 0, message: 'success', data } };
      }
      const numbers = body.assetNums as string[];
      locked.push(...numbers);
      const data = numbers.map((assetNum) => ({ assetNum, status: refused.has(assetNum) ? 2 : 1 }));
      return { body: { code: 0, message: 'success', data } };
    }).start();
  });

  afterEach(async () => {
    await platform.stop();
    await fixture.close();
  });

  async function run(
    job: string,
    rows: string | undefined,
    set: readonly string[] = [],
    extension: '.xlsx' | '.csv' = '.xlsx',
  ): Promise<RunEnd> {
    if (rows !== undefined) await fixture.file('rows.csv', rows);
    const file = await fixture.file('job.yaml', job);
    return fixture.run(file, { connection: platform.connection(), set, extension });
  }

  /** The result of a run as the job's input. */
  async function again(job: string, end: RunEnd, set: readonly string[] = []): Promise<RunEnd> {
    const name = `again${path.extname(end.output!)}`;
    await copyFile(end.output!, path.join(fixture.folder, name));
    return run(job.replace('rows.csv', name), undefined, set);
  }

  it('are not sent again when the same file is run again by the job', async () => {
    const rows = 'Lock\n8600000001\n8600000099\n';
    expect((await run(LOCKS, rows)).counts).toEqual({ succeeded: 1, rejected: 1 });
    refused = new Set();
    expect((await run(LOCKS, rows)).counts).toEqual({ skipped: 1, succeeded: 1 });
    expect((await run(LOCKS, rows)).counts).toEqual({ skipped: 2 });
    expect((await run(LOCKS, rows, ['safety.duplicates=send'])).counts).toEqual({ succeeded: 2 });
    // Another job, operation or file.
    expect((await run(LOCKS.replace('overdue', 'other'), rows)).counts).toEqual({ succeeded: 2 });
    expect((await run(LOCKS, `${rows}8600000003\n`)).counts).toEqual({ succeeded: 3 });
    expect((await run(LOCKS.replace('asset.lock', 'asset.unlock'), rows)).counts).toEqual({ succeeded: 2 });
    // Unlocked since: not without a confirmation.
    expect(await run(LOCKS, `${rows}8600000004\n`)).toMatchObject({ exitCode: 4, counts: { not_sent: 3 } });
    expect(locked.filter((it) => it === '8600000001')).toHaveLength(5);
  });

  // The rest is the same on both: contract/ runs the ledger's statements on each.
  if (maker !== SQLITE) return;

  it.each(['.xlsx', '.csv'] as const)('are not sent again when the %s result is run', async (extension) => {
    const end = await run(NUMBERS, 'Locks\n2\n3\n', [], extension);
    expect(end).toMatchObject({ exitCode: 0, counts: { succeeded: 2 } });
    const drawn = last;
    const result = await again(NUMBERS, end);
    expect(result).toMatchObject({ exitCode: 0, counts: { skipped: 2 }, requests: 0 });
    expect(last).toBe(drawn);
    expect(await again(NUMBERS, end, ['safety.duplicates=send'])).toMatchObject({ counts: { succeeded: 2 } });
    // A job under another name, too.
    expect(await again(NUMBERS.replace('name: numbers', 'name: other'), end)).toMatchObject({ requests: 0 });
  });

  it('are checked alike, and corrected rows of a result are sent', async () => {
    const end = await run(LOCKS, 'Lock\n8600000001\n8600000099\n', [], '.csv');
    const text = await readFile(end.output!, 'utf8');
    await writeFile(path.join(fixture.folder, 'again.csv'), text.replace('8600000099', '8600000098'));
    const job = await fixture.file('job.yaml', LOCKS.replace('rows.csv', 'again.csv'));
    const checked = await fixture.run(job, { connection: platform.connection(), dryRun: true });
    expect(checked.counts).toEqual({ skipped: 1, valid: 1 });
    expect((await fixture.run(job, { connection: platform.connection() })).counts).toEqual({
      skipped: 1,
      succeeded: 1,
    });
    expect(locked).toEqual(['8600000001', '8600000099', '8600000098']);
  });

  it.each(['.xlsx', '.csv'] as const)(
    'are invalid where they were edited or copied in a %s result: not sent, and not treated as sent',
    async (extension) => {
      const end = await run(LOCKS, 'Lock\n8600000001\n"8600000002,8600000003"\n', [], '.csv');
      const [head, first, second] = (await readFile(end.output!, 'utf8')).split('\r\n');
      const rows = [
        first,
        // One lock fewer is still what was sent; another one is not.
        second!.replaceAll('8600000003', ''),
        second!.replaceAll('8600000003', '8600000004'),
        first!.replaceAll('8600000001', '8600000005'),
        // Without its run and row it is a row of its own.
        first!.replaceAll('8600000001', '8600000006').replace(/^2,/, ',').replace(end.run, ''),
      ];
      await writeFile(path.join(fixture.folder, 'again.csv'), [head, ...rows, ''].join('\r\n'));
      const job = await fixture.file('job.yaml', LOCKS.replace('rows.csv', 'again.csv'));
      const options = { connection: platform.connection(), set: ['run.onInvalid=skip'], extension };
      const result = await fixture.run(job, options);
      expect(result.counts).toEqual({ skipped: 2, invalid: 2, succeeded: 1 });
      expect(locked).toEqual(['8600000001', '8600000002', '8600000003', '8600000006']);
      const lines = await readSheet(result.output!);
      expect(lines[2]).toMatchObject({ status: 'invalid' });
      expect(lines[2]!.message).toContain(`row 3 of run ${end.run} succeeded, but with other content`);
      expect(lines[3]!.message).toContain(`row 2 of run ${end.run} succeeded, but with other content`);
    },
  );

  it('are invalid where they ask for other numbers than their run drew', async () => {
    const end = await run(NUMBERS, 'Locks\n2\n3\n', [], '.csv');
    const drawn = last;
    const text = await readFile(end.output!, 'utf8');
    await writeFile(path.join(fixture.folder, 'again.csv'), text.replace(/,3\r\n$/, ',4\r\n'));
    const job = await fixture.file('job.yaml', NUMBERS.replace('rows.csv', 'again.csv'));
    const options = { connection: platform.connection(), set: ['run.onInvalid=skip'] };
    expect((await fixture.run(job, options)).counts).toEqual({ skipped: 1, invalid: 1 });
    expect(last).toBe(drawn);
  });

  it.each(['.xlsx', '.csv'] as const)(
    'are not sent again while an earlier run left them unknown, from the same file or its %s result',
    async (extension) => {
      short = true;
      const rows = 'Locks\n2\n3\n';
      const end = await run(NUMBERS, rows, [], extension);
      expect(end).toMatchObject({ exitCode: 6, counts: { unknown: 2 } });
      short = false;
      const drawn = last;
      for (const repeated of [await run(NUMBERS, rows, [], extension), await again(NUMBERS, end)])
        expect(repeated).toMatchObject({ exitCode: 6, counts: { skipped: 2 }, requests: 0 });
      expect(last).toBe(drawn);
      const stored = (await fixture.ledger.runs.get(end.run))!;
      const services = {
        ledger: fixture.ledger,
        stateFolder: fixture.folder,
        who: 'wang',
        clock: systemClock,
      };
      await resolveRows(services, stored, [{ row: 2, as: 'failed' }]);
      // Known to have failed: sent. The other one is still unknown.
      const resolved = await run(NUMBERS, rows, [], extension);
      expect(resolved).toMatchObject({ exitCode: 6, counts: { succeeded: 1, skipped: 1 } });
      const lines = await readSheet(resolved.output!);
      expect(lines.at(-1)).toMatchObject({ status: 'skipped' });
      expect(lines.at(-1)!.message).toContain(`license-sync resolve ${end.run} --row 3`);
      expect(await run(NUMBERS, rows, ['safety.duplicates=send'])).toMatchObject({
        counts: { succeeded: 2 },
      });
    },
  );

  it.each(['.xlsx', '.csv'] as const)(
    'are not sent again from the %s result of a run that skipped them, nor from that of a check',
    async (extension) => {
      let end = await run(NUMBERS, 'Locks\n2\n3\n', [], extension);
      const drawn = last;
      for (let time = 0; time < 3; time += 1) {
        const repeated = await again(NUMBERS, end);
        expect(repeated).toMatchObject({ exitCode: 0, counts: { skipped: 2 }, requests: 0 });
        expect((await readSheet(repeated.output!)).at(-1)!.message).toContain('row 3 of run');
        const job = await fixture.file('check.yaml', NUMBERS.replace('rows.csv', `again${extension}`));
        end = await fixture.run(job, { connection: platform.connection(), dryRun: true, extension });
        expect(end.counts).toEqual({ skipped: 2 });
      }
      expect(last).toBe(drawn);
    },
  );

  it('are not sent again from the result of a run that skipped them because they are unknown', async () => {
    short = true;
    const first = await run(NUMBERS, 'Locks\n2\n3\n');
    short = false;
    const second = await again(NUMBERS, first);
    expect(await again(NUMBERS, second)).toMatchObject({ exitCode: 6, counts: { skipped: 2 }, requests: 0 });
    const stored = (await fixture.ledger.runs.get(first.run))!;
    const services = { ledger: fixture.ledger, stateFolder: fixture.folder, who: 'wang', clock: systemClock };
    await resolveRows(services, stored, [{ row: 2, as: 'failed' }]);
    await resolveRows(services, stored, [{ row: 3, as: 'succeeded' }]);
    expect((await again(NUMBERS, second)).counts).toEqual({ succeeded: 1, skipped: 1 });
  });

  it('are not sent again when what they had is restored in the result of the run that refused the change', async () => {
    const end = await run(NUMBERS, 'Locks\n2\n3\n', [], '.csv');
    const edited = async (from: RunEnd, change: (text: string) => string): Promise<RunEnd> => {
      await writeFile(path.join(fixture.folder, 'again.csv'), change(await readFile(from.output!, 'utf8')));
      return run(NUMBERS.replace('rows.csv', 'again.csv'), undefined, [], '.csv');
    };
    const drawn = last;
    const refused = await edited(end, (text) => text.replace(/,3\r\n$/, ',4\r\n'));
    expect(refused).toMatchObject({ exitCode: 3, counts: { skipped: 1, invalid: 1 } });
    // Still changed, and then restored.
    expect(await edited(refused, (text) => text)).toMatchObject({ exitCode: 3 });
    const restored = await edited(refused, (text) => text.replace(/,4\r\n$/, ',3\r\n'));
    expect(restored).toMatchObject({ exitCode: 0, counts: { skipped: 2 }, requests: 0 });
    expect(last).toBe(drawn);
  });

  describe('in a result that is no longer recognised as one', () => {
    async function withColumns(arranged: (names: readonly string[]) => readonly string[]): Promise<RunEnd> {
      const end = await run(NUMBERS, 'Branch,Locks\nA,2\nB,3\n', [], '.csv');
      const [head = [], ...rows] = (await readFile(end.output!, 'utf8'))
        .replace(/^\ufeff/, '')
        .trimEnd()
        .split('\r\n')
        .map((line) => line.split(','));
      const at = arranged(head).map((name) => head.indexOf(name));
      const lines = [head, ...rows].map((cells) => at.map((it) => cells[it]).join(','));
      return run(NUMBERS, `${lines.join('\n')}\n`);
    }

    const arrangements: Readonly<Record<string, (names: readonly string[]) => readonly string[]>> = {
      'a column was moved to the front': (names) => ['Locks', ...names.slice(0, -1)],
      'the order is reversed': (names) => names.toReversed(),
      ...Object.fromEntries(
        ['status', 'licenseOrderId', 'code', 'message', 'recordCount', 'attempts'].map((name) => [
          `${name} was deleted`,
          (names: readonly string[]) => names.filter((it) => it !== name),
        ]),
      ),
    };
    it.each(Object.keys(arrangements))('are not sent again: %s', async (name) => {
      expect(await withColumns(arrangements[name]!)).toMatchObject({ counts: { skipped: 2 }, requests: 0 });
    });

    it.each([['run'], ['row'], ['row', 'run']])('are refused without %s', async (...lost) => {
      const refused = withColumns((names) => names.filter((it) => !lost.includes(it)));
      await expect(refused).rejects.toMatchObject({
        exitCode: 3,
        detail: { code: 'run.result_columns_lost' },
      });
    });

    it('are sent if all columns of the result were deleted', async () => {
      expect(await withColumns((names) => names.slice(-1))).toMatchObject({ counts: { succeeded: 2 } });
    });
  });
});
