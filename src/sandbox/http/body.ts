import type { IncomingMessage } from 'node:http';

/** The largest request body taken, in bytes (the platform's: not shown, §8). */
const BODY_LIMIT = 20 * 1024 * 1024;

export type Received =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'too_large' | 'not_utf8' | 'broken' };

/** The whole body as text; a body past the limit is not kept. */
export async function receive(request: IncomingMessage): Promise<Received> {
  const bytes = await collect(request);
  if (!Buffer.isBuffer(bytes)) return { kind: bytes };
  try {
    return { kind: 'text', text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    return { kind: 'not_utf8' };
  }
}

/** By events, not by iterating: leaving an iteration early would destroy the socket that the refusal goes out by. */
function collect(request: IncomingMessage): Promise<Buffer | 'too_large' | 'broken'> {
  if (Number(request.headers['content-length'] ?? 0) > BODY_LIMIT) return Promise.resolve('too_large');
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= BODY_LIMIT) chunks.push(chunk);
      else resolve('too_large');
    });
    request.on('end', () => resolve(Buffer.concat(chunks)));
    request.on('close', () => resolve('broken'));
    request.on('error', () => resolve('broken'));
  });
}
