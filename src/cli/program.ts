import { VERSION } from '../util/version.js';
import { LANGUAGE_VARIABLE } from './language.js';
import { Command, Option } from './program/commander.js';
import { addReconcile, addSchedule } from './program/comparing.js';
import { addPlan, addResume, addRun, addValidate } from './program/running.js';
import { addDoctor, addSandbox } from './program/serving.js';
import { addRuns, addSettling } from './program/settling.js';
import { leave } from './program/shapes.js';
import { addCatalogue, addStarting } from './program/starting.js';

/**
 * The command line. Only shapes and help stand here: a command's module, and all that it needs, is loaded when
 * the command is run, so that `--help` answers at once.
 */
export function program(): Command {
  const root = new Command('license-sync')
    .description(
      'Brings customers, licence orders and lock numbers from spreadsheets to the licensing platform.',
    )
    .version(VERSION)
    .addOption(
      new Option('--lang <language>', 'of messages; default from LC_ALL, LC_MESSAGES or LANG').choices([
        'en',
        'zh',
      ]),
    )
    .hook('preAction', async (it) => {
      const { lang } = it.opts<{ lang?: string }>();
      if (lang !== undefined) process.env[LANGUAGE_VARIABLE] = lang;
      (await import('./last-words.js')).tellLastWords();
    })
    .showHelpAfterError('(add --help for the options)')
    .configureOutput({ writeErr: (text) => process.stderr.write(text) })
    .exitOverride(leave);
  addRun(root);
  addValidate(root);
  addPlan(root);
  addResume(root);
  addReconcile(root);
  addSchedule(root);
  addSettling(root);
  addRuns(root);
  addCatalogue(root);
  addStarting(root);
  addSandbox(root);
  addDoctor(root);
  return root;
}
