import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { openLedger } from '../../src/ledger/open.js';
import { lastTime } from '../../src/schedule/timetable.js';
import { readCron } from '../../src/util/cron.js';
import { zone } from '../../src/util/zoned-time.js';
import { type Ended, licenseSync } from './command.js';
import { FakePlatform, ordersDone } from './fake-platform.js';
import { orderJob, orderRows } from './orders.js';
import { until } from './until.js';

const PROGRAM = fileURLToPath(new URL('../../bin/license-sync.js', import.meta.url));
const DAY = 86_400_000;

/** A `license-sync schedule` that continues, the first of a process group of its own as a shell makes it. */
export class SchedulerProcess {
  readonly child: ChildProcess;
  readonly ended: Promise<Pick<Ended, 'code' | 'signal'>>;
  stdout = '';
  stderr = '';

  constructor(
    args: readonly string[],
    options: { readonly cwd: string; readonly env: Record<string, string> },
  ) {
    const child = spawn(process.execPath, [PROGRAM, 'schedule', ...args], {
      cwd: options.cwd,
      env: { ...process.env, LANG: 'C', ...options.env },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    child.stdout.on('data', (text) => {
      this.stdout += String(text);
    });
    child.stderr.on('data', (text) => {
      this.stderr += String(text);
    });
    this.child = child;
    this.ended = new Promise((resolve) => {
      child.on('close', (code, signal) => resolve({ code, signal }));
    });
  }

  /** What it said of its runs, with `--json`; a line counts once all of it has come. */
  get runs(): readonly Readonly<Record<string, unknown>>[] {
    return this.stdout
      .split('\n')
      .slice(0, -1)
      .filter((it) => it.startsWith('{'))
      .map((it) => JSON.parse(it) as Record<string, unknown>);
  }

  /** Ctrl-C on its terminal: every process of its group gets it. */
  pressCtrlC(): void {
    process.kill(-this.child.pid!, 'SIGINT');
  }

  until(condition: () => boolean | undefined): Promise<void> {
    return until(condition, () => `${this.stdout}\n${this.stderr}`);
  }
}

/** A folder with jobs, a platform that they send to, and the schedulers of one test. */
export class ScheduleFixture {
  readonly folder: string;
  readonly platform: FakePlatform;
  readonly #schedulers: SchedulerProcess[] = [];

  private constructor(folder: string, platform: FakePlatform) {
    this.folder = folder;
    this.platform = platform;
  }

  static async open(): Promise<ScheduleFixture> {
    const folder = await mkdtemp(path.join(tmpdir(), 'license-sync-schedule-'));
    await mkdir(path.join(folder, 'jobs'));
    await writeFile(path.join(folder, 'license-sync.yaml'), 'version: 1\n');
    return new ScheduleFixture(folder, await new FakePlatform(ordersDone).start());
  }

  async close(): Promise<void> {
    for (const { child } of this.#schedulers) child.kill('SIGKILL');
    for (const { ended } of this.#schedulers) await ended;
    await this.platform.stop();
    await rm(this.folder, { recursive: true, force: true });
  }

  get env(): Record<string, string> {
    return {
      LICENSE_SYNC_BASE_URL: this.platform.url,
      LICENSE_SYNC_TOKEN: 's3cret-token',
      LICENSE_SYNC_APP_KEY: 'app',
    };
  }

  at(name: string): string {
    return path.join(this.folder, name);
  }

  schedule(...args: string[]): Promise<Ended> {
    return licenseSync(['schedule', ...args], { cwd: this.folder, env: this.env });
  }

  start(...args: string[]): SchedulerProcess {
    const scheduler = new SchedulerProcess(args, { cwd: this.folder, env: this.env });
    this.#schedulers.push(scheduler);
    return scheduler;
  }

  /** The keys of the orders that the platform was sent. */
  get sent(): readonly unknown[] {
    return this.platform.seen.map((it) => it.body.channelOrderId);
  }

  /** A job of so many orders with a schedule, as YAML. */
  async putOrders(count: number, schedule: string): Promise<void> {
    await writeFile(this.at('jobs/orders.csv'), orderRows(count));
    await writeFile(this.at('jobs/orders.yaml'), orderJob({ extra: `schedule: ${schedule}\n` }));
  }

  /**
   * The same, so that a run begins as soon as a scheduler starts: the ledger remembers that the job ran so many
   * nights before its newest time, which it gives.
   */
  async putMissed(count: number, nights: number, more = ''): Promise<number> {
    const cron = earlierToday();
    await this.putOrders(count, `{ cron: "${cron}"${more} }`);
    const reading = readCron(cron);
    if (!reading.ok) throw new Error(cron);
    const newest = lastTime({ cron: reading.times, zone: zone('Asia/Shanghai')! }, Date.now())!;
    const due = newest - nights * DAY;
    const ledger = await openLedger(this.at('.license-sync/ledger.db'));
    await ledger.schedule.begin('orders', due, due);
    await ledger.schedule.end('orders', due, { endedAt: due + 1000, exitCode: 0, run: 'before' });
    await ledger.close();
    return newest;
  }
}

/** Every day, two hours before now in Shanghai: no test meets a time that comes. */
export function earlierToday(): string {
  const local = new Date(Date.now() + 6 * 3_600_000);
  return `${local.getUTCMinutes()} ${local.getUTCHours()} * * *`;
}
