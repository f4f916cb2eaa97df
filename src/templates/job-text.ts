import type { MapBranch, MapNode } from '../model/map.js';

interface JobText {
  readonly name: string;
  readonly operation: string;
  /** As the job file writes it, from its own folder. */
  readonly file: string;
  readonly sheet: string;
  readonly map: MapBranch;
  /** Comment lines for the top, and one beside the connection. */
  readonly head: readonly string[];
  readonly connectionNote: string;
}

/** A job file in YAML whose map reads the sheets of a workbook made for it. */
export function jobText(job: JobText): string {
  const lines = [
    ...job.head.map((it) => `# ${it}`),
    'version: 1',
    `name: ${word(job.name)}`,
    `operation: ${job.operation}`,
    `connection: sandbox  # ${job.connectionNote}`,
    'source:',
    `  file: ${word(job.file)}`,
    `  sheet: ${word(job.sheet)}`,
    'map:',
    ...branchLines(job.map, '  '),
  ];
  return `${lines.join('\n')}\n`;
}

function branchLines(branch: MapBranch, indent: string): string[] {
  const lines: string[] = [];
  if (branch.each?.kind === 'columns') lines.push(`${indent}each: ${list(branch.each.columns)}`);
  if (branch.each?.kind === 'sheet')
    lines.push(`${indent}each: { sheet: ${word(branch.each.sheet)}, on: ${list(branch.each.on)} }`);
  for (const [name, node] of branch.fields) lines.push(...nodeLines(name, node, indent));
  return lines;
}

function nodeLines(name: string, node: MapNode, indent: string): string[] {
  if (node.kind === 'branch') return [`${indent}${name}:`, ...branchLines(node, `${indent}  `)];
  if (node.kind !== 'column') return [];
  const written = node.end ? `{ column: ${word(node.column)}, end: ${node.end} }` : word(node.column);
  return [`${indent}${name}: ${written}`];
}

function list(words: readonly string[]): string {
  return `[${words.map(word).join(', ')}]`;
}

/** Plain where YAML can't take it for anything else, else quoted. */
function word(text: string): string {
  const plain = /^[A-Za-z\u4e00-\u9fff][\w\u4e00-\u9fff.-]*$/.test(text);
  return plain && !/^(true|false|null|yes|no|on|off|y|n)$/i.test(text) ? text : JSON.stringify(text);
}
