import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { AppContext } from '../../app/context.js';
import { initFolder, schemaText } from '../../app/init.js';
import { message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import { type JsonFlag, printJson, printNote } from '../shown-text.js';

/** `init [FOLDER]` */
export async function init(
  context: AppContext,
  folder = '.',
  flags: JsonFlag & { readonly operation?: string },
): Promise<void> {
  const { language, cwd } = context;
  const result = await initFolder(context, folder, flags);
  if (flags.json) return printJson(result);
  const shown = (name: string): string => (folder === '.' ? name : path.join(folder, name));
  for (const name of result.written) process.stdout.write(`${shown(name)}\n`);
  for (const name of result.leftAlone) printNote(message('init.left_alone', { file: shown(name) }), language);
  if (result.replacedSettings !== undefined) {
    const params = { other: path.relative(cwd, result.replacedSettings), file: shown('license-sync.yaml') };
    printNote(message('init.other_settings', params), language);
  }
  const run = `license-sync run ${result.job}`;
  const isHere = path.relative(cwd, result.folder) === '';
  const commands = isHere ? run : `cd ${/\s/.test(folder) ? JSON.stringify(folder) : folder} && ${run}`;
  printNote(message('init.next', { commands }), language);
}

/** `schema`: to stdout, or compared with a file. */
export async function schema(
  _: AppContext,
  flags: { readonly check?: string; readonly config?: boolean },
): Promise<void> {
  const text = schemaText(flags.config ? 'config' : 'job');
  const file = flags.check;
  if (file === undefined) return void process.stdout.write(text);
  const existing = await readFile(file, 'utf8').catch(() => {
    throw new ProductError('usage', message('cli.file_missing', { file }));
  });
  if (existing === text) return;
  throw new ProductError('usage', message('cli.schema_outdated', { file }));
}

/** `show JOB`: the effective job. */
export async function show(
  context: AppContext,
  jobFile: string,
  flags: JsonFlag & { readonly set?: readonly string[] },
): Promise<void> {
  const { showJob } = await import('../../app/jobs.js');
  const shown = await showJob(context, jobFile, flags);
  if (flags.json) printJson(shown);
  else process.stdout.write(shown.yaml);
}
