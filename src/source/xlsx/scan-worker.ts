// The main file of the thread that scans a worksheet: says what there is, and waits when no one takes it.
import { parentPort, workerData } from 'node:worker_threads';
import { carried } from '../../errors/carried-error.js';
import { inflated } from './inflate.js';
import type { RowBlock } from './row-block.js';
import { scanSheet } from './scan-sheet.js';
import type { Begun, Said, ScanWork } from './scan-thread.js';
import { TextOffsets } from './text-offsets.js';

/** Blocks told of at once, as each message costs; and messages that may be on their way or waiting to be taken. */
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

async function say(said: Said, memory: readonly ArrayBuffer[] = []): Promise<void> {
  if (free === 0) {
    await new Promise<void>((resolve) => {
      wake = resolve;
    });
  }
  free -= 1;
  port.postMessage(said, memory);
}

function tell(blocks: readonly RowBlock[]): Promise<void> {
  // A block's arrays lie in one piece of memory, which is handed over and not copied.
  return say(
    { kind: 'blocks', blocks },
    blocks.map((it) => it.rows.buffer as ArrayBuffer),
  );
}

port.postMessage({ kind: 'begun' } satisfies Begun);
const { fd, entry, sheet, texts } = workerData as ScanWork;
const place = { file: entry.file, part: entry.name };
let blocks: RowBlock[] = [];
try {
  for await (const block of scanSheet(inflated(fd, entry), sheet, new TextOffsets(texts), place)) {
    blocks.push(block);
    if (blocks.length < BLOCKS) continue;
    await tell(blocks);
    blocks = [];
  }
  await tell(blocks);
  await say({ kind: 'end' });
} catch (error) {
  await tell(blocks);
  await say({ kind: 'error', error: carried(error) });
}
