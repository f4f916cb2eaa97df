import { Command, Option } from 'commander';
import { VERSION } from '../util/own-package.js';
import { setLanguage } from './language.js';
import { leaveOrThrow, refuseMissingFolder, refuseRepeatedOptions } from './program/command-options.js';
import { faultText, localizeHelp } from './program/commander-texts.js';
import { addPull, addReconcile, addSchedule } from './program/comparing.js';
import { addPeople } from './program/people.js';
import { addPlan, addRehearse, addResume, addRun, addValidate } from './program/running.js';
import { addConsole, addDoctor, addSandbox } from './program/serving.js';
import { addRuns, addSettling } from './program/settling.js';
import { addCatalogue, addStarting } from './program/starting.js';
import { addApprovals, addLedger, addTeam } from './program/team.js';
import { words } from './program/words.js';

/**
 * The command line. Only options and help are defined here: a command's module is loaded when the command is run, so that
 * `--help` is fast.
 */
export function program(): Command {
  setLanguage(process.argv, process.env);
  const root = localizeHelp(new Command('license-sync'))
    .description(words('help.about'))
    .version(VERSION, '-V, --version', words('help.version'))
    .addOption(new Option('--lang <language>', words('help.lang')).choices(['en', 'zh']))
    .hook('preAction', async (_, action) => {
      refuseMissingFolder();
      (await import('./process.js')).installFatalErrorHandlers();
      await (await import('./wrong-arguments.js')).refuseWrongArguments(action);
    })
    .showHelpAfterError(words('help.more'))
    .configureOutput({
      writeErr: (text) => process.stderr.write(text),
      outputError: (text, write) => write(`${faultText(text)}\n`),
    })
    .exitOverride(leaveOrThrow);
  addRun(root);
  addValidate(root);
  addRehearse(root);
  addPlan(root);
  addResume(root);
  addReconcile(root);
  addPull(root);
  addSchedule(root);
  addSettling(root);
  addRuns(root);
  addApprovals(root);
  addTeam(root);
  addLedger(root);
  addPeople(root);
  addCatalogue(root);
  addStarting(root);
  addConsole(root);
  addSandbox(root);
  addDoctor(root);
  refuseRepeatedOptions(root);
  return root;
}
