import { openLedger } from '../../src/ledger/open.js';
import { takeLock } from '../../src/ledger/take-lock.js';

/** What a child process does with a ledger: `lock FILE RUN` or `crash FILE RUN BATCHES`. */
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
} else {
  const opening = Array.from({ length: Number(batches) }, async (_, index) => {
    const intent = { run, batch: index + 1, attempt: 1, nonce: `n${index}`, startedAt: 1 };
    await ledger.execution.open(intent, { claim: true });
    process.send?.(index + 1);
  });
  await Promise.all(opening);
}
