import { mutateBytes, splice, words } from './mutate-bytes.js';
import type { Random } from './random.js';

/** What YAML is sensitive to; `\n` within a word is a line break of its text. */
const MARKS = words(`
  : ¦- ¦? ¦| ¦>-\\n¦|2\\n¦#¦&a ¦*a¦*b¦&a [*a]¦<<: *a¦!!binary ¦!x ¦!<y> ¦!!str ¦!!float ¦---\\n¦...\\n¦%YAML 1.1\\n
  %TAG ! x\\n¦{¦}¦[¦]¦,¦"¦'¦"\\x¦\\u¦\t¦\\r¦\\r\\n¦\\n¦\\n  ¦\\n    ¦\u2028¦\u0085¦\ufeff¦\0¦中文¦😀¦\ud800
  \${HOME}¦\${¦\${}¦$\${¦\${NO_SUCH}¦\${A B}¦${'['.repeat(200)}¦${'{a: '.repeat(100)}¦${'- '.repeat(80)}¦"${'k'.repeat(3000)}": 1`);
/** What may stand as a value, sensible or not. */
const VALUES = words(`
  ~¦null¦true¦yes¦.inf¦.nan¦0x1F¦0o17¦1e400¦-0¦1_000¦12:30:45¦2026-01-31¦007¦${'9'.repeat(40)}¦A¦x y¦"1"¦1.5¦0¦-1¦[A]¦[]
  {}¦[1, x]¦{ a: 1 }¦{ sheet: S, on: [A] }¦{ sheet: S }¦{ on: [A, A] }¦{ column: A, split: "" }¦{ column: A, default: {} }
  { column: A, values: { a: 1, A: 2 } }¦{ column: A, values: [a] }¦{ column: A, format: yyyy/QQ/dd }¦{ column: A, end: week }
  { value: 1 }¦{ value: [1, x] }¦{ value: {} }¦{ template: "{A}{B" }¦{ template: "{}" }¦{ template: "{A}-{ B }" }
  { expr: "1 +" }¦{ expr: 'row[1]' }¦{ expr: 'row["A"] + row["客户"]' }¦{ expr: 'int(row["A"]) / 0' }¦{ expr: "'a'.b.c()" }
  { expr: '${'('.repeat(300)}' }¦'row["A"] == "x" ? 1 : true'¦'has(row.A) && row["A"].matches("(a+)+$")'¦'[1,2].map(x, x)'
  0s¦1e9h¦30s¦10 minutes¦"* * * *"¦"0 2 31 2 *"¦Mars/Base¦order.nothing¦asset.lock¦enterprise.bind¦order.delete_asset`);
/** What may stand as a key, known or not. */
const KEYS = words(`
  version¦name¦operation¦source¦file¦sheet¦where¦map¦each¦column¦value¦expr¦template¦batch¦size¦run¦retries¦safety
  __proto__¦constructor¦toString¦hasOwnProperty¦"map"¦'name'¦1¦1.0¦null¦true¦? x¦*a¦orderList¦assets¦products¦assetNums`);
const unescaped = (it: string): string => it.replaceAll('\\n', '\n').replaceAll('\\r', '\r');
const TOKENS = [...MARKS.map(unescaped), ...VALUES, ...KEYS.map((it) => `${it}: `)].map((it) =>
  Buffer.from(it),
);
const latin = (it: string): string => Buffer.from(it).toString('latin1');

/** Some changes to a job file: lines moved, indents shifted, values replaced, or bytes anywhere. */
export function mutateYaml(random: Random, bytes: Buffer, other: Buffer): Buffer {
  let changed = bytes;
  for (let times = random.few(4); times > 0; times -= 1) {
    changed = random.chance(0.15) ? mutateBytes(random, changed, TOKENS) : byLines(random, changed, other);
  }
  return changed;
}

function byLines(random: Random, bytes: Buffer, other: Buffer): Buffer {
  const lines = bytes.toString('latin1').split('\n');
  const at = random.int(lines.length);
  const line = lines[at]!;
  const foreign = random.pick(other.toString('latin1').split('\n'));
  switch (random.int(10)) {
    case 0:
      lines.splice(at, random.few(4));
      break;
    case 1:
      lines.splice(at, 0, line);
      break;
    case 2:
      lines.splice(random.int(lines.length), 0, ...lines.splice(at, random.few(6)));
      break;
    case 3:
      lines.splice(at, 0, foreign);
      break;
    case 4:
      lines[at] = random.chance(0.5) ? ` ${line}` : line.replace(/^ {1,2}/, '');
      break;
    case 5:
    case 6:
      lines[at] = line.replace(/:.*$/, () => `: ${latin(random.pick(VALUES))}`);
      break;
    case 7:
      lines.splice(at, 0, `${/^ */.exec(line)![0]}${latin(`${random.pick(KEYS)}: ${random.pick(VALUES)}`)}`);
      break;
    case 8:
      lines[at] = line.replace(/^( *)[^:]*/, (_, indent: string) => indent + latin(random.pick(KEYS)));
      break;
    default: {
      const to = random.int(line.length + 1);
      lines[at] = splice(Buffer.from(line, 'latin1'), to, to, random.pick(TOKENS)).toString('latin1');
    }
  }
  return Buffer.from(lines.join('\n'), 'latin1');
}
