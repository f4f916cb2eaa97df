import { openLedger } from '../../src/ledger/open.js';
import { takeLock } from '../../src/ledger/take-lock.js';
import { columnsOf, order, runStart } from '../support/ledger-samples.js';

/** What a child process does with a ledger: `lock` or `plan FILE RUN`, `crash` or `send FILE RUN BATCHES`, `read FILE RUN`. */
const [what, file = '', run = '', batches = '0'] = process.argv.slice(2);

const ledger = await openLedger(file);
if (what === 'lock') {
  try {
    await takeLock(ledger, 'job', 'sandbox', run);
    process.send?.('won');
    // Held until the parent ends this process.
    process.on('message', () => {});
  } catch (error) {
    process.send?.(error instanceof Error ? error.message : String(error));
    process.disconnect?.();
    await ledger.close();
  }
} else if (what === 'plan') {
  await ledger.lock('new-buy', 'sandbox', run);
  await ledger.runs.create(runStart(run));
  const items = columnsOf([order(2, { key: 'K2' }), order(3, { key: 'K3' })]);
  await ledger.plan.addItems(run, items);
  process.on('message', async () => {
    const came: string[] = [];
    for (const write of [
      () => ledger.plan.addItems(run, items),
      () => ledger.plan.addVerdicts(run, [{ row: 2, status: 'invalid' }]),
      () => ledger.plan.finish(run, 2),
    ])
      came.push(
        await write().then(
          () => 'written',
          (error: { code?: string }) => error.code ?? String(error),
        ),
      );
    process.send?.(came.join(', '));
  });
  process.send?.('planning');
} else if (what === 'send') {
  // Four at a time, each reported when it is begun and when it is done: no more are on their way there than are in progress.
  const tell = (it: number): Promise<void> => new Promise((resolve) => process.send?.(it, () => resolve()));
  await ledger.lock('new-buy', 'sandbox', run);
  let next = 1;
  const lane = async (): Promise<void> => {
    while (next <= Number(batches)) {
      const batch = next;
      next += 1;
      const intent = { run, batch, attempt: 1, nonce: `n${batch}`, startedAt: 1 };
      await ledger.execution.open(intent, { claim: true });
      await tell(batch);
      const outcome = { status: 'succeeded', licenseOrderId: `LO-${batch}` } as const;
      const end = { run, batch, attempt: 1, endedAt: 2, event: 'reply', sent: true };
      await ledger.execution.close({ ...end, outcomes: [{ item: batch, outcome }] });
      await tell(-batch);
    }
  };
  await Promise.all(Array.from({ length: 4 }, lane));
  // The process that kills it may be slow.
  process.on('message', () => {});
} else if (what === 'read') {
  process.on('message', async () => {
    const [it, counts] = [await ledger.runs.get(run), await ledger.runs.counts(run)];
    process.send?.(`${it?.requests} requests, ${JSON.stringify(counts)}`);
    await ledger.close();
    process.disconnect?.();
  });
  process.send?.('ready');
} else {
  const opening = Array.from({ length: Number(batches) }, async (_, index) => {
    const intent = { run, batch: index + 1, attempt: 1, nonce: `n${index}`, startedAt: 1 };
    await ledger.execution.open(intent, { claim: true });
    process.send?.(index + 1);
  });
  await Promise.all(opening);
}
