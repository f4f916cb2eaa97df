// The ledger's own thread: opens the ledger it is given, then does what it is asked.
import { parentPort, workerData } from 'node:worker_threads';
import { carried } from '../../errors/carried-error.js';
import { openLedger } from '../open.js';
import type { Opened } from './calls.js';
import { serveLedger } from './serve.js';

if (!parentPort) throw new Error('this is the main file of a worker thread');
const port = parentPort;

try {
  const ledger = await openLedger(workerData as string);
  serveLedger(ledger, port);
  port.postMessage({ location: ledger.location } satisfies Opened);
} catch (error) {
  port.postMessage({ error: carried(error) } satisfies Opened);
}
