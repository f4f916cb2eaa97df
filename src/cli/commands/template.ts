import path from 'node:path';
import { type Language, message, render } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import { loadJobFile } from '../../job/load.js';
import { EXIT } from '../../model/exit-code.js';
import { OPERATION_NAMES, type OperationName } from '../../model/operation.js';
import { COMPARISONS } from '../../platform/comparisons/index.js';
import { CATALOGUE_SHAPES } from '../../platform/operations/index.js';
import { fieldWords } from '../../platform/operations/words.js';
import { Describer } from '../../templates/describe.js';
import { type Template, templateWorkbook } from '../../templates/workbook.js';
import { guarded } from '../exit.js';
import { languageOf } from '../language.js';
import { isFilledIn, type MadeFile, presenceOf, writeFiles } from '../template-files.js';
import {
  jobTemplate,
  NESTED_OPERATIONS,
  nestedTemplate,
  operationTemplate,
  reconcileTemplate,
} from '../templates.js';
import { operationOf } from '../unknown-word.js';

export interface TemplateFlags {
  readonly output?: string;
  readonly all?: string;
  readonly check?: boolean;
  readonly nested?: boolean;
  readonly filled?: boolean;
  readonly force?: boolean;
}

/** `template OPERATION`, `template JOB.yaml`, or every operation's into one folder. */
export async function template(name: string | undefined, flags: TemplateFlags): Promise<void> {
  const language = languageOf(process.env);
  await guarded(language, async () => {
    refuseConflicts(name, flags);
    if (flags.all !== undefined) return all(flags.all, flags, language);
    const files = await filesFor(name, flags, language);
    const written = await writeFiles(files, async () => flags.force === true);
    tell(files, written);
    return EXIT.ok;
  });
}

function refuseConflicts(name: string | undefined, flags: TemplateFlags): void {
  if (flags.check && flags.all === undefined) throw usage('needs', '--check', '--all FOLDER');
  if (flags.all === undefined) return;
  const given = [
    ...(name === undefined ? [] : [name]),
    ...(['output', 'nested', 'filled'] as const).filter((it) => flags[it]).map((it) => `--${it}`),
  ];
  const [other] = given;
  if (other !== undefined) throw usage('together', '--all', other);
}

function usage(what: 'needs' | 'together', first: string, second: string): ProductError {
  return new ProductError(
    'usage',
    what === 'needs'
      ? message('template.needs', { option: first, other: second })
      : message('template.together', { first, second }),
  );
}

async function filesFor(
  name: string | undefined,
  flags: TemplateFlags,
  language: Language,
): Promise<readonly MadeFile[]> {
  if (name === undefined || name === '') throw new ProductError('usage', message('template.nothing'));
  const filled = flags.filled === true;
  if (isOperation(name)) {
    const output = outputOf(flags, flags.nested ? `${name}.nested.xlsx` : `${name}.xlsx`);
    if (flags.nested) return nestedFiles(name, output, { language, filled });
    return [await made(output, operationTemplate(name, { language, filled, file: path.basename(output) }))];
  }
  // Neither a job file nor an operation: said as of the one that it is nearer to.
  if (!/\.ya?ml$/i.test(name)) operationOf(name);
  if (flags.nested) throw usage('together', '--nested', name);
  const job = await loadJobFile(path.resolve(name), {
    env: process.env,
    operations: CATALOGUE_SHAPES,
    comparisons: COMPARISONS,
  });
  const output = outputOf(flags, `${job.name}.xlsx`);
  const shown = { language, filled, file: path.basename(output), jobFile: name };
  return [await made(output, 'reconcile' in job ? reconcileTemplate(job, shown) : jobTemplate(job, shown))];
}

function outputOf(flags: TemplateFlags, standard: string): string {
  const file = flags.output ?? standard;
  if (!/\.xlsx$/i.test(file)) throw new ProductError('usage', message('template.extension', { file }));
  return file;
}

async function nestedFiles(
  name: OperationName,
  output: string,
  options: { readonly language: Language; readonly filled: boolean },
): Promise<readonly MadeFile[]> {
  const jobFile = output.replace(/\.xlsx$/i, '.job.yaml');
  const file = path.basename(output);
  const nested = nestedTemplate(name, { ...options, file, jobFile: path.basename(jobFile) });
  if (!nested) {
    const params = { operation: name, nested: NESTED_OPERATIONS.join(', ') };
    throw new ProductError('usage', message('template.one_sheet', params));
  }
  const describer = new Describer(fieldWords(options.language), options.language);
  const content = Buffer.from(nested.job(describer), 'utf8');
  return [await made(output, nested.template), { file: jobFile, content, sheets: [], kind: 'job' }];
}

async function made(file: string, it: Template): Promise<MadeFile> {
  const sheets = it.sheets.map((sheet) => sheet.name);
  return { file, content: await templateWorkbook(it), sheets, kind: 'template' };
}

/** English in the folder itself, Chinese in `zh` below, whatever the language of whoever makes them. */
async function all(folder: string, flags: TemplateFlags, language: Language): Promise<number> {
  const files: MadeFile[] = [];
  for (const [each, below] of [
    ['en', folder],
    ['zh', path.join(folder, 'zh')],
  ] as const) {
    const options = { language: each, filled: false };
    for (const name of OPERATION_NAMES) {
      const file = `${name}.xlsx`;
      files.push(await made(path.join(below, file), operationTemplate(name, { ...options, file })));
    }
    for (const name of NESTED_OPERATIONS)
      files.push(...(await nestedFiles(name, path.join(below, `${name}.nested.xlsx`), options)));
  }
  if (flags.check) return check(folder, files, language);
  const written = await writeFiles(files, async (it) => flags.force === true || !(await isFilledIn(it)));
  tell(files, written);
  return EXIT.ok;
}

async function check(folder: string, files: readonly MadeFile[], language: Language): Promise<number> {
  const outdated: string[] = [];
  for (const it of files) if ((await presenceOf(it)) !== 'same') outdated.push(it.file);
  const [first] = outdated;
  if (first === undefined) {
    const params = { all: files.length, folder };
    process.stdout.write(`${render(message('template.up_to_date', params), language)}\n`);
    return EXIT.ok;
  }
  const params = { all: files.length, count: outdated.length, folder };
  process.stderr.write(`${render(message('template.outdated_count', params), language)}\n`);
  for (const file of outdated)
    process.stderr.write(`  ${render(message('template.outdated', { file, folder }), language)}\n`);
  return EXIT.someRowsWrong;
}

function tell(files: readonly MadeFile[], written: readonly string[]): void {
  files.forEach(({ file, kind }, index) => {
    const there = written[index];
    const moved = there !== undefined && path.resolve(file) !== there;
    process.stdout.write(`${kind} ${moved ? there : file}\n`);
  });
}

function isOperation(name: string): name is OperationName {
  return (OPERATION_NAMES as readonly string[]).includes(name);
}
