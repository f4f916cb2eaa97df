import { listSchedules as list } from '../../app/schedule.js';
import { render } from '../../errors/message.js';
import { EXIT } from '../../model/exit-code.js';
import { guarded } from '../exit.js';
import { overviewJson, overviewText } from '../schedule-text.js';

export interface ListFlags {
  readonly connection?: string;
  readonly json?: boolean;
}

/** `schedule list` */
export async function listSchedules(paths: readonly string[], flags: ListFlags): Promise<void> {
  await guarded({ json: flags.json }, async (context) => {
    const { language } = context;
    const { jobs, none } = await list(context, paths, flags);
    if (none) process.stderr.write(`${render(none, language)}\n`);
    const text = flags.json
      ? `${JSON.stringify(jobs.map(overviewJson), undefined, 2)}\n`
      : jobs.map((it) => overviewText(it, language)).join('\n');
    process.stdout.write(text);
    return EXIT.ok;
  });
}
