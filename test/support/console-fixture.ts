import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import ExcelJS from 'exceljs';
import { type Ended, licenseSync, type Running, start } from './command.js';
import { FakePlatform, ordersDone } from './fake-platform.js';
import { orderJob, orderRows } from './orders.js';

const TOKEN = 'platform-token-of-the-office';
const ANSWERS_AFTER_MS = 60;

const HEADERS = ['Order', 'Customer', 'Type', 'Licence', 'Asset', 'Nodes'];
export const ORDERS = 60;

/** What is wrong in the fixture's sheet, by cell, and what is to stand there. */
export const FAULTS: Readonly<Record<string, { readonly is: string; readonly corrected: string }>> = {
  ...Object.fromEntries(
    [3, 9, 17, 25, 33, 41].map((row) => [`C${row}`, { is: 'compny', corrected: 'company' }]),
  ),
  ...Object.fromEntries(
    [5, 13, 29, 45].map((row) => [
      `D${row}`,
      { is: 'normal_recover_usbky', corrected: 'normal_recover_usbkey' },
    ]),
  ),
  ...Object.fromEntries([7, 52].map((row) => [`F${row}`, { is: 'many', corrected: String(row) }])),
  ...Object.fromEntries([31].map((row) => [`F${row}`, { is: '1O', corrected: '10' }])),
  ...Object.fromEntries([15].map((row) => [`B${row}`, { is: '', corrected: `Customer ${row}` }])),
};

export interface ConsolePerson {
  readonly name: string;
  readonly token: string;
}

/**
 * What a console needs on a machine: settings with a connection that requires another user's word, the job `orders` with
 * a sheet of 14 faults, and the job `more` with two orders. All that is done in it is done by the program as processes.
 */
export class ConsoleFixture {
  readonly folder: string;
  readonly sheet: string;
  readonly #ledger: string | undefined;
  readonly #running: Running[] = [];

  private constructor(folder: string, ledger: string | undefined) {
    this.folder = folder;
    this.sheet = path.join(folder, 'orders.xlsx');
    this.#ledger = ledger;
  }

  /** @param ledger the address of one on a server; else a file in the fixture's folder */
  static async open(platform: FakePlatform, ledger?: string): Promise<ConsoleFixture> {
    const fixture = new ConsoleFixture(await mkdtemp(path.join(tmpdir(), 'license-sync-office-')), ledger);
    await writeFile(path.join(fixture.folder, 'license-sync.yaml'), settings(platform.url));
    await mkdir(path.join(fixture.folder, 'jobs'));
    await writeFile(path.join(fixture.folder, 'jobs', 'orders.yaml'), job());
    await writeFile(fixture.sheet, await sheet());
    await writeFile(
      path.join(fixture.folder, 'jobs', 'more.yaml'),
      orderJob().replace('name: orders', 'name: more').replace('file: orders.csv', 'file: ../more.csv'),
    );
    await writeFile(path.join(fixture.folder, 'more.csv'), orderRows(2, 900));
    return fixture;
  }

  /** A person with an API token. @param as whose token it is done with, once there are users */
  async add(name: string, role: string, as?: ConsolePerson): Promise<ConsolePerson> {
    const { code, stdout, stderr } = await this.run(['people', 'add', name, '--role', role], as);
    if (code !== 0) throw new Error(stderr);
    return { name, token: stdout.trim() };
  }

  /** A command of the program that has the platform's token. */
  run(args: readonly string[], as?: ConsolePerson): Promise<Ended> {
    return licenseSync(args, { cwd: this.folder, env: this.#environment(as, true) });
  }

  /** The console; next to a ledger on a server it has no token of the platform. Gives its printed address. */
  async console(): Promise<string> {
    const running = start(['console', '--port', '0'], {
      cwd: this.folder,
      env: this.#environment(undefined, this.#ledger === undefined),
    });
    this.#running.push(running);
    const line = new Promise<string>((resolve) =>
      running.child.stdout?.once('data', (text) => resolve(String(text))),
    );
    const printed = await Promise.race([
      line,
      running.ended.then(({ stderr }) => Promise.reject(new Error(stderr))),
    ]);
    return printed.slice('console '.length).trim();
  }

  /** A worker, until the fixture is closed. */
  worker(): void {
    this.#running.push(
      start(['worker', '--slots', '4'], {
        cwd: this.folder,
        env: this.#environment(undefined, true),
      }),
    );
  }

  async close(): Promise<readonly Ended[]> {
    for (const { child } of this.#running) child.kill('SIGTERM');
    const ended = await Promise.all(this.#running.map((it) => it.ended));
    await rm(this.folder, { recursive: true, force: true });
    return ended;
  }

  #environment(as: ConsolePerson | undefined, platform: boolean): Record<string, string> {
    return {
      ...(this.#ledger === undefined ? {} : { LICENSE_SYNC_LEDGER: this.#ledger }),
      ...(as === undefined ? {} : { LICENSE_SYNC_USER_TOKEN: as.token }),
      ...(platform ? { OFFICE_TOKEN: TOKEN } : {}),
    };
  }
}

/** A platform that takes a moment for each order, so that a run can be watched, and gives each the same number each time. */
export function officePlatform(): Promise<FakePlatform> {
  return new FakePlatform(async (seen) => {
    await new Promise((resolve) => setTimeout(resolve, ANSWERS_AFTER_MS));
    return ordersDone(seen);
  }).start();
}

function settings(url: string): string {
  return `version: 1
defaultConnection: office
connections:
  office:
    baseUrl: "${url}"
    appKey: office
    token: { env: OFFICE_TOKEN }
    approval: required
    maxInFlight: 2
`;
}

function job(): string {
  return orderJob()
    .replace('file: orders.csv', 'file: ../orders.xlsx')
    .replace('customerId: { value: C1 }', 'customerId: Order')
    .replace('customerType: { value: company }', 'customerType: Type')
    .replace('licenseType: { value: normal_recover_usbkey }', 'licenseType: Licence');
}

/** Made once: a workbook holds the time at which it was made, and a plan's hash is of the file's bytes. */
let made: Promise<Buffer> | undefined;

function sheet(): Promise<Buffer> {
  made ??= makeSheet();
  return made;
}

async function makeSheet(): Promise<Buffer> {
  const book = new ExcelJS.Workbook();
  const orders = book.addWorksheet('Orders');
  orders.addRow(HEADERS);
  for (let row = 2; row < ORDERS + 2; row += 1) {
    orders.addRow([`SO-${row}`, `Customer ${row}`, 'company', 'normal_recover_usbkey', `A${row}`, 5]);
  }
  for (const [at, { is }] of Object.entries(FAULTS)) orders.getCell(at).value = is === '' ? null : is;
  return Buffer.from(await book.xlsx.writeBuffer());
}
