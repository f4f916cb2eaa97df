import path from 'node:path';
import { type Language, message } from '../errors/message.js';
import type { Job, ReconcileJob, StepsJob } from '../model/job.js';
import type { MapBranch } from '../model/map.js';
import { OPERATION_NAMES, type Operation, type OperationName } from '../model/operation.js';
import { comparisonNamed, operationNamed } from '../platform/operations/catalogue.js';
import { fieldWords } from '../platform/operations/operation-words.js';
import type { Describer } from '../templates/describe.js';
import { guideSteps } from '../templates/guide.js';
import { jobText, nestedMap, ORDERS_SHEET, operationMap } from '../templates/operation-map.js';
import { type SheetsInput, type TemplateStep, templateSheets } from '../templates/sheets.js';
import type { Template } from '../templates/workbook.js';
import { purposeOf } from './operations.js';

const DATA_SHEET = 'Data';

interface TemplateOptions {
  readonly language: Language;
  readonly filled: boolean;
  /** Name of the workbook, for commands in the guide. */
  readonly file: string;
}

/** The workbook for an operation without a map: one sheet whose headers are field names. */
export function operationTemplate(name: OperationName, options: TemplateOptions): Template {
  const operation = operationNamed(name);
  const job = [
    'version: 1',
    `name: ${name.replace(/[^a-z]+/g, '-')}`,
    `operation: ${name}`,
    'connection: sandbox',
    `source: { file: ${JSON.stringify(options.file)} }`,
  ];
  return composed(operation, options, {
    map: operationMap(operation),
    sheet: DATA_SHEET,
    headerRow: 1,
    title: name,
    steps: (describer) => [
      describer.render(
        nestedMap(operation)
          ? message('template.step_order', { operation: name })
          : message('template.step_row', { operation: name }),
      ),
    ],
    check: `license-sync validate JOB.yaml --input ${options.file}`,
    job,
  });
}

/** The workbook of several sheets for an operation, and the job file that reads it; undefined if one sheet is sufficient. */
export function nestedTemplate(
  name: OperationName,
  options: TemplateOptions & { readonly jobFile: string },
): { readonly template: Template; readonly job: (describer: Describer) => string } | undefined {
  const operation = operationNamed(name);
  const map = nestedMap(operation);
  if (!map) return undefined;
  const template = composed(operation, options, {
    map,
    sheet: ORDERS_SHEET,
    headerRow: 1,
    title: name,
    check: `license-sync validate ${options.jobFile}`,
  });
  const command = `license-sync template ${name} --nested --output ${options.file}`;
  const job = (describer: Describer): string =>
    jobText({
      name: jobName(options.file, name),
      operation: name,
      file: options.file,
      sheet: ORDERS_SHEET,
      map,
      head: [describer.render(message('template.job_made_by', { workbook: options.file, command }))],
      connectionNote: describer.render(message('template.job_connection')),
    });
  return { template, job };
}

export const NESTED_OPERATIONS: readonly OperationName[] = OPERATION_NAMES.filter(
  (it) => nestedMap(operationNamed(it)) !== undefined,
);

/** The workbook for a job: its own columns under its own headers, and the sheets that it joins. */
export function jobTemplate(job: Job, options: TemplateOptions & { readonly jobFile: string }): Template {
  const operation = operationNamed(job.operation);
  const { sheet, headerRow, where } = job.source;
  return {
    ...composed(operation, options, {
      map: job.map ?? operationMap(operation),
      sheet: typeof sheet === 'string' ? sheet : DATA_SHEET,
      headerRow,
      where,
      title: job.name,
      purpose: job.description,
      check: `license-sync validate ${options.jobFile} --input ${options.file}`,
    }),
    ...(typeof sheet === 'number' ? { position: sheet } : {}),
  };
}

