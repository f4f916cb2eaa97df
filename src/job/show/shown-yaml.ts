import { type Language, message, render } from '../../errors/message.js';
import { terminalWidth } from '../../util/text-width.js';
import { scalarText } from '../yaml/scalar.js';
import type { ShownEntry, ShownJobFile, ShownValue, ValueOrigin } from './shown-job.js';

const STEP = '  ';
/** Column of the origins, unless a line is longer. */
const COLUMN = 48;

interface Line {
  readonly text: string;
  readonly origin?: ValueOrigin;
}

/** The job as a YAML file that can be run, with the origin of each value as a comment. */
export function shownYaml(job: ShownJobFile, language: Language): string {
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

/** @param head the text before the value on its line */
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

/** Within brackets a variable must be quoted, because `${NAME}` contains braces. */
function inBrackets({ yaml }: ShownValue & { kind: 'scalar' }): string {
  return yaml.startsWith('"') || !/[${}]/.test(yaml) ? yaml : JSON.stringify(yaml);
}

function noted({ text, origin }: Line, language: Language): string {
  if (!origin) return text;
  const gap = ' '.repeat(Math.max(2, COLUMN - terminalWidth(text)));
  return `${text}${gap}# ${placeOf(origin, language)}`;
}

/** `jobs/orders.yaml:9`, followed by the use of the fragment and the names of variables. */
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
