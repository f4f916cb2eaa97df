import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openLedger } from '../../src/ledger/open.js';
import { afterRun } from '../../src/notify/after-run.js';
import type { CommandEnd } from '../../src/notify/notification-types.js';
import { parseMetrics } from '../support/exposition.js';
import { runStart } from '../support/ledger-samples.js';
import { following, runOver } from './parts.js';

let folder: string;
const at = (name: string): string => path.join(folder, name);

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'license-sync-metrics-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** A run in the ledger that has ended, exit code and all unless `cut`. */
async function ended(
  id: string,
  exitCode: number | undefined,
  endedAt: number,
  job = 'orders',
): Promise<void> {
  const ledger = await openLedger(at('ledger.db'));
  try {
    await ledger.runs.create(runStart(id, { job, connection: 'production', startedAt: endedAt - 2_000 }));
    await ledger.runs.patch(id, {
      state: 'completed',
      endedAt,
      requests: 5,
      retries: 1,
      ...(exitCode === undefined ? {} : { exitCode }),
    });
  } finally {
    await ledger.close();
  }
}

async function write(over: CommandEnd | undefined, file = at('license.prom')) {
  const all = following({ metrics: { file, openLedger: () => openLedger(at('ledger.db')) } });
  await afterRun(over, all.parts);
  return all;
}

/** Of the job's last run: [succeeded, time of its end, requests in all]. */
async function shown(job = 'orders'): Promise<readonly (number | undefined)[]> {
  const metrics = parseMetrics(await readFile(at('license.prom'), 'utf8'));
  const key = `{job=${job},connection=production,operation=order.new_buy}`;
  return ['last_run_success', 'last_run_timestamp_seconds', 'requests_total'].map((name) =>
    metrics.get(`license_sync_${name}`)?.samples.get(key),
  );
}

/** A command that ended before there was a run. */
function failed(job: string, endedAt: number, change: Partial<CommandEnd> = {}): CommandEnd {
  const { run: _, ...rest } = runOver({ job, exitCode: 2, startedAt: endedAt - 100, endedAt, ...change });
  return rest;
}

