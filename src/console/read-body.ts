import { message } from '../errors/message.js';
import { WebRefusal } from './problem.js';

const MOST_BYTES = 1_048_576;
const MOST_MS = 10_000;

/** The JSON that was sent; undefined where nothing was. */
export async function readJson(request: Request): Promise<unknown> {
  const type = request.headers.get('content-type') ?? '';
  const text = await readText(request);
  if (text === '') return undefined;
  // Forms of other pages can't send this type without being asked first.
  if (!/^application\/json\b/i.test(type)) throw new WebRefusal(415, message('console.not_json'));
  try {
    return JSON.parse(text);
  } catch {
    throw new WebRefusal(400, message('console.bad_json'));
  }
}

async function readText(request: Request): Promise<string> {
  if (!request.body) return '';
  const reader = request.body.getReader();
  const parts: Uint8Array[] = [];
  let size = 0;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new WebRefusal(408, message('console.too_slow'))), MOST_MS);
  });
  try {
    for (;;) {
      const { done, value } = await Promise.race([reader.read(), late]);
      if (done) return Buffer.concat(parts).toString('utf8');
      size += value.length;
      if (size > MOST_BYTES) throw new WebRefusal(413, message('console.too_large', { limit: '1 MB' }));
      parts.push(value);
    }
  } catch (error) {
    reader.cancel().catch(() => {});
    throw error instanceof WebRefusal ? error : new WebRefusal(400, message('console.cut_off'));
  } finally {
    clearTimeout(timer);
  }
}
