import type { AppContext } from '../../app/context.js';
import {
  checkAllTemplates,
  type TemplateInput,
  writeAllTemplates,
  writeTemplate,
} from '../../app/template.js';
import { message, render } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import { EXIT } from '../../model/run-outcome.js';
import { printMessage, printNote } from '../shown-text.js';

interface TemplateFlags extends TemplateInput {
  readonly all?: string;
  readonly check?: boolean;
}

/** `template OPERATION`, `template JOB.yaml`, or every operation's into one folder. */
export async function template(
  context: AppContext,
  name: string | undefined,
  flags: TemplateFlags,
): Promise<number> {
  refuseConflicts(name, flags);
  const { all } = flags;
  if (all !== undefined && flags.check) return check(all, context);
  const files =
    all === undefined
      ? await writeTemplate(context, name ?? '', flags)
      : await writeAllTemplates(context, all, flags);
  for (const { kind, file } of files) process.stdout.write(`${kind} ${file}\n`);
  return EXIT.ok;
}

function refuseConflicts(name: string | undefined, flags: TemplateFlags): void {
  if (flags.all === undefined) {
    if (!flags.check) return;
    throw new ProductError('usage', message('template.needs', { option: '--check', other: '--all FOLDER' }));
  }
  const given = [
    ...(name === undefined ? [] : [name]),
    ...(['output', 'nested', 'filled'] as const).filter((it) => flags[it]).map((it) => `--${it}`),
  ];
  const [second] = given;
  if (second !== undefined)
    throw new ProductError('usage', message('template.together', { first: '--all', second }));
}

async function check(folder: string, context: AppContext): Promise<number> {
  const { language } = context;
  const { all, outdated } = await checkAllTemplates(context, folder);
  if (outdated.length === 0) {
    printMessage(message('template.up_to_date', { all, folder }), language);
    return EXIT.ok;
  }
  const params = { all, count: outdated.length, folder };
  printNote(message('template.outdated_count', params), language);
  for (const file of outdated)
    process.stderr.write(`  ${render(message('template.outdated', { file, folder }), language)}\n`);
  return EXIT.someRowsWrong;
}