/** The workbook for a job of several steps: one sheet with the columns that any of them reads, and the sheets they join. */
export function stepsTemplate(
  job: StepsJob,
  options: TemplateOptions & { readonly jobFile: string },
): Template {
  const { sheet, headerRow, where } = job.source;
  const steps = job.steps.map((step) => {
    const operation = operationNamed(step.operation);
    return { name: step.name, operation, map: step.map ?? operationMap(operation), when: step.when?.source };
  });
  const [first, ...others] = steps;
  if (!first) throw new Error('unreachable');
  const stepTexts = steps.map(({ name, operation }) => `${name} (${purposeOf(operation, options.language)})`);
  return {
    ...composed(first.operation, options, {
      map: first.map,
      sheet: typeof sheet === 'string' ? sheet : DATA_SHEET,
      headerRow,
      where,
      first,
      others,
      title: job.name,
      purpose: job.description,
      steps: (describer) => [
        describer.render(
          message('template.step_steps', { count: steps.length, steps: describer.joined(stepTexts) }),
        ),
      ],
      check: `license-sync validate ${options.jobFile} --input ${options.file}`,
    }),
    ...(typeof sheet === 'number' ? { position: sheet } : {}),
  };
}

/** The workbook for a reconcile job: the key fields, the expected fields, and the fields that its actions read. */
export function reconcileTemplate(
  job: ReconcileJob,
  options: TemplateOptions & { readonly jobFile: string },
): Template {
  const comparison = comparisonNamed(job.reconcile);
  const { sheet, headerRow, where } = job.source;
  const expected = comparison.record.filter(
    ({ name }) => job.expect.fields.has(name) && !job.key.fields.has(name),
  );
  const shape = [...comparison.key, ...expected.map((it) => ({ ...it, required: false }))];
  const map = { ...job.key, fields: new Map([...job.expect.fields, ...job.key.fields]) };
  return {
    ...composed(
      { name: comparison.inquiry, purpose: comparison.purpose, shape, place: { kind: 'single' } },
      options,
      {
        map,
        sheet: typeof sheet === 'string' ? sheet : DATA_SHEET,
        headerRow,
        where,
        also: job.actions.map((it) => ({ shape: operationNamed(it.operation).shape, map: it.map })),
        title: job.name,
        purpose: job.description ?? comparison.purpose,
        check: `license-sync reconcile ${options.jobFile} --input ${options.file}`,
      },
    ),
    ...(typeof sheet === 'number' ? { position: sheet } : {}),
  };
}

interface Parts {
  readonly map: MapBranch;
  readonly sheet: string;
  readonly headerRow: number;
  readonly where?: Job['source']['where'];
  readonly also?: SheetsInput['also'];
  readonly first?: SheetsInput['first'];
  /** The steps after `first`. */
  readonly others?: readonly TemplateStep[];
  readonly title: string;
  readonly purpose?: string;
  readonly steps?: (describer: Describer) => readonly string[];
  readonly check: string;
  readonly job?: readonly string[];
}

type Composed = Pick<Operation, 'name' | 'purpose' | 'shape' | 'place'>;

/** Columns that a comparison generates for its actions. */
const isGenerated = (header: string): boolean => /^(expected|actual)\./.test(header);

function composed(operation: Composed, options: TemplateOptions, parts: Parts): Template {
  const { language, filled } = options;
  const { map, sheet, headerRow, where, title, job = [] } = parts;
  const sheets = templateSheets({
    operation,
    map,
    sheet,
    headerRow,
    where,
    also: parts.also,
    first: parts.first,
    steps: parts.others,
    isGenerated: parts.also && isGenerated,
  });
  const places = [operation, ...(parts.others ?? []).map((it) => it.operation)].map((it) => it.place);
  return {
    operation: operation.name,
    sheets,
    top: ['', ...places.flatMap((it) => (it.kind === 'array' ? [it.field] : []))],
    words: fieldWords(language),
    language,
    filled,
    guide: (names, describer) => ({
      title,
      purpose: parts.purpose ?? purposeOf(operation, language),
      steps: guideSteps(sheets, names, describer, {
        own: parts.steps?.(describer) ?? [],
        check: parts.check,
        hasJob: job.length > 0,
        where: where?.source,
      }),
      job,
    }),
  };
}

/** A job name of letters, digits and hyphens: from the file's name, or from the operation if nothing remains. */
function jobName(file: string, operation: string): string {
  const plain = (text: string): string =>
    text
      .replace(/[^\p{L}\p{N}]+/gu, '-')
      .slice(0, 60)
      .replace(/^-+|-+$/g, '');
  return plain(path.parse(file).name) || plain(operation);
}
