import { InvalidArgumentError } from 'commander';
import { type HelpWord, words } from './commander-texts.js';

// biome-ignore lint/suspicious/noExplicitAny: what was collected before is of the parser's own type
type Parse = (text: string, before: any) => unknown;

/** Options by flags: the text; and if the value is not any text, its parser or choices; and its default. */
export type OptionRows = Readonly<
  Record<string, HelpWord | readonly [HelpWord, (Parse | readonly string[] | undefined)?, unknown?]>
>;

export const JSON_EACH = { '--json': 'json' } as const;
export const JSON_ONE = { '--json': 'json_one' } as const;
export const LEDGER = { '--ledger <location>': 'ledger' } as const;
export const CONCURRENCY = { '--concurrency <n>': ['concurrency', positive] } as const;
/** For commands that send or compare. */
export const METRICS = { '--metrics-file <file>': 'metrics' } as const;
/** For commands that read a spreadsheet for the first time. */
export const CORRECTIONS = { '--corrections <file>': 'corrections' } as const;
/** For commands that execute or check a run. */
export const REPORT = { '--report <file>': 'report' } as const;
export const ALL = { '--all': 'all_differences' } as const;
export const OFFLINE = { '--offline': 'offline' } as const;
export const CANARY = { '--canary <n>': ['canary', positive] } as const;
export const SET_RETRIES: OptionRows = { '--set <key=value>': ['set_retries', gather, []] };
export const SET_CONFLICTS: OptionRows = { '--set <key=value>': ['set_conflicts', gather, []] };
export const OUTPUT = { '--json': 'json_only', '--quiet': 'quiet' } as const;

export const RUN: OptionRows = {
  ...OUTPUT,
  '--output <file>': 'output',
  '--connection <name>': 'connection',
  ...CONCURRENCY,
  '--max-items <n>': ['max_items', whole],
  '--max-deletes <n>': ['max_deletes', whole],
  '--log-file <file>': 'log_file',
  '--yes': 'yes',
  '--accept-restored': 'accept_restored',
  ...LEDGER,
};

export const JOB: OptionRows = {
  ...RUN,
  ...REPORT,
  '--input <file>': 'input',
  '--on-invalid <what>': ['on_invalid', ['abort', 'skip']],
  ...SET_RETRIES,
};

export function whole(text: string): number {
  if (!/^\d{1,12}$/.test(text)) throw new InvalidArgumentError(words('help.whole_number'));
  return Number(text);
}

export function port(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535)
    throw new InvalidArgumentError(words('help.port_number'));
  return Number(text);
}

export function gatherWhole(text: string, before: number[]): number[] {
  return [...before, whole(text)];
}

/** `7`, `3-59` or `3,5-9`, repeated. */
export function gatherRows(text: string, before: [number, number][]): [number, number][] {
  const added = text.split(/[,、，]/).map((part): [number, number] => {
    const [, first = '', last = first] = /^\s*(\d{1,9})(?:\s*-\s*(\d{1,9}))?\s*$/.exec(part) ?? [];
    if (first === '' || Number(first) < 1 || Number(last) < Number(first))
      throw new InvalidArgumentError(words('help.rows_form'));
    return [Number(first), Number(last)];
  });
  return [...before, ...added];
}

export function positive(text: string): number {
  const value = whole(text);
  if (value < 1) throw new InvalidArgumentError(words('help.whole_from_one'));
  return value;
}

export function gather(value: string, before: string[]): string[] {
  return [...before, value];
}
