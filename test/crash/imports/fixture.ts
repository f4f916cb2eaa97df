import { createHash, randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openLedger } from '../../../src/ledger/open.js';
import type { Role } from '../../../src/model/console.js';
import { isAlive, ownProcess } from '../../../src/util/process.js';
import { licenseSync, type Running, start } from '../../support/command.js';
import { Door, type DoorAnswer } from '../../support/console-door.js';
import { orderJob } from '../../support/orders.js';
import type { ServedPlatform } from '../../support/served-platform.js';
import type { ConsoleKill, ImportStage, ImportStory, StageTimes } from './story.js';

/** By then a child whose console was killed has exited. */
const LEFT_WITHIN_MS = 10_000;

export type Who = 'maker' | 'checker';

/**
 * A fixture with a connection that requires another user's word, and a console that is killed as a story says, and started
 * again each time.
 */
export class KilledFixture {
  readonly folder: string;
  readonly #env: Record<string, string>;
  readonly #tokens: Readonly<Record<Who, string>>;
  readonly #story: ImportStory;
  readonly #worker: Running | undefined;
  #door: Door;
  /** Processes that killed consoles left. */
  readonly #orphans: number[] = [];
  #kills = 0;
  readonly #took: Partial<Record<ImportStage, number>> = {};

  private constructor(
    folder: string,
    env: Record<string, string>,
    parts: { tokens: Readonly<Record<Who, string>>; story: ImportStory; door: Door; worker?: Running },
  ) {
    this.folder = folder;
    this.#env = env;
    this.#tokens = parts.tokens;
    this.#story = parts.story;
    this.#door = parts.door;
    this.#worker = parts.worker;
  }

  /** @param ledger the address of one on a server, next to which a worker sends */
  static async open(platform: ServedPlatform, story: ImportStory, ledger?: string): Promise<KilledFixture> {
    const folder = await mkdtemp(path.join(tmpdir(), 'license-sync-killed-import-'));
    const { LICENSE_SYNC_BASE_URL: url, LICENSE_SYNC_TOKEN: token } = platform.environment;
    await writeFile(
      path.join(folder, 'license-sync.yaml'),
      `version: 1
connections:
  desk: { baseUrl: "${url}", appKey: crash-suite, token: { env: DESK_TOKEN }, approval: required, maxInFlight: 2 }
`,
    );
    await mkdir(path.join(folder, 'jobs'));
    await writeFile(path.join(folder, 'jobs', 'orders.yaml'), `${orderJob()}connection: desk\n`);
    const tokens = await people(ledger ?? path.join(folder, '.license-sync', 'ledger.db'));
    const here: Record<string, string> = ledger === undefined ? {} : { LICENSE_SYNC_LEDGER: ledger };
    const sends = { ...here, DESK_TOKEN: token! };
    // Next to a ledger on a server the console has no credential: a worker sends.
    const env = ledger === undefined ? sends : here;
    const worker =
      ledger === undefined ? undefined : start(['worker', '--slots', '2'], { cwd: folder, env: sends });
    const door = await Door.open({ cwd: folder, env });
    return new KilledFixture(folder, env, { tokens, story, door, ...(worker ? { worker } : {}) });
  }

  get kills(): number {
    return this.#kills;
  }

  /** How long each stage took. */
  get took(): StageTimes {
    return this.#took as StageTimes;
  }

  ask(who: Who, method: 'GET' | 'POST', at: string, body?: unknown, headers = {}): Promise<DoorAnswer> {
    return this.#door.ask(method, at, { token: this.#tokens[who], body, headers });
  }

  /** What a person does: again, from what the console then shows, where it was killed in the meantime. */
  async stage<T>(stage: ImportStage, work: () => Promise<T>): Promise<T> {
    const kill = this.#story.kills.find((it) => it.stage === stage);
    const killing = kill ? sleep(kill.afterMs).then(() => this.#kill(kill)) : undefined;
    for (let times = 0; ; times += 1) {
      try {
        const began = performance.now();
        const come = await work();
        this.#took[stage] = performance.now() - began;
        await killing;
        return come;
      } catch (error) {
        if (!killing || times > 0 || !isGone(error)) {
          await killing;
          throw error;
        }
        await killing;
      }
    }
  }

  /** A command of the program; gives what it says where it doesn't end with 0. */
  async complaint(...args: readonly string[]): Promise<string | undefined> {
    const { code, stdout, stderr } = await licenseSync(args, { cwd: this.folder, env: this.#env });
    return code === 0 ? undefined : `${args.join(' ')}: ${code} ${stdout}${stderr}`;
  }

  /** Ends all; gives what is left that nothing needs any more. */
  async close(): Promise<readonly string[]> {
    const left: string[] = [];
    this.#door.running.child.kill('SIGTERM');
    const { code, stderr } = await this.#door.running.ended;
    if (code !== 0) left.push(`the console ended with ${code}: ${stderr}`);
    const end = performance.now() + LEFT_WITHIN_MS;
    while (this.#orphans.some(lives) && performance.now() < end) await sleep(100);
    for (const pid of this.#orphans.filter(lives)) left.push(`process ${pid} goes on without its console`);
    const state = path.join(this.folder, '.license-sync');
    const files = await readdir(state, { recursive: true }).catch(() => []);
    left.push(...files.filter((it) => /\.tmp$|^uploads\/|\.coming$/.test(it)));
    await this.#end();
    return left;
  }

  /** After a failure: nothing is looked at any more. */
  async abandon(): Promise<void> {
    this.#door.running.child.kill('SIGKILL');
    await this.#door.running.ended;
    await this.#end();
  }

  async #end(): Promise<void> {
    this.#worker?.child.kill('SIGTERM');
    await this.#worker?.ended;
    await rm(this.folder, { recursive: true, force: true });
  }

  async #kill({ children }: ConsoleKill): Promise<void> {
    const { child, ended } = this.#door.running;
    const own = await childrenOf(child.pid!);
    child.kill('SIGKILL');
    if (children)
      for (const pid of own) {
        try {
          process.kill(pid, 'SIGKILL');
        } catch {
          // It has ended by itself.
        }
      }
    await ended;
    this.#kills += 1;
    this.#orphans.push(...own);
    this.#door = await Door.open({ cwd: this.folder, env: this.#env });
  }
}

function lives(pid: number): boolean {
  return isAlive({ ...ownProcess(), process: pid });
}

/** The connection broke, or no server listens. */
function isGone(error: unknown): boolean {
  return error instanceof TypeError && /fetch failed|terminated/.test(error.message);
}

async function people(address: string): Promise<Readonly<Record<Who, string>>> {
  const ledger = await openLedger(address);
  const add = async (name: string, roles: readonly Role[]): Promise<string> => {
    const token = randomBytes(32).toString('base64url');
    const tokenSha256 = createHash('sha256').update(token).digest('hex');
    await ledger.people.add({ name, roles, tokenSha256 }, 'test');
    return token;
  };
  try {
    return { maker: await add('mia', ['maker']), checker: await add('chen', ['checker']) };
  } finally {
    await ledger.close();
  }
}

/** Where the system reports it; none elsewhere. */
async function childrenOf(pid: number): Promise<readonly number[]> {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => []);
  const lists = await Promise.all(
    threads.map((it) => readFile(`/proc/${pid}/task/${it}/children`, 'utf8').catch(() => '')),
  );
  return lists.flatMap((it) =>
    it
      .split(' ')
      .filter((id) => id.trim() !== '')
      .map(Number),
  );
}
