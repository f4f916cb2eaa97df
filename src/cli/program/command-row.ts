import type { AppContext } from '../../app/context.js';
import type { UseCase } from '../../app/use-cases.js';
import type { TerminalOptions } from '../terminal.js';
import type { HelpWord } from './commander-texts.js';
import type { OptionRows } from './options.js';

/** Parsed options, by name. */
// biome-ignore lint/suspicious/noExplicitAny: commander does not know the types of its parsers
type Flags = Record<string, any>;

// biome-ignore lint/suspicious/noExplicitAny: commander does not know the types of its parsers
type Work = (context: AppContext, ...given: any[]) => Promise<unknown>;

/** Commands by usage: the name and the arguments. */
export type CommandRows = Readonly<Record<string, CommandRow>>;

export interface CommandRow {
  /** The help text, if it is not that of the command's name. */
  readonly text?: HelpWord;
  readonly examples: readonly string[];
  /** Arguments with texts or parsers of their own. */
  readonly arguments?: Readonly<Record<string, readonly [HelpWord, ((text: string) => unknown)?]>>;
  readonly options?: OptionRows;
  readonly required?: OptionRows;
  /** A wrong subcommand is explained by `refuseWrongArguments`. */
  readonly allowsExcess?: true;
  readonly subcommands?: CommandRows;
  /** Changes flags to input. */
  readonly input?: (flags: Flags) => Flags;
  /** The use case that it executes on the terminal. */
  readonly use?: UseCase;
  readonly terminal?: TerminalOptions;
  /** Also prints the changes of a plan and the differences of a comparison. */
  readonly printsChanges?: true;
  /** Loads its work, which returns the exit code if that is not 0. It receives the arguments and then the flags. */
  readonly work?: () => Promise<Work>;
}

/** Commands of one module, which is loaded when one of them is run. */
export function from<Module extends object>(load: () => Promise<Module>) {
  return (name: keyof Module) => async () => (await load())[name] as Work;
}

/** A run's id, for examples. */
export const RUN_ID = '20261121-020311-4f9a21';
