import { expect, test } from 'vitest';
import { describeLedger } from '../support/ledgers.js';

const A = { file: '/in/a.csv', sha256: 'a'.repeat(64), at: 1_764_000_000_000 };
const B = { file: '/in/订单.csv', sha256: 'b'.repeat(64), at: 2 };

describeLedger('files of input folders that are still to be moved', (here) => {
  test('are remembered over a reopening, each by itself, the newest note of each', async () => {
    await here.ledger.pendingFiles.remember(A.file, { ...A, at: 1 });
    await here.ledger.pendingFiles.remember(A.file, A);
    await here.ledger.pendingFiles.remember(`/real${B.file}`, B);
    await here.reopen();
    expect(await here.ledger.pendingFiles.get(A.file)).toEqual(A);
    expect(await here.ledger.pendingFiles.get(`/real${B.file}`)).toEqual(B);
    expect(await here.ledger.pendingFiles.get(B.file)).toBeUndefined();
    const all = await here.ledger.pendingFiles.list();
    expect([...all].sort((one, other) => other.at - one.at)).toEqual([A, B]);
  });

  test('are forgotten one by one, also where there is nothing to forget', async () => {
    expect(await here.ledger.pendingFiles.list()).toEqual([]);
    await here.ledger.pendingFiles.remember(A.file, A);
    await here.ledger.pendingFiles.remember(B.file, B);
    await here.ledger.pendingFiles.forget(A.file);
    await here.ledger.pendingFiles.forget(A.file);
    expect(await here.ledger.pendingFiles.list()).toEqual([B]);
  });
});
