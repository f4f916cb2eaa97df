import { type SubmitInput, submitJob } from '../../app/submit.js';
import type { WaitInput } from '../../app/wait.js';
import { conductRun, type RunFlags } from '../conduct.js';

/** `submit JOB` */
export async function submit(jobFile: string, flags: RunFlags & SubmitInput): Promise<void> {
  await conductRun(flags, (context) => submitJob(context, jobFile, flags));
}

/** `wait RUN` */
export async function wait(id: string, flags: RunFlags & WaitInput): Promise<void> {
  const app = await import('../../app/wait.js');
  await conductRun(flags, (context) => app.waitRun(context, id, flags), 'team.waiting_ends');
}
