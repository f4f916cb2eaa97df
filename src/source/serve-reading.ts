import { parentPort, workerData } from 'node:worker_threads';
import { serializeError } from '../errors/serialized-error.js';
import type { ThreadMessage } from './reading-thread.js';

/** Messages that may be under way at once. */
const AHEAD = 4;

/**
 * What the main file of a `ReadingThread` does: it sends what is read, and waits while the caller is behind.
 * @param piecesAtOnce in one message: each message costs time, and holds memory on both sides
 * @param memoryOf what of a piece is handed over instead of copied
 */
export async function serveReading<Work, Piece>(
  read: (work: Work) => AsyncIterable<Piece>,
  piecesAtOnce: number,
  memoryOf: (piece: Piece) => readonly ArrayBuffer[] = () => [],
): Promise<void> {
  if (!parentPort) throw new Error('this is the main file of a worker thread');
  const port = parentPort;
  let free = AHEAD;
  let wake = (): void => {};
  port.on('message', () => {
    free += 1;
    wake();
  });
  const send = async (message: ThreadMessage<Piece>, memory: readonly ArrayBuffer[] = []): Promise<void> => {
    if (free === 0) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    free -= 1;
    port.postMessage(message, memory);
  };
  let pieces: Piece[] = [];
  const sendPieces = async (): Promise<void> => {
    const sent = pieces;
    pieces = [];
    await send({ kind: 'pieces', pieces: sent }, sent.flatMap(memoryOf));
  };
  port.postMessage({ kind: 'begun' } satisfies ThreadMessage<Piece>);
  try {
    for await (const piece of read(workerData as Work)) {
      pieces.push(piece);
      if (pieces.length === piecesAtOnce) await sendPieces();
    }
    await sendPieces();
    await send({ kind: 'end' });
  } catch (error) {
    await sendPieces();
    await send({ kind: 'error', error: serializeError(error) });
  }
}
