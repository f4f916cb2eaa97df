import { openLedger } from '../../src/ledger/open.js';

/** A process of its own that adds lines to the audit of a ledger: ADDRESS NAME LINES. */
const [address = '', who = '', lines = '0'] = process.argv.slice(2);
const ledger = await openLedger(address);
for (let n = 1; n <= Number(lines); n += 1) {
  await ledger.audit.append({ who, act: 'stop', detail: { n } });
}
await ledger.close();
