import { showJob } from '../../app/show.js';
import { EXIT } from '../../model/exit-code.js';
import { guarded } from '../exit.js';

/** `show JOB`: the job as it counts. */
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
