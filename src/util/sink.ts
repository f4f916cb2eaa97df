import type { WriteStream } from 'node:fs';

/** The stream that a result file is written to. */
export type Sink = WriteStream;

/** Writes, and waits while the disk is behind, so that memory stays bounded. */
export async function write(sink: Sink, text: string | Uint8Array): Promise<void> {
  if (sink.write(text)) return;
  await new Promise<void>((resolve, reject) => {
    const onDrain = (): void => {
      sink.off('error', onError);
      resolve();
    };
    const onError = (error: Error): void => {
      sink.off('drain', onDrain);
      reject(error);
    };
    sink.once('drain', onDrain);
    sink.once('error', onError);
  });
}
