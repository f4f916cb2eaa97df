import path from 'node:path';
import { type Language, message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import { loadJobFile } from '../job/load.js';
import { OPERATION_NAMES, type OperationName } from '../model/operation.js';
import { fieldWords } from '../platform/operations/operation-words.js';
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
import { operationOf } from './input-values.js';
import { jobReading } from './job-input.js';
import { listOperations } from './operations.js';
import {
  type GeneratedFile,
  isFilledIn,
  presenceOf,
  type WrittenFile,
  writeFiles,
} from './template-files.js';

export interface TemplateInput {
  readonly output?: string;
  /** Several sheets, and the job file that joins them. */
  readonly nested?: boolean;
  /** With example rows. */
  readonly filled?: boolean;
  /** Replaces existing files. */
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

/** Operations with a workbook; `nested`: also one with several sheets. */
export function templatesData(language: Language) {
  return listOperations(language).map(({ name, purpose }) => ({
    operation: name,
    purpose,
    nested: (NESTED_OPERATIONS as readonly string[]).includes(name),
  }));
}

/** The content of an operation's workbook. @throws ProductError usage if there is no such operation */
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

/** Writes the templates of all operations into one folder; `force` also replaces filled-in ones. */
export async function writeAllTemplates(
  context: AppContext,
  folder: string,
  { force }: Pick<TemplateInput, 'force'>,
): Promise<readonly WrittenFile[]> {
  const files = await allFiles(fileFrom(context, folder));
  return writeFiles(files, async (it) => force === true || !(await isFilledIn(it)));
}

/** The number of templates, and those in the folder that this version would write differently. */
export async function checkAllTemplates(
  context: AppContext,
  folder: string,
): Promise<{ readonly all: number; readonly outdated: readonly string[] }> {
  const files = await allFiles(fileFrom(context, folder));
  const outdated: string[] = [];
  for (const file of files) if ((await presenceOf(file)) !== 'same') outdated.push(file.file);
  return { all: files.length, outdated };
}

async function filesFor(
  context: AppContext,
  name: string,
  input: TemplateInput,
  options: { readonly language: Language; readonly filled: boolean },
): Promise<readonly GeneratedFile[]> {
  if (name === '') throw new ProductError('usage', message('template.nothing'));
  if ((OPERATION_NAMES as readonly string[]).includes(name)) {
    const operation = name as OperationName;
    const output = outputOf(input, input.nested ? `${name}.nested.xlsx` : `${name}.xlsx`);
    if (input.nested) return nestedFiles(operation, output, options);
    return [
      await templateFileOf(output, operationTemplate(operation, { ...options, file: path.basename(output) })),
    ];
  }
  // Neither a job file nor an operation: the error names the kind that is more likely meant.
  if (!/\.ya?ml$/i.test(name)) operationOf(name, 'operation_or_job');
  if (input.nested)
    throw new ProductError('usage', message('template.together', { first: '--nested', second: name }));
  const job = await loadJobFile(path.resolve(context.cwd, name), jobReading(context));
  const output = outputOf(input, `${job.name}.xlsx`);
  const shown = { ...options, file: path.basename(output), jobFile: name };
  if ('steps' in job) return [await templateFileOf(output, stepsTemplate(job, shown))];
  return [
    await templateFileOf(
      output,
      'reconcile' in job ? reconcileTemplate(job, shown) : jobTemplate(job, shown),
    ),
  ];
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
): Promise<readonly GeneratedFile[]> {
  const jobFile = output.replace(/\.xlsx$/i, '.job.yaml');
  const file = path.basename(output);
  const nested = nestedTemplate(name, { ...options, file, jobFile: path.basename(jobFile) });
  if (!nested) {
    const params = { operation: name, nested: NESTED_OPERATIONS.join(', ') };
    throw new ProductError('usage', message('template.one_sheet', params));
  }
  const describer = new Describer(fieldWords(options.language), options.language);
  const content = Buffer.from(nested.job(describer), 'utf8');
  return [await templateFileOf(output, nested.template), { file: jobFile, content, sheets: [], kind: 'job' }];
}

async function templateFileOf(file: string, template: Template): Promise<GeneratedFile> {
  const sheets = template.sheets.map((sheet) => sheet.name);
  return { file, content: await templateWorkbook(template), sheets, kind: 'template' };
}

/** English in the folder itself, Chinese in its subfolder `zh`, independent of the user's language. */
async function allFiles(folder: string): Promise<readonly GeneratedFile[]> {
  const files: GeneratedFile[] = [];
  for (const [language, below] of [
    ['en', folder],
    ['zh', path.join(folder, 'zh')],
  ] as const) {
    const options = { language, filled: false };
    for (const name of OPERATION_NAMES) {
      const file = `${name}.xlsx`;
      files.push(await templateFileOf(path.join(below, file), operationTemplate(name, { ...options, file })));
    }
    for (const name of NESTED_OPERATIONS)
      files.push(...(await nestedFiles(name, path.join(below, `${name}.nested.xlsx`), options)));
  }
  return files;
}
