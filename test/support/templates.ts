import { nestedTemplate, operationTemplate } from '../../src/app/compose-template.js';
import type { Language } from '../../src/errors/message.js';
import type { OperationName } from '../../src/model/operation.js';
import { fieldWords } from '../../src/platform/operations/operation-words.js';
import { Describer } from '../../src/templates/describe.js';
import { type Template, templateWorkbook } from '../../src/templates/workbook.js';

interface Options {
  readonly language?: Language;
  readonly filled?: boolean;
}

export function templateOf(
  operation: OperationName,
  { language = 'en', filled = false }: Options = {},
): Template {
  return operationTemplate(operation, { language, filled, file: 'fill-in.xlsx' });
}

/** A workbook of several sheets as `orders.xlsx`, and the job file that reads it. */
export async function nestedFiles(
  operation: OperationName,
  { language = 'en', filled = false }: Options = {},
): Promise<{ readonly template: Template; readonly workbook: Uint8Array; readonly job: string }> {
  const nested = nestedTemplate(operation, {
    language,
    filled,
    file: 'orders.xlsx',
    jobFile: 'orders.job.yaml',
  });
  if (!nested) throw new Error(`${operation} has no workbook of several sheets`);
  const job = nested.job(new Describer(fieldWords(language), language));
  return { template: nested.template, workbook: await templateWorkbook(nested.template), job };
}
