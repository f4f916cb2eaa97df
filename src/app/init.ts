import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { type Language, message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import { starterFiles, starterJob } from '../guess/starter-files.js';
import { CONFIG_FILE, findConfig } from '../job/find-config.js';
import { configJsonSchema, jobJsonSchema } from '../job/json-schema.js';
import { loadJob } from '../job/load.js';
import { ALL_OPERATIONS, COMPARISONS, operationNamed } from '../platform/operations/catalogue.js';
import { templateWorkbook } from '../templates/workbook.js';
import { jobTemplate } from './compose-template.js';
import type { AppContext } from './context.js';
import { operationOf } from './input-values.js';
import { jobReading } from './job-input.js';
import { isThere, writeText } from './write-text.js';

export interface InitializedFolder {
  /** Absolute. */
  readonly folder: string;
  /** Relative to the folder. */
  readonly written: readonly string[];
  readonly leftAlone: readonly string[];
  /** The job file that can be run immediately. */
  readonly job: string;
  /** Absolute: the `license-sync.yaml` above that the folder's own one replaces. */
  readonly replacedSettings?: string;
}

/** `init`: creates a folder with a job that can be run on the sandbox. Existing files are not replaced. */
export async function initFolder(
  { cwd, language }: AppContext,
  folder: string,
  input: { readonly operation?: string },
): Promise<InitializedFolder> {
  const operation = operationOf(input.operation ?? 'order.new_buy');
  const root = path.resolve(cwd, folder);
  const existing = await stat(root).catch(() => undefined);
  if (existing && !existing.isDirectory())
    throw new ProductError('usage', message('init.not_a_folder', { folder }));
  const replacedSettings = await findConfig(path.dirname(root));
  const job = starterJob(operationNamed(operation), language);
  const jobFile = `jobs/${job.name}.yaml`;
  const result = { folder: root, written: [] as string[], leftAlone: [] as string[], job: jobFile };
  const add = async (name: string, content: () => Promise<string | Uint8Array>): Promise<void> => {
    const file = path.join(root, name);
    const exists = await isThere(file);
    (exists ? result.leftAlone : result.written).push(name);
    if (!exists) await writeText(file, await content());
  };
  for (const it of starterFiles(job, schemaText('job'), language)) await add(it.path, async () => it.content);
  await add(jobFile, async () => job.text);
  // A job that was changed has other data.
  if ((await readFile(path.join(root, jobFile), 'utf8')) === job.text) {
    await add(`data/${job.name}.xlsx`, () => workbook(root, job.name, language));
  }
  const isNew = result.written.includes(CONFIG_FILE);
  return isNew && replacedSettings !== undefined ? { ...result, replacedSettings } : result;
}

async function workbook(root: string, name: string, language: Language): Promise<Uint8Array> {
  const jobFile = `jobs/${name}.yaml`;
  const job = await loadJob(path.join(root, jobFile), jobReading({ env: {}, cwd: root }));
  return templateWorkbook(jobTemplate(job, { language, filled: true, file: `data/${name}.xlsx`, jobFile }));
}

/** `schema`: the JSON Schema of job files or of `license-sync.yaml`, as the text of its file. */
export function schemaText(of: 'job' | 'config'): string {
  const schema = of === 'config' ? configJsonSchema() : jobJsonSchema(ALL_OPERATIONS, COMPARISONS);
  return `${JSON.stringify(schema, undefined, 2)}\n`;
}
