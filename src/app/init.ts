import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { type Language, message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import { starterFiles } from '../guess/starter-files.js';
import { starterJob } from '../guess/starter-job.js';
import { loadJob } from '../job/load.js';
import { operationNamed } from '../platform/operations/index.js';
import { templateWorkbook } from '../templates/workbook.js';
import { jobTemplate } from './compose-template.js';
import type { AppContext } from './context.js';
import { jobReading } from './job-reading.js';
import { operationOf } from './known-operation.js';
import { schemaText } from './schema.js';
import { isThere, writeText } from './write-text.js';

export interface InitializedFolder {
  /** Absolute. */
  readonly folder: string;
  /** From the folder. */
  readonly written: readonly string[];
  readonly leftAlone: readonly string[];
  /** The job file that runs at once. */
  readonly job: string;
}

/** `init`: a folder with a job that runs on the sandbox at once. Nothing that is there is written over. */
export async function initFolder(
  { cwd, language }: AppContext,
  folder: string,
  input: { readonly operation?: string },
): Promise<InitializedFolder> {
  const operation = operationOf(input.operation ?? 'order.new_buy');
  const root = path.resolve(cwd, folder);
  const there = await stat(root).catch(() => undefined);
  if (there && !there.isDirectory())
    throw new ProductError('usage', message('init.not_a_folder', { folder }));
  const job = starterJob(operationNamed(operation), language);
  const jobFile = `jobs/${job.name}.yaml`;
  const made = { folder: root, written: [] as string[], leftAlone: [] as string[], job: jobFile };
  const add = async (name: string, content: () => Promise<string | Uint8Array>): Promise<void> => {
    const file = path.join(root, name);
    const isOthers = await isThere(file);
    (isOthers ? made.leftAlone : made.written).push(name);
    if (!isOthers) await writeText(file, await content());
  };
  for (const it of starterFiles(job, schemaText('job'), language)) await add(it.path, async () => it.content);
  await add(jobFile, async () => job.text);
  // A job that somebody changed has data of its own.
  if ((await readFile(path.join(root, jobFile), 'utf8')) === job.text) {
    await add(`data/${job.name}.xlsx`, () => workbook(root, job.name, language));
  }
  return made;
}

async function workbook(root: string, name: string, language: Language): Promise<Uint8Array> {
  const jobFile = `jobs/${name}.yaml`;
  const job = await loadJob(path.join(root, jobFile), jobReading({ env: {}, cwd: root }));
  return templateWorkbook(jobTemplate(job, { language, filled: true, file: `data/${name}.xlsx`, jobFile }));
}
