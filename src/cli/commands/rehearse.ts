import type { AppContext } from '../../app/context.js';
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
import { type JsonFlag, printResult } from '../shown-text.js';
import { type RunFlags, terminalContext } from '../terminal.js';

type Flags = RunFlags & RehearseInput & { readonly compare?: string };

/** `rehearse JOB`, and `rehearse --compare RUN` */
export async function rehearse(context: AppContext, job: string | undefined, flags: Flags): Promise<number> {
  if (flags.compare !== undefined) return compare(context, flags.compare, job, flags);
  if (job === undefined) throw new ProductError('usage', message('rehearse.which'));
  const watched = terminalContext(flags, { stopping: 'rehearse.stopping' });
  return (await rehearseJob(watched, job, flags)).exitCode;
}

async function compare(
  context: AppContext,
  run: string,
  jobFile: string | undefined,
  { json }: JsonFlag,
): Promise<number> {
  const { language } = context;
  const differences: RowDifference[] = [];
  const compared = await compareRehearsal(context, { run, jobFile }, (it) => {
    if (json) differences.push(it);
    else process.stdout.write(`  ${differenceText(it, language)}\n`);
  });
  const { rows, differing, rehearsedAt, timezone, exitCode } = compared;
  const params = { run, time: zonedText(rehearsedAt, timezone), rows, differing };
  const text = message('rehearse.compared', params);
  printResult({ json }, comparedData(compared, differences), text, language);
  return exitCode;
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
