import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { seededRandom } from '../../src/sandbox/faults.js';
import { type ConnectionOutcome, CutProxy } from '../support/postgres/cut-proxy.js';
import { asking } from '../support/postgres/shared-server.js';
import type { Scenario } from './scenario.js';

/** Where the ledger of a story lies. */
export interface CrashLedger {
  /** By which the suite itself looks into it. */
  readonly address: string;
  /** What the program is given of it. */
  readonly env: Readonly<Record<string, string>>;
  /** Connections that were broken on purpose. */
  readonly cuts: () => number;
  remove(): Promise<void>;
}

export type LedgerForStory = (cwd: string, story: Scenario) => Promise<CrashLedger>;

export const inFile: LedgerForStory = async (cwd) => ({
  address: path.join(cwd, '.license-sync', 'ledger.db'),
  env: {},
  cuts: () => 0,
  remove: async () => {},
});

/** A server that is just being started again is asked again for so long. */
const DROPPED_WITHIN_MS = 60_000;

/** A crashed server looks at each file of each schema before it is up: what was left of earlier stories would delay it. */
async function dropSchema(url: string, schema: string): Promise<void> {
  for (const until = Date.now() + DROPPED_WITHIN_MS; ; ) {
    try {
      await asking(url)(`DROP SCHEMA IF EXISTS ${schema} CASCADE`);
      return;
    } catch (error) {
      if (Date.now() > until) throw error;
      await sleep(200);
    }
  }
}

const CONNECTION_OUTCOMES: readonly ConnectionOutcome[] = ['cut_after', 'cut_after', 'cut_before', 'slow'];

/**
 * A schema of its own on a server for each story.
 * @param cutting the share of writes on whose way the connection breaks
 */
export function onServer(url: string, cutting: number): LedgerForStory {
  let stories = 0;
  return async (_, { seed }) => {
    stories += 1;
    const schema = `crash_${process.pid}_${stories}`;
    const address = `${url}?schema=${schema}`;
    const remove = (): Promise<void> => dropSchema(url, schema);
    if (cutting === 0) return { address, env: { LICENSE_SYNC_LEDGER: address }, cuts: () => 0, remove };
    const proxy = await CutProxy.before(url);
    const random = seededRandom(Math.imul(seed + 77, 0x9e3779b1));
    proxy.connectionOutcome = () =>
      random() < cutting ? CONNECTION_OUTCOMES[Math.floor(random() * CONNECTION_OUTCOMES.length)]! : 'pass';
    return {
      address,
      env: { LICENSE_SYNC_LEDGER: proxy.through(address) },
      cuts: () => proxy.cuts.cut_after + proxy.cuts.cut_before,
      remove: async () => {
        await proxy.stop();
        await remove();
      },
    };
  };
}
