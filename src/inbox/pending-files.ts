import { realpath } from 'node:fs/promises';
import path from 'node:path';
import type { Ledger } from '../ledger/contract/ledger.js';
import type { PendingFile } from '../ledger/contract/pending-files.js';
import { fileStateOf } from './find-files.js';

/** Durable when it resolves. */
export async function rememberPending({ pendingFiles }: Ledger, pending: PendingFile): Promise<void> {
  await pendingFiles.remember(await realFile(pending.file), pending);
}

export async function forgetPending({ pendingFiles }: Ledger, file: string): Promise<void> {
  await pendingFiles.forget(await realFile(file));
}

export async function pendingFile({ pendingFiles }: Ledger, file: string): Promise<PendingFile | undefined> {
  return pendingFiles.get(await realFile(file));
}

/** Forgets files of a folder that somebody else took away. */
export async function forgetGone(ledger: Ledger, folder: string): Promise<void> {
  for (const { file } of await ledger.pendingFiles.list()) {
    if (path.dirname(file) === folder && (await fileStateOf(file)) === 'gone')
      await forgetPending(ledger, file);
  }
}

/** One path for a file, however its folder was reached. A link stands for itself, not for its target. */
export async function realFile(file: string): Promise<string> {
  const folder = path.dirname(file);
  return path.join(await realpath(folder).catch(() => folder), path.basename(file));
}
