import { type RetryInput, retryRun } from '../../app/retry.js';
import { conductRun, type RunFlags } from '../conduct.js';

/** `retry RUN` */
export async function retry(id: string, flags: RunFlags & RetryInput): Promise<void> {
  await conductRun(flags, (context) => retryRun(context, id, flags));
}
