import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { type Language, message, render } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import { starterFiles } from '../../guess/starter-files.js';
import { starterJob } from '../../guess/starter-job.js';
import { jobJsonSchema } from '../../job/json-schema.js';
import { loadJob } from '../../job/load.js';
import { EXIT } from '../../model/exit-code.js';
import { COMPARISONS } from '../../platform/comparisons/index.js';
import { CATALOGUE_SHAPES, operationNamed } from '../../platform/operations/index.js';
import { templateWorkbook } from '../../templates/workbook.js';
import { guarded } from '../exit.js';
import { languageOf } from '../language.js';
import { jobTemplate } from '../templates.js';
import { operationOf } from '../unknown-word.js';
import { writeText } from '../write-text.js';
import { isThere } from './guess.js';

export interface InitFlags {
  readonly operation?: string;
  readonly json?: boolean;
}

/** `init [FOLDER]`: a folder with a job that runs on the sandbox at once. Nothing that is there is written over. */
export async function init(folder: string | undefined, flags: InitFlags): Promise<void> {
  const language = languageOf(process.env);
  await guarded(language, () => setUp(folder ?? '.', flags, language), flags.json === true);
}

async function setUp(folder: string, flags: InitFlags, language: Language): Promise<number> {
  const operation = operationOf(flags.operation ?? 'order.new_buy');
  const root = path.resolve(folder);
  await refuseFile(folder, root);
  const job = starterJob(operationNamed(operation), language);
  const jobFile = `jobs/${job.name}.yaml`;
  const schema = `${JSON.stringify(jobJsonSchema(CATALOGUE_SHAPES, COMPARISONS), undefined, 2)}\n`;
  const made = new NewFiles(root);
  for (const it of starterFiles(job, schema, language)) await made.add(it.path, async () => it.content);
  await made.add(jobFile, async () => job.text);
  // A job that somebody changed has data of its own.
  if ((await readFile(path.join(root, jobFile), 'utf8')) === job.text) {
    await made.add(`data/${job.name}.xlsx`, () => workbook(path.join(root, jobFile), job.name, language));
  }
  tell(made, folder, jobFile, flags.json === true, language);
  return EXIT.ok;
}

async function workbook(jobFile: string, name: string, language: Language): Promise<Uint8Array> {
  const job = await loadJob(jobFile, { env: {}, operations: CATALOGUE_SHAPES });
  const options = { language, filled: true, file: `data/${name}.xlsx`, jobFile: `jobs/${name}.yaml` };
  return templateWorkbook(jobTemplate(job, options));
}

async function refuseFile(folder: string, root: string): Promise<void> {
  const there = await stat(root).catch(() => undefined);
  if (there && !there.isDirectory())
    throw new ProductError('usage', message('init.not_a_folder', { folder }));
}

/** Writes what isn't there, and remembers what was. */
class NewFiles {
  readonly root: string;
  readonly written: string[] = [];
  readonly leftAlone: string[] = [];

  constructor(root: string) {
    this.root = root;
  }

  /** @returns whether it was written. */
  async add(name: string, content: () => Promise<string | Uint8Array>): Promise<boolean> {
    const file = path.join(this.root, name);
    if (await isThere(file)) {
      this.leftAlone.push(name);
      return false;
    }
    await writeText(file, await content());
    this.written.push(name);
    return true;
  }
}

function tell(made: NewFiles, folder: string, job: string, json: boolean, language: Language): void {
  const { root, written, leftAlone } = made;
  if (json) {
    process.stdout.write(`${JSON.stringify({ folder: root, written, leftAlone, job })}\n`);
    return;
  }
  const shown = (name: string): string => (folder === '.' ? name : path.join(folder, name));
  for (const name of written) process.stdout.write(`${shown(name)}\n`);
  for (const name of leftAlone)
    process.stderr.write(`${render(message('init.left_alone', { file: shown(name) }), language)}\n`);
  const run = `license-sync run ${job}`;
  const inside = path.relative(process.cwd(), root) === '';
  const commands = inside ? run : `cd ${/\s/.test(folder) ? JSON.stringify(folder) : folder} && ${run}`;
  process.stderr.write(`${render(message('init.next', { commands }), language)}\n`);
}
