import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { type Ended, licenseSync } from './command.js';
import { type Answer, FakePlatform, ordersDone, type Seen } from './fake-platform.js';
import { type PostgresPlace, postgresPlace } from './postgres/shared-server.js';
import { readSheet } from './read-sheet.js';

const TOKEN = 'token-of-the-office';

/** A folder with a connection `office` to a platform, and a ledger of either kind: the program is called as people call it. */
export class OrderFixture {
  readonly folder: string;
  readonly ledger: string;
  readonly platform: FakePlatform;
  readonly #place: PostgresPlace | undefined;

  private constructor(folder: string, platform: FakePlatform, place: PostgresPlace | undefined) {
    this.folder = folder;
    this.ledger = place?.url ?? path.join(folder, '.license-sync', 'ledger.db');
    this.platform = platform;
    this.#place = place;
  }

  /** @param connection more settings of the connection, as flow YAML */
  static async open(kind: 'SQLite' | 'PostgreSQL', connection = ''): Promise<OrderFixture> {
    const folder = await mkdtemp(path.join(tmpdir(), 'license-sync-office-'));
    const platform = await new FakePlatform(everythingDone).start();
    const fixture = new OrderFixture(folder, platform, kind === 'SQLite' ? undefined : await postgresPlace());
    await fixture.settings(connection);
    return fixture;
  }

  /** @param connection more settings of the connection, as flow YAML */
  settings(connection = ''): Promise<string> {
    const of = `baseUrl: "${this.platform.url}", appKey: app, token: { env: OFFICE_TOKEN }${connection}`;
    return this.file(
      'license-sync.yaml',
      `version: 1\ndefaultConnection: office\nconnections:\n  office: { ${of} }\n`,
    );
  }

  get env(): Record<string, string> {
    return {
      OFFICE_TOKEN: TOKEN,
      LICENSE_SYNC_LEDGER: this.ledger,
      XDG_STATE_HOME: path.join(this.folder, 'state'),
    };
  }

  call(...args: readonly string[]): Promise<Ended> {
    return licenseSync(args, { cwd: this.folder, env: this.env });
  }

  /** What `--json` prints, with the exit code. */
  async json(
    ...args: readonly string[]
  ): Promise<Record<string, unknown> & { run: string; code: number | null }> {
    const { code, stdout, stderr } = await this.call(...args, '--json');
    if (stdout === '') throw new Error(stderr);
    return { ...JSON.parse(stdout), code };
  }

  /** Writes a file as if that were a minute ago. */
  async file(name: string, content: string): Promise<string> {
    const file = path.join(this.folder, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, content);
    const then = new Date(Date.now() - 60_000);
    await utimes(file, then, then);
    return file;
  }

  /** Changes the ledger behind the program's back. */
  async alter(sql: string): Promise<void> {
    if (this.#place) {
      await this.#place.ask(sql);
      return;
    }
    const db = new DatabaseSync(this.ledger);
    db.exec(sql);
    db.close();
  }

  /** The result's lines, as anybody may export them. */
  async result(run: string): Promise<Record<string, string>[]> {
    const file = path.join(this.folder, `result-${run}.csv`);
    const { code, stderr } = await this.call('runs', 'export', run, '--output', file);
    if (code !== 0) throw new Error(stderr);
    return (await readSheet(file)) as Record<string, string>[];
  }

  /** Locks, or order numbers, in the order in which they were sent. */
  get sent(): readonly string[] {
    return this.platform.seen.flatMap(
      ({ body }) =>
        (body.assetNums as string[] | undefined) ?? (body.orderList ? [String(body.channelOrderId)] : []),
    );
  }

  async close(): Promise<void> {
    await this.platform.stop();
    await this.#place?.remove();
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** Locks, orders and updates are executed. */
export function everythingDone(seen: Seen): Answer {
  if (seen.body.orderList) return ordersDone(seen);
  const numbers = seen.body.assetNums as string[] | undefined;
  if (!numbers) return { body: { code: 0, message: '' } };
  return { body: { code: 0, message: '', data: numbers.map((assetNum) => ({ assetNum, status: 1 })) } };
}

/** A job of locks that reads the column `Asset` of a .csv of its own name. */
export function lockJob(name: string, operation: 'lock' | 'unlock', more = ''): string {
  const source = more.includes('source:') ? '' : `source: { file: ${name}.csv }\n`;
  return `version: 1
name: ${name}
operation: asset.${operation}
${source}batch: { size: 1 }
run: { concurrency: 1, retries: 0 }
map: { assetNums: Asset, operatorIdentity: { value: ops@example.com } }
${more}`;
}
