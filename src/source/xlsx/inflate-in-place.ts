import { setImmediate } from 'node:timers/promises';
import { constants, createInflateRaw, type InflateRaw } from 'node:zlib';

/** Unpacked bytes at a time: few enough to still be in the processor's cache when they are scanned. */
const CHUNK = 64 * 1024;
/** After this many unpacked bytes other work of the process gets a turn: one read may unpack a hundred times as much. */
const TURN = 1024 * 1024;
const NOTHING = Buffer.alloc(0);

/**
 * Private parts of node:zlib's streams. They aren't documented, but npm's own unpacker has used them since Node 10;
 * `canInflateInPlace` checks that they are there.
 */
interface Internals {
  readonly _handle: {
    writeSync(
      flush: number,
      input: Buffer,
      inputStart: number,
      inputLength: number,
      output: Buffer,
      outputStart: number,
      outputLength: number,
    ): void;
  };
  /** After a write: bytes left in the output buffer and in the input. */
  readonly _writeState: Uint32Array;
}

export function canInflateInPlace(): boolean {
  const stream = createInflateRaw();
  const { _handle, _writeState } = stream as unknown as Partial<Internals>;
  stream.close();
  return typeof _handle?.writeSync === 'function' && _writeState instanceof Uint32Array;
}

/**
 * Inflates raw deflate data on this thread, always into the same buffer: a chunk is valid until the next is requested.
 * Inflating takes less time than handing data to a thread and back in newly allocated memory.
 * @throws what reading throws, and the errors of node:zlib, with their `code`s
 */
export async function* inflateInPlace(packed: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const stream = createInflateRaw();
  // An error is also emitted, but `errored` is what is checked below.
  stream.on('error', () => {});
  const unpacked = Buffer.allocUnsafeSlow(CHUNK);
  let since = 0;
  try {
    for await (const bytes of packed) {
      for (const chunk of inflated(stream, constants.Z_NO_FLUSH, bytes, unpacked)) {
        yield chunk;
        since += chunk.length;
        if (since < TURN) continue;
        await setImmediate();
        since = 0;
      }
    }
    // Finds data that ends too early.
    yield* inflated(stream, constants.Z_FINISH, NOTHING, unpacked);
  } finally {
    stream.close();
  }
}

function* inflated(stream: InflateRaw, flush: number, packed: Buffer, unpacked: Buffer): Generator<Buffer> {
  const { _handle: handle, _writeState: state } = stream as unknown as Internals;
  let left = packed.length;
  for (let room = 0; room === 0; ) {
    handle.writeSync(flush, packed, packed.length - left, left, unpacked, 0, CHUNK);
    if (stream.errored) throw stream.errored;
    [room = 0, left = 0] = state;
    if (room < CHUNK) yield unpacked.subarray(0, CHUNK - room);
  }
}
