import { type Language, message, render } from '../../errors/message.js';
import { terminalWidth } from '../../util/text-width.js';
import { scalarText } from '../yaml/write-scalar.js';
import type { ValueOrigin } from './origin.js';
import type { CountingJob, ShownEntry, ShownValue } from './shown-job.js';

const STEP = '  ';
/** Where the origins stand, unless a line is longer. */
const COLUMN = 48;

interface Line {
  readonly text: string;
  readonly origin?: ValueOrigin;
}

/** The job as a file that can be run, each value with a note of where it comes from. */
export function shownYaml(job: CountingJob, language: Language): string {
  const head = job.configFile
    ? message('show.head_shared', { file: job.file, settings: job.configFile })
    : message('show.head', { file: job.file });
  const lines = entryLines(job.entries, '').map((line) => noted(line, language));
  const withheld = job.withheld
    ? [`# ${render(message('show.withheld', { where: placeOf(job.withheld, language) }), language)}`]
    : [];
  return [`# ${render(head, language)}`, ...lines, ...withheld, ''].join('\n');
}

function entryLines(entries: readonly ShownEntry[], indent: string): readonly Line[] {
  return entries.flatMap(({ key, value }) => valueLines(`${indent}${scalarText(key)}:`, value, indent));
}

/** @param head what stands before the value on its line */
function valueLines(head: string, value: ShownValue, indent: string): readonly Line[] {
  switch (value.kind) {
    case 'scalar':
      return [{ text: `${head} ${value.yaml}`, origin: value.origin }];
    case 'scalars':
      return [{ text: `${head} [${value.items.map(inBrackets).join(', ')}]`, origin: value.origin }];
    case 'mapping':
      if (value.entries.length === 0) return [{ text: `${head} {}` }];
      return [{ text: head }, ...entryLines(value.entries, indent + STEP)];
    case 'list':
      return [{ text: head }, ...value.items.flatMap((item) => itemLines(item, indent + STEP))];
  }
}

function itemLines(item: ShownValue, indent: string): readonly Line[] {
  if (item.kind !== 'mapping' || item.entries.length === 0)
    return valueLines(`${indent}-`, item, indent + STEP);
  const [first, ...rest] = entryLines(item.entries, indent + STEP);
  return [{ ...first!, text: `${indent}- ${first!.text.trimStart()}` }, ...rest];
}

/** A variable's name has a bracket of its own. */
function inBrackets({ yaml }: ShownValue & { kind: 'scalar' }): string {
  return yaml.startsWith('"') || !/[${}]/.test(yaml) ? yaml : JSON.stringify(yaml);
}

function noted({ text, origin }: Line, language: Language): string {
  if (!origin) return text;
  const gap = ' '.repeat(Math.max(2, COLUMN - terminalWidth(text)));
  return `${text}${gap}# ${placeOf(origin, language)}`;
}

/** `jobs/orders.yaml:9`, with where a fragment is used and which variables it names. */
function placeOf({ from, file, line, usedAt, variables }: ValueOrigin, language: Language): string {
  if (from === '--set') return from;
  if (from === 'default') return render(message('show.default'), language);
  const place = file === undefined ? undefined : `${file}:${line}`;
  const names = (variables ?? []).join(', ');
  const words = [
    place,
    usedAt && render(message('show.used_at', { place: usedAt }), language),
    names && render(message('show.variable', { names }), language),
  ];
  return words.filter((it) => it).join(', ');
}
