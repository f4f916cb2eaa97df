import path from 'node:path';
import { initFolder } from '../../app/init.js';
import { message, render } from '../../errors/message.js';
import { EXIT } from '../../model/run-outcome.js';
import { guarded } from '../process.js';

interface InitFlags {
  readonly operation?: string;
  readonly json?: boolean;
}

/** `init [FOLDER]` */
export async function init(folder = '.', flags: InitFlags): Promise<void> {
  await guarded({ json: flags.json }, async (context) => {
    const { language, cwd } = context;
    const result = await initFolder(context, folder, flags);
    if (flags.json) {
      process.stdout.write(`${JSON.stringify(result)}\n`);
      return EXIT.ok;
    }
    const shown = (name: string): string => (folder === '.' ? name : path.join(folder, name));
    for (const name of result.written) process.stdout.write(`${shown(name)}\n`);
    for (const name of result.leftAlone)
      process.stderr.write(`${render(message('init.left_alone', { file: shown(name) }), language)}\n`);
    if (result.replacedSettings !== undefined) {
      const params = { other: path.relative(cwd, result.replacedSettings), file: shown('license-sync.yaml') };
      process.stderr.write(`${render(message('init.other_settings', params), language)}\n`);
    }
    const run = `license-sync run ${result.job}`;
    const isHere = path.relative(cwd, result.folder) === '';
    const commands = isHere ? run : `cd ${/\s/.test(folder) ? JSON.stringify(folder) : folder} && ${run}`;
    process.stderr.write(`${render(message('init.next', { commands }), language)}\n`);
    return EXIT.ok;
  });
}
