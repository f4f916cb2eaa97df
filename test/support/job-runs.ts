import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { loadConnections, resolveConnection } from '../../src/job/connections.js';
import { loadSendingJob } from '../../src/job/load.js';
import type { Ledger } from '../../src/ledger/contract/ledger.js';
import type { Connection } from '../../src/model/connection.js';
import type { Correction } from '../../src/model/row.js';
import { ALL_OPERATIONS, RESULT_NAMES } from '../../src/platform/operations/catalogue.js';
import { SILENT } from '../../src/run/observer.js';
import type { RunServices } from '../../src/run/run-context.js';
import type { RunEnd } from '../../src/run/run-end.js';
import { startRun } from '../../src/run/start-run.js';
import { systemClock } from '../../src/util/clock.js';
import { StopSignal } from '../../src/util/stop-signal.js';
import { LEDGER_MAKER, type LedgerMaker, type LedgerPlace } from './ledgers.js';

/** A folder of its own with a ledger, removed at the end. */
export class Fixture {
  readonly folder: string;
  readonly ledger: Ledger;

  readonly place: LedgerPlace;

  private constructor(folder: string, ledger: Ledger, place: LedgerPlace) {
    this.folder = folder;
    this.ledger = ledger;
    this.place = place;
  }

  static async open(maker: LedgerMaker = LEDGER_MAKER): Promise<Fixture> {
    const folder = await mkdtemp(path.join(tmpdir(), 'license-sync-'));
    const place = await maker.place(folder);
    return new Fixture(folder, await place.open(), place);
  }

  async close(): Promise<void> {
    await this.ledger.close();
    await this.place.remove();
    await rm(this.folder, { recursive: true, force: true });
  }

  async file(name: string, content: string | Uint8Array): Promise<string> {
    const file = path.join(this.folder, name);
    await writeFile(file, content);
    return file;
  }

  parts(change: Partial<RunServices> = {}): RunServices {
    return {
      ledger: this.ledger,
      stateFolder: path.join(this.folder, 'state'),
      observer: SILENT,
      stop: new StopSignal(),
      clock: systemClock,
      language: 'en',
      confirm: false,
      ...change,
    };
  }

  /** Runs a job file as the command would. */
  async run(
    jobFile: string,
    options: {
      readonly set?: readonly string[];
      readonly dryRun?: boolean;
      /** What would be sent is kept. */
      readonly plan?: boolean;
      readonly input?: string;
      readonly connection?: Connection;
      readonly parts?: Partial<RunServices>;
      /** Of the result; default `.xlsx`. */
      readonly extension?: '.xlsx' | '.csv';
      readonly canary?: number;
      /** What is to be sent is put into the ledger's queue. */
      readonly queue?: boolean;
      readonly corrections?: readonly Correction[];
      /** The job's own output; else it goes to a folder of the fixture. */
      readonly keepOutput?: boolean;
    } = {},
  ): Promise<RunEnd> {
    const output = path.join(this.folder, 'results', `{job}-{run}${options.extension ?? '.xlsx'}`);
    const loaded = await loadSendingJob(jobFile, {
      env: {},
      operations: ALL_OPERATIONS,
      set: [...(options.set ?? [])],
    });
    const job = {
      ...loaded,
      output: options.keepOutput ? loaded.output : { file: output },
      source: options.input === undefined ? loaded.source : { ...loaded.source, file: options.input },
    };
    const connections = await loadConnections(job.file, { env: {}, cwd: this.folder });
    const connection = options.connection ?? resolveConnection(connections, { job: job.connection });
    const kind = options.dryRun ? 'dry_run' : options.plan ? 'plan' : 'run';
    const cells = options.corrections?.map((it) => ({ ...it, who: 'wang', at: 1_780_000_000_000 }));
    const extra = {
      ...(options.canary === undefined ? {} : { canary: options.canary }),
      ...(options.queue ? { queue: true } : {}),
      ...(cells ? { corrections: { cells } } : {}),
    };
    return startRun(this.parts(options.parts), job, connection, kind, extra);
  }
}

export { RESULT_NAMES };
