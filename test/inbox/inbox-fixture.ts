import { mkdir, readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { InboxEnd, InboxOptions } from '../../src/inbox/inbox.js';
import { runInbox } from '../../src/inbox/run-inbox.js';
import { loadJob } from '../../src/job/load.js';
import type { Run } from '../../src/ledger/contract/runs.js';
import { ALL_OPERATIONS } from '../../src/platform/operations/catalogue.js';
import type { RunServices } from '../../src/run/run-context.js';
import { type Clock, systemClock } from '../../src/util/clock.js';
import { FakePlatform, ordersDone } from '../support/fake-platform.js';
import { Fixture } from '../support/job-runs.js';
import { orderJob } from '../support/orders.js';

/** Nothing is waited for, and files need not be quiet for real. */
export const HASTY: Clock = {
  ...systemClock,
  sleep: (ms, signal) => systemClock.sleep(Math.min(ms, 2), signal),
};

export const NUMBERS_JOB = `version: 1
name: numbers
operation: asset.numbers
source: { file: inbox/*.csv }
map: { size: size }
`;

/** An input folder with a job of orders over it, a ledger and a platform. */
export class InboxFixture {
  readonly fixture: Fixture;
  readonly platform: FakePlatform;

  private constructor(fixture: Fixture, platform: FakePlatform) {
    this.fixture = fixture;
    this.platform = platform;
  }

  static async open(): Promise<InboxFixture> {
    const fixture = await Fixture.open();
    const here = new InboxFixture(fixture, await new FakePlatform(ordersDone).start());
    await mkdir(here.inbox, { recursive: true });
    await here.job();
    return here;
  }

  async close(): Promise<void> {
    await this.platform.stop();
    await this.fixture.close();
  }

  get inbox(): string {
    return path.join(this.fixture.folder, 'jobs', 'inbox');
  }

  at(name: string): string {
    return path.join(this.inbox, name);
  }

  /** Writes the job file: of orders unless said otherwise. */
  async job(text = orderJob().replace('file: orders.csv', 'file: inbox/*.csv')): Promise<void> {
    await this.fixture.file('jobs/job.yaml', text);
  }

  /** Lays a file into the folder, written long ago. */
  async drop(name: string, content: string): Promise<void> {
    await writeFile(this.at(name), content);
    const then = new Date(Date.now() - 60_000);
    await utimes(this.at(name), then, then);
  }

  async run(
    options: {
      readonly set?: readonly string[];
      readonly parts?: Partial<RunServices>;
      readonly wish?: Partial<InboxOptions>;
    } = {},
  ): Promise<InboxEnd> {
    const job = await loadJob(path.join(this.fixture.folder, 'jobs', 'job.yaml'), {
      env: {},
      operations: ALL_OPERATIONS,
      set: ['run.timeout=2s', 'run.retries=0', ...(options.set ?? [])],
    });
    const parts = this.fixture.parts({ clock: HASTY, ...options.parts });
    return runInbox(parts, {
      job,
      connection: this.platform.connection(),
      kind: 'run',
      ...options.wish,
    });
  }

  /** Order numbers in the order in which they were sent. */
  sent(): string[] {
    return this.platform.seen.map((it) => String(it.body.channelOrderId));
  }

  /** All files of the input folder but reasons, run ids as `RUN`; `[]` when it is empty. */
  async files(): Promise<string[]> {
    return (await this.#all()).filter((it) => !it.endsWith('.reason.txt'));
  }

  /** The reasons that are next to files. */
  async reasons(): Promise<string[]> {
    return (await this.#all()).filter((it) => it.endsWith('.reason.txt'));
  }

  async #all(): Promise<string[]> {
    const found: string[] = [];
    for (const entry of await readdir(this.inbox, { recursive: true, withFileTypes: true })) {
      if (entry.isDirectory()) continue;
      const file = path.relative(this.inbox, path.join(entry.parentPath, entry.name));
      found.push(file.replace(/\d{8}-\d{6}-[0-9a-f]{6}/, 'RUN'));
    }
    return found.sort();
  }

  read(name: string): Promise<string> {
    return readFile(this.at(name), 'utf8');
  }

  async runs(): Promise<readonly Run[]> {
    return this.fixture.ledger.runs.list(100);
  }
}
