import { expect, test } from 'vitest';
import type { Connection } from '../../src/model/connection.js';
import { thingNumber } from '../../src/model/thing.js';
import { assetThing, keyOf } from '../../src/run/named-things.js';
import { LedgerEvidence } from '../../src/run/resolve/ledger-evidence.js';
import { carry, order, planRun, SUCCEEDED } from '../support/ledger-samples.js';
import { describeLedger } from '../support/ledgers.js';

const connection = { name: 'sandbox', sandbox: true } as Connection;

describeLedger('what the ledger knows of assets', (here) => {
  const plan = async (run: string, assetNum: string): Promise<void> => {
    const body = { assets: [{ assetNos: [assetNum] }] };
    const things = [thingNumber(assetThing(assetNum))];
    await planRun(here.ledger, run, [order(1, { body, things })], {
      settings: { connection: { ...connection } as never },
    });
    await carry(here.ledger, run, 1, { 1: SUCCEEDED });
  };

  test('is read from the runs that name them, and from runs that are not in the index', async () => {
    await plan('r1', 'A1');
    await plan('r2', 'A2');
    await plan('r3', 'A1');
    await plan('old', 'A3');
    await here.ask("UPDATE runs SET things_indexed = 0 WHERE name = 'old'");
    const read: string[] = [];
    const { resolutions } = here.ledger;
    const traces = resolutions.traces.bind(resolutions);
    resolutions.traces = (run, wanted) => {
      read.push(run);
      return traces(run, wanted);
    };
    const evidence = await LedgerEvidence.read(here.ledger, connection, [assetThing('A1')]);
    expect(read.sort()).toEqual(['old', 'r1', 'r3']);
    const item = { item: 1, attempts: [{ attempt: 1, startedAt: 1000 }] } as never;
    const found = evidence.of('r1', item).thing(keyOf(assetThing('A1')), 'A1', undefined);
    expect(found.others.map((it) => it.run)).toEqual(['r3']);
  });
});
