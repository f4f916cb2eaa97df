// The main file of the thread that scans a worksheet. It sends blocks of rows, and waits while the reader is behind.
import { parentPort, workerData } from 'node:worker_threads';
import { serializeError } from '../../errors/serialized-error.js';
import { inflated } from './inflate.js';
import type { RowBlock } from './row-block.js';
import { scanSheet } from './scan-sheet.js';
import type { ScanMessage, ScanWork } from './scan-thread.js';
import { TextOffsets } from './text-offsets.js';

/** Blocks in one message, as each message costs time; and messages that may be under way at once. */
const BLOCKS = 8;
const AHEAD = 4;

if (!parentPort) throw new Error('this is the main file of a worker thread');
const port = parentPort;
let free = AHEAD;
let wake = (): void => {};
port.on('message', () => {
  free += 1;
  wake();
});

async function send(message: ScanMessage, memory: readonly ArrayBuffer[] = []): Promise<void> {
  if (free === 0) {
    await new Promise<void>((resolve) => {
      wake = resolve;
    });
  }
  free -= 1;
  port.postMessage(message, memory);
}

function sendBlocks(blocks: readonly RowBlock[]): Promise<void> {
  // A block's arrays share one ArrayBuffer, which is transferred, not copied.
  return send(
    { kind: 'blocks', blocks },
    blocks.map((it) => it.rows.buffer as ArrayBuffer),
  );
}

async function scan({ fd, entry, sheet, texts }: ScanWork): Promise<void> {
  const place = { file: entry.file, part: entry.name };
  let blocks: RowBlock[] = [];
  try {
    for await (const block of scanSheet(inflated(fd, entry), sheet, new TextOffsets(texts), place)) {
      blocks.push(block);
      if (blocks.length < BLOCKS) continue;
      await sendBlocks(blocks);
      blocks = [];
    }
    await sendBlocks(blocks);
    await send({ kind: 'end' });
  } catch (error) {
    await sendBlocks(blocks);
    await send({ kind: 'error', error: serializeError(error) });
  }
}

port.postMessage({ kind: 'begun' } satisfies ScanMessage);
void scan(workerData as ScanWork);
