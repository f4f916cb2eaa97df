import {
  comparedData,
  compareRehearsal,
  type RehearseInput,
  type RowDifference,
  rehearseJob,
} from '../../app/rehearse.js';
import { type Language, message, render } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import { zonedText } from '../../util/zoned-time.js';
import { guarded } from '../process.js';
import { type RunFlags, terminalContext } from '../terminal.js';

type Flags = RunFlags & RehearseInput & { readonly compare?: string };

/** `rehearse JOB`, and `rehearse --compare RUN` */
export async function rehearse(jobFile: string | undefined, flags: Flags): Promise<void> {
  const { compare } = flags;
  if (compare !== undefined) return compareWith(compare, jobFile, flags);
  if (jobFile !== undefined) {
    await rehearseJob(terminalContext(flags, { stopping: 'rehearse.stopping' }), jobFile, flags);
    return;
  }
  await guarded(flags, () => Promise.reject(new ProductError('usage', message('rehearse.which'))));
}

async function compareWith(run: string, jobFile: string | undefined, flags: Flags): Promise<void> {
  await guarded(flags, async (context) => {
    const { language } = context;
    const differences: RowDifference[] = [];
    const compared = await compareRehearsal(context, { run, jobFile }, (it) => {
      if (flags.json) differences.push(it);
      else process.stdout.write(`  ${differenceText(it, language)}\n`);
    });
    if (flags.json) process.stdout.write(`${JSON.stringify(comparedData(compared, differences))}\n`);
    else {
      const time = zonedText(compared.rehearsedAt, compared.timezone);
      const { rows, differing } = compared;
      const text = render(message('rehearse.compared', { run, time, rows, differing }), language);
      process.stdout.write(`${text}\n`);
    }
    return compared.exitCode;
  });
}

/** `row 7: rehearsed succeeded, then rejected (4711: refused)` */
function differenceText({ row, rehearsed, happened, columns }: RowDifference, language: Language): string {
  const sideText = (side: RowDifference['rehearsed']): string => {
    if (!side) return render(message('rehearse.no_such_row'), language);
    const why = [side.code, side.message].filter((it) => it !== undefined && it !== '').join(': ');
    const shown = columns.map((it) => {
      const value = it === 'licenseOrderId' ? side.licenseOrderId : side.columns[it];
      return `${it} ${value ?? '-'}`;
    });
    return [why === '' ? side.status : `${side.status} (${why})`, ...shown].join(', ');
  };
  const params = { row, expected: sideText(rehearsed), actual: sideText(happened) };
  return render(message('rehearse.difference', params), language);
}
