import path from 'node:path';
import { type Language, message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import { loadJobFile } from '../job/load.js';
import { OPERATION_NAMES, type OperationName } from '../model/operation.js';
import { fieldWords } from '../platform/operations/words.js';
import { Describer } from '../templates/describe.js';
import { type Template, templateWorkbook } from '../templates/workbook.js';
import {
  jobTemplate,
  NESTED_OPERATIONS,
  nestedTemplate,
  operationTemplate,
  reconcileTemplate,
  stepsTemplate,
} from './compose-template.js';
import { type AppContext, fileFrom } from './context.js';
import { jobReading } from './job-reading.js';
import { operationOf } from './known-operation.js';
import { listOperations } from './operations.js';
import { isFilledIn, type MadeFile, presenceOf, type WrittenFile, writeFiles } from './template-files.js';

export interface TemplateInput {
  readonly output?: string;
  /** Several sheets, and the job file that joins them. */
  readonly nested?: boolean;
  /** With example rows. */
  readonly filled?: boolean;
  /** Writes over what is there. */
  readonly force?: boolean;
}

/** `template OPERATION` or `template JOB.yaml`: writes a fill-in workbook. */
export async function writeTemplate(
  context: AppContext,
  name: string,
  input: TemplateInput,
): Promise<readonly WrittenFile[]> {
  const { language } = context;
  const filled = input.filled === true;
  const files = (await filesFor(context, name, input, { language, filled })).map((it) => ({
    ...it,
    file: fileFrom(context, it.file),
  }));
  return writeFiles(files, async () => input.force === true);
}

/** Operations that there are workbooks for; `nested`: one of several sheets, too. */
export function templatesData(language: Language) {
  return listOperations(language).map(({ name, purpose }) => ({
    operation: name,
    purpose,
    nested: (NESTED_OPERATIONS as readonly string[]).includes(name),
  }));
}

/** The workbook of an operation, not written anywhere. @throws ProductError usage where there is no such operation */
export async function templateFile(
  context: AppContext,
  name: string,
  input: Pick<TemplateInput, 'filled' | 'nested'>,
): Promise<{ readonly name: string; readonly content: Uint8Array }> {
  const operation = operationOf(name);
  const options = { language: context.language, filled: input.filled === true };
  const [first] = await filesFor(context, operation, input, options);
  return { name: path.basename(first!.file), content: first!.content };
}

/** The templates of all operations in one folder; `force`: also over those that somebody filled in. */
export async function writeAllTemplates(
  context: AppContext,
  folder: string,
  { force }: Pick<TemplateInput, 'force'>,
): Promise<readonly WrittenFile[]> {
  const files = await allFiles(fileFrom(context, folder));
  return writeFiles(files, async (it) => force === true || !(await isFilledIn(it)));
}

/** How many templates there are, and which of those in the folder aren't as this program would make them. */
export async function checkAllTemplates(
  context: AppContext,
  folder: string,
): Promise<{ readonly all: number; readonly outdated: readonly string[] }> {
  const files = await allFiles(fileFrom(context, folder));
  const outdated: string[] = [];
  for (const it of files) if ((await presenceOf(it)) !== 'same') outdated.push(it.file);
  return { all: files.length, outdated };
}

async function filesFor(
  context: AppContext,
  name: string,
  input: TemplateInput,
  options: { readonly language: Language; readonly filled: boolean },
): Promise<readonly MadeFile[]> {
  if (name === '') throw new ProductError('usage', message('template.nothing'));
  if ((OPERATION_NAMES as readonly string[]).includes(name)) {
    const operation = name as OperationName;
    const output = outputOf(input, input.nested ? `${name}.nested.xlsx` : `${name}.xlsx`);
    if (input.nested) return nestedFiles(operation, output, options);
    return [await made(output, operationTemplate(operation, { ...options, file: path.basename(output) }))];
  }
  // Neither a job file nor an operation: said as of the one that it is nearer to.
  if (!/\.ya?ml$/i.test(name)) operationOf(name, 'operation_or_job');
  if (input.nested)
    throw new ProductError('usage', message('template.together', { first: '--nested', second: name }));
  const job = await loadJobFile(path.resolve(context.cwd, name), jobReading(context));
  const output = outputOf(input, `${job.name}.xlsx`);
  const shown = { ...options, file: path.basename(output), jobFile: name };
  if ('steps' in job) return [await made(output, stepsTemplate(job, shown))];
  return [await made(output, 'reconcile' in job ? reconcileTemplate(job, shown) : jobTemplate(job, shown))];
}

function outputOf(input: TemplateInput, standard: string): string {
  const file = input.output ?? standard;
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
async function allFiles(folder: string): Promise<readonly MadeFile[]> {
  const files: MadeFile[] = [];
  for (const [language, below] of [
    ['en', folder],
    ['zh', path.join(folder, 'zh')],
  ] as const) {
    const options = { language, filled: false };
    for (const name of OPERATION_NAMES) {
      const file = `${name}.xlsx`;
      files.push(await made(path.join(below, file), operationTemplate(name, { ...options, file })));
    }
    for (const name of NESTED_OPERATIONS)
      files.push(...(await nestedFiles(name, path.join(below, `${name}.nested.xlsx`), options)));
  }
  return files;
}
