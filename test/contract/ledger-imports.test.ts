import { expect, test } from 'vitest';
import { message } from '../../src/errors/message.js';
import type { Import } from '../../src/ledger/contract/imports.js';
import { pruneInputs } from '../../src/ledger/inputs.js';
import { runStart } from '../support/ledger-samples.js';
import { describeLedger } from '../support/ledgers.js';

const LATER = Date.now() + 2 * 3_600_000;

function imported(id: string, others: Partial<Import> = {}): Import {
  return {
    id,
    by: 'os:wang@desk-7',
    at: 1000,
    name: '订单.xlsx',
    inputSha256: 'aa',
    jobFile: '/office/jobs/new-buy.yaml',
    jobSha256: 'bb',
    guessed: false,
    lookups: false,
    ...others,
  };
}

async function* bytes(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

describeLedger('imports', (here) => {
  test('an import is there after a reopening, with all that was said of it', async () => {
    const { imports } = here.ledger;
    const whole = imported('i1', { connection: 'sandbox', sheet: 'Orders', lookups: true, guessed: true });
    await imports.create(whole);
    await imports.create(imported('i2'));
    await here.reopen();
    expect(await here.ledger.imports.get('i1')).toEqual(whole);
    expect(await here.ledger.imports.get('i2')).toEqual(imported('i2'));
    expect(await here.ledger.imports.get('i3')).toBeUndefined();
  });

  test('lists go by pages, newest first', async () => {
    const { imports } = here.ledger;
    for (const id of ['i1', 'i2', 'i3']) await imports.create(imported(id));
    const ids = async (limit: number, before?: string) =>
      (await imports.list(limit, before)).map((it) => it.id);
    expect(await ids(2)).toEqual(['i3', 'i2']);
    expect(await ids(2, 'i2')).toEqual(['i1']);
  });

  test('a failure leaves the last check, and a check that comes to its end takes the failure away', async () => {
    const { imports } = here.ledger;
    await imports.create(imported('i1'));
    await imports.patch('i1', { checkRun: 'r1' });
    const failure = [message('run.no_such_run', { location: 'here', run: 'r' })];
    await imports.patch('i1', { failure });
    expect(await imports.get('i1')).toEqual(imported('i1', { checkRun: 'r1', failure }));
    await imports.patch('i1', { checkRun: 'r2', planRun: 'p1' });
    expect(await imports.get('i1')).toEqual(imported('i1', { checkRun: 'r2', planRun: 'p1' }));
    await imports.patch('i1', { guessed: false, jobFile: '/office/jobs/b.yaml', jobSha256: 'cc' });
    expect((await imports.get('i1'))?.jobFile).toBe('/office/jobs/b.yaml');
  });

  test('an upload is known by its digest; the same one again is no other', async () => {
    const { imports } = here.ledger;
    const upload = { sha256: 'aa', name: 'a.csv', by: 'wang', at: 5 };
    await imports.uploaded(upload);
    await imports.uploaded({ ...upload, by: 'li', at: 6 });
    expect(await imports.uploads('aa')).toEqual([{ ...upload, by: 'li', at: 6 }, upload]);
    expect(await imports.uploads('bb')).toEqual([]);
  });

  test('pruning takes old imports, and files that nothing else is made of', async () => {
    const { imports, inputs, runs } = here.ledger;
    const [alone, ofRun, fresh, unused] = await Promise.all(
      ['alone', 'of a run', 'fresh', 'never used'].map((it, at) => inputs.put(`${at}.csv`, bytes(it))),
    );
    await imports.create(imported('i1', { inputSha256: alone!.sha256 }));
    await imports.create(imported('i2', { inputSha256: ofRun!.sha256 }));
    await imports.create(imported('i3', { inputSha256: fresh!.sha256, at: 9000 }));
    await imports.uploaded({ ...unused!, by: 'wang', at: 1000 });
    await runs.create(runStart('r1', { inputSha256: ofRun!.sha256 }));
    expect(await pruneInputs(here.ledger, LATER, 5000)).toBe(2);
    expect((await imports.list(9)).map((it) => it.id)).toEqual(['i3']);
    const left = (await inputs.list()).map((it) => it.sha256).sort();
    expect(left).toEqual([ofRun!.sha256, fresh!.sha256].sort());
    expect(await imports.uploads(unused!.sha256)).toEqual([]);
  });

  test('an input that an import needs is not pruned with the runs that were made from it', async () => {
    const { imports, inputs, runs } = here.ledger;
    const input = await inputs.put('orders.csv', bytes('a'));
    await runs.create(runStart('r1', { inputSha256: input.sha256, kind: 'dry_run' }));
    await runs.patch('r1', { state: 'invalid', endedAt: 100 });
    await imports.create(imported('i1', { inputSha256: input.sha256, at: 9000 }));
    await runs.prune(5000);
    expect(await pruneInputs(here.ledger, LATER, 5000)).toBe(0);
    expect(await inputs.list()).toHaveLength(1);
  });

  test('a check that another has taken the place of is pruned by name, and no other with it', async () => {
    const { runs } = here.ledger;
    for (const id of ['r1', 'r2']) {
      await runs.create(runStart(id, { kind: 'dry_run' }));
      await runs.patch(id, { state: 'invalid', endedAt: 100 });
    }
    expect(await runs.prune(5000, ['r1'])).toBe(1);
    expect((await runs.get('r1'))?.prunedAt).toBeDefined();
    expect((await runs.get('r2'))?.prunedAt).toBeUndefined();
  });
});
