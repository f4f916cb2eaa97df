import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { must } from '../support/accounts.js';
import { type Ended, licenseSync, type Running, start } from '../support/command.js';
import { orderJob } from '../support/orders.js';
import { readSheet } from '../support/read-sheet.js';

export interface WorldSettings {
  /** Address of the database, without a schema. */
  readonly server: string;
  readonly orders: string;
  readonly leaseMs: number;
  readonly slots: number;
  /** More lines of license-sync.yaml. */
  readonly settings?: string | undefined;
  /** Default: orders of one row. */
  readonly job?: string | undefined;
  readonly platform: WorldPlatform;
}

interface WorldPlatform {
  /** What makes a connection to it, if its settings don't. */
  readonly environment: Record<string, string>;
  stop(): Promise<void>;
}

/** A folder with a job, and workers that are processes of their own. */
export class World {
  readonly folder: string;
  readonly #platform: WorldPlatform;
  readonly workers: Running[] = [];
  readonly #env: Record<string, string>;
  readonly #slots: number;

  private constructor(folder: string, platform: WorldPlatform, ledger: string, slots: number) {
    this.folder = folder;
    this.#platform = platform;
    this.#slots = slots;
    this.#env = { ...platform.environment, LICENSE_SYNC_LEDGER: ledger, TMPDIR: folder };
  }

  static async make(how: WorldSettings): Promise<World> {
    const { server, orders, leaseMs, platform, settings = '', job = orderJob() } = how;
    const folder = await mkdtemp(path.join(tmpdir(), 'license-sync-workers-'));
    await writeFile(path.join(folder, 'job.yaml'), job);
    await writeFile(path.join(folder, 'orders.csv'), orders);
    const yaml = `version: 1\nworkers: { lease: ${leaseMs}ms }\n${settings}`;
    await writeFile(path.join(folder, 'license-sync.yaml'), yaml);
    const schema = `w_${randomBytes(6).toString('hex')}`;
    return new World(folder, platform, `${server}?schema=${schema}`, how.slots);
  }

  run(args: readonly string[]): Promise<Ended> {
    return licenseSync(args, { cwd: this.folder, env: this.#env });
  }

  /** Plans the run and puts it into the queue; gives its id. */
  async submit(args: readonly string[] = []): Promise<string> {
    const ended = await this.run(['submit', 'job.yaml', '--json', ...args]);
    must(ended.code === 0, 'a run must be queued:', ended);
    return (JSON.parse(ended.stdout) as { run: string }).run;
  }

  startWorker(args: readonly string[] = []): Running {
    const worker = start(['worker', '--slots', String(this.#slots), ...args], {
      cwd: this.folder,
      env: this.#env,
    });
    this.workers.push(worker);
    return worker;
  }

  /** Waits for the run by the command that users wait by. */
  wait(run: string): Promise<Ended> {
    return this.run(['wait', run, '--json']);
  }

  /** The result's lines, as anybody may export them. */
  async result(run: string): Promise<Awaited<ReturnType<typeof readSheet>>> {
    const file = path.join(this.folder, 'out.csv');
    const ended = await this.run(['runs', 'export', run, '--output', file]);
    must(ended.code === 0, 'a result must be there for everybody:', ended);
    return readSheet(file);
  }

  async listedWorkers(): Promise<readonly { readonly name: string }[]> {
    const { stdout } = await this.run(['workers', '--json']);
    // Before anybody made the ledger there is none to ask.
    return (JSON.parse(stdout) as { workers?: { name: string }[] }).workers ?? [];
  }

  /** All workers leave as a service stops them, which must end well. */
  async leave(): Promise<void> {
    const there = this.workers.filter((it) => it.child.exitCode === null && it.child.signalCode === null);
    for (const { child } of there) child.kill('SIGTERM');
    for (const { ended } of there) {
      const { code, stderr } = await ended;
      must(code === 0, 'a worker that is told to stop must end with 0:', { code, stderr });
    }
  }

  async remove(keep = false): Promise<void> {
    for (const { child } of this.workers) child.kill('SIGKILL');
    await this.#platform.stop();
    if (!keep) await rm(this.folder, { recursive: true, force: true });
  }
}
