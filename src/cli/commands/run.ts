import { type RunInput, runJob } from '../../app/run.js';
import { conductRun, type RunFlags } from '../conduct.js';

/** `run`, `validate` and `plan`. */
export async function run(jobFile: string, flags: RunFlags & RunInput): Promise<void> {
  await conductRun(flags, (context) => runJob(context, jobFile, flags));
}
