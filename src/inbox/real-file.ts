import { realpath } from 'node:fs/promises';
import path from 'node:path';

/** One name for a file by whichever way its folder is reached; a link is its own file, not what it leads to. */
export async function realFile(file: string): Promise<string> {
  const folder = path.dirname(file);
  return path.join(await realpath(folder).catch(() => folder), path.basename(file));
}
