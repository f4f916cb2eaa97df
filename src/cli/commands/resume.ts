import { resumeRun } from '../../app/resume.js';
import { conductRun, type RunFlags } from '../conduct.js';

/** `resume [RUN]`: by default the last run of the ledger. */
export async function resume(id: string | undefined, flags: RunFlags): Promise<void> {
  await conductRun(flags, (context) => resumeRun(context, id, flags));
}
