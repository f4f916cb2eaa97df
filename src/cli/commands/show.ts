import { showJob } from '../../app/jobs.js';
import { EXIT } from '../../model/run-outcome.js';
import { guarded } from '../process.js';

/** `show JOB`: the effective job. */
export async function show(
  jobFile: string,
  flags: { readonly set?: readonly string[]; readonly json?: boolean },
): Promise<void> {
  await guarded(flags, async (context) => {
    const shown = await showJob(context, jobFile, flags);
    process.stdout.write(flags.json ? `${JSON.stringify(shown)}\n` : shown.yaml);
    return EXIT.ok;
  });
}