describe('the metrics file', () => {
  it('is made for everyone to read, whole, and leaves nothing next to it', async () => {
    await ended('r1', 0, 10_000);
    const before = process.umask(0o077);
    try {
      const { events } = await write(runOver({ run: 'r1' }));
      expect(events).toEqual([{ event: 'metrics_written', file: at('license.prom') }]);
    } finally {
      process.umask(before);
    }
    expect((await stat(at('license.prom'))).mode & 0o777).toBe(0o644);
    expect((await readdir(folder)).filter((it) => !it.startsWith('ledger'))).toEqual(['license.prom']);
    expect(await shown()).toEqual([1, 10, 5]);
  });

  it('is replaced, never written into: who reads the old one has the old one', async () => {
    await ended('r1', 0, 10_000);
    await write(runOver({ run: 'r1' }));
    const old = await stat(at('license.prom'));
    await ended('r2', 1, 20_000);
    await write(runOver({ run: 'r2' }));
    expect((await stat(at('license.prom'))).ino).not.toBe(old.ino);
    expect(await shown()).toEqual([0, 20, 10]);
  });

  it('shows a failure that the ledger does not have until a later run of the job ended', async () => {
    await ended('r1', 0, 10_000);
    await write(failed('orders', 20_000));
    expect(await shown()).toEqual([0, 20, 5]);
    // Another job's run writes the file again.
    await ended('x1', 0, 30_000, 'locks');
    await write(runOver({ run: 'x1', job: 'locks' }));
    expect(await shown()).toEqual([0, 20, 5]);
    expect(await shown('locks')).toEqual([1, 30, 5]);
    await write(failed('new', 35_000));
    expect(await shown('new')).toEqual([0, 35, undefined]);
    await ended('r2', 0, 40_000);
    await write(runOver({ run: 'r2' }));
    expect(await shown()).toEqual([1, 40, 10]);
    expect(await shown('new')).toEqual([0, 35, undefined]);
    expect(await readFile(at('license.prom'), 'utf8')).not.toMatch(/not in the ledger.*orders/);
  });

  it('shows a run that broke off without an exit code as failed', async () => {
    await ended('r1', 0, 10_000);
    await ended('r2', undefined, 20_000);
    await write(runOver({ run: 'r2', exitCode: 5, startedAt: 18_000, endedAt: 21_000 }));
    expect(await shown()).toEqual([0, 21, 5]);
  });

  it('keeps out what was only refused, and what found nothing to do', async () => {
    await ended('r1', 0, 10_000);
    await write(failed('orders', 20_000, { refused: true }));
    expect(await shown()).toEqual([1, 10, 5]);
    await write(undefined);
    expect(await shown()).toEqual([1, 10, 5]);
  });

  it('forgets a failure when a command of the job ends well without a run, an empty input folder', async () => {
    await ended('r1', 1, 10_000);
    await write(failed('orders', 20_000));
    await write(failed('locks', 20_000));
    const settled = { job: 'orders', connection: 'production', operation: 'order.new_buy' };
    const { parts } = following({
      metrics: {
        file: at('license.prom'),
        openLedger: () => openLedger(at('ledger.db')),
        recovered: settled,
      },
    });
    await afterRun(undefined, parts);
    // As the ledger has it, whether that was good or not.
    expect(await shown()).toEqual([0, 10, 5]);
    expect(await shown('locks')).toEqual([0, 20, undefined]);
  });

  it('ignores what a user changed in it', async () => {
    await ended('r1', 0, 10_000);
    await write(failed('orders', 20_000));
    const text = await readFile(at('license.prom'), 'utf8');
    const mark = '# not in the ledger: ';
    expect(text).toContain(mark);
    const changed = text.replace(
      mark,
      `${mark}{broken\n${mark}{"job":1}\n${mark}null\n${mark}{"counts":null}\n${mark}`,
    );
    await writeFile(at('license.prom'), changed);
    const { warnings } = await write(undefined);
    expect(warnings()).toEqual([]);
    expect(await shown()).toEqual([0, 20, 5]);
  });

  it('never takes the place of something else', async () => {
    await ended('r1', 0, 10_000);
    for (const [name, content] of [
      ['orders.csv', 'Order,Customer\n'],
      ['other.prom', '# HELP other_total x\n# TYPE other_total counter\nother_total 1\n'],
    ] as const) {
      await writeFile(at(name), content);
      const { warnings } = await write(runOver({ run: 'r1' }), at(name));
      expect(warnings()).toEqual([expect.stringMatching(/not a metrics file of this program/)]);
      expect(await readFile(at(name), 'utf8')).toBe(content);
    }
    execFileSync('mkfifo', [at('pipe.prom')]);
    for (const odd of [folder, '/dev/null', at('pipe.prom')]) {
      const { events } = await write(runOver({ run: 'r1' }), odd);
      expect(events.map((it) => it.event)).toEqual(['warning']);
    }
    expect((await stat('/dev/null')).isCharacterDevice()).toBe(true);
  });

  it('with another name is written, with a warning that the collector will overlook it', async () => {
    await ended('r1', 0, 10_000);
    const { events, warnings } = await write(runOver({ run: 'r1' }), at('metrics.txt'));
    expect(events.map((it) => it.event)).toEqual(['metrics_written', 'warning']);
    expect(warnings()).toEqual([expect.stringContaining('.prom')]);
  });

  it('that cannot be written is warned about', async () => {
    await ended('r1', 0, 10_000);
    await writeFile(at('plain'), '');
    const { warnings } = await write(runOver({ run: 'r1' }), path.join(at('plain'), 'x.prom'));
    expect(warnings()).toEqual([expect.stringContaining('ENOTDIR')]);
    const left = (await readdir(folder)).filter((it) => it.includes('.tmp'));
    expect(left).toEqual([]);
  });

  it('of a ledger that cannot be read is warned about', async () => {
    await writeFile(at('ledger.db'), 'no ledger '.repeat(1_000));
    const { warnings } = await write(runOver());
    expect(warnings()).toEqual([expect.stringMatching(/metrics file .*license\.prom could not be written/)]);
  });

  it('comes into a folder that is made for it', async () => {
    await ended('r1', 0, 10_000);
    await mkdir(at('real'));
    await symlink(at('real'), at('link'));
    const file = path.join(at('link'), 'deep', 'license.prom');
    const { warnings } = await write(runOver({ run: 'r1' }), file);
    expect(warnings()).toEqual([]);
    expect(await readdir(path.join(at('real'), 'deep'))).toEqual(['license.prom']);
  });
});
