import {
  comparedData,
  compareRehearsal,
  type RehearseInput,
  type RowDifference,
  rehearseJob,
} from '../../app/rehearse.js';
import { type Language, message, render } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import { conductRun, type RunFlags } from '../conduct.js';
import { guarded } from '../exit.js';

type Flags = RunFlags & RehearseInput & { readonly compare?: string };

/** `rehearse JOB`, and `rehearse --compare RUN` */
export async function rehearse(jobFile: string | undefined, flags: Flags): Promise<void> {
  const { compare } = flags;
  if (compare !== undefined) return compareWith(compare, jobFile, flags);
  if (jobFile !== undefined) {
    await conductRun(flags, (context) => rehearseJob(context, jobFile, flags), 'rehearse.stopping');
    return;
  }
  await guarded(flags, () => Promise.reject(new ProductError('usage', message('rehearse.which'))));
}

async function compareWith(run: string, jobFile: string | undefined, flags: Flags): Promise<void> {
  await guarded(flags, async (context) => {
    const { language } = context;
    const kept: RowDifference[] = [];
    const compared = await compareRehearsal(context, { run, jobFile }, (it) => {
      if (flags.json) kept.push(it);
      else process.stdout.write(`  ${differenceText(it, language)}\n`);
    });
    if (flags.json) process.stdout.write(`${JSON.stringify(comparedData(compared, kept))}\n`);
    else {
      const time = new Date(compared.rehearsedAt).toISOString();
      const { rows, differing } = compared;
      const text = render(message('rehearse.compared', { run, time, rows, differing }), language);
      process.stdout.write(`${text}\n`);
    }
    return compared.exitCode;
  });
}

/** `row 7: rehearsed succeeded, then rejected (4711: refused)` */
function differenceText({ row, rehearsed, happened, columns }: RowDifference, language: Language): string {
  const told = (side: RowDifference['rehearsed']): string => {
    if (!side) return render(message('rehearse.no_such_row'), language);
    const why = [side.code, side.message].filter((it) => it !== undefined && it !== '').join(': ');
    const shown = columns.map((it) => {
      const value = it === 'licenseOrderId' ? side.licenseOrderId : side.columns[it];
      return `${it} ${value ?? '-'}`;
    });
    return [why === '' ? side.status : `${side.status} (${why})`, ...shown].join(', ');
  };
  const params = { row, expected: told(rehearsed), actual: told(happened) };
  return render(message('rehearse.difference', params), language);
}
