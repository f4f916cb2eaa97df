/** A piece of a page that a test does something with; `line` is where it begins, from 1. */
export type Block = Fence | Table;

export interface Fence {
  readonly kind: 'fence';
  /** The word after the backticks; empty where there is none. */
  readonly tag: string;
  readonly text: string;
  readonly line: number;
  /** Nothing but blank lines lies between this fence and the one before. */
  readonly follows: Fence | undefined;
}

export interface Table {
  readonly kind: 'table';
  readonly headers: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly line: number;
}

/** The fences and tables of a Markdown page, in order. */
export function blocksOf(markdown: string): readonly Block[] {
  const lines = markdown.split('\n');
  const blocks: Block[] = [];
  let last: Fence | undefined;
  for (let at = 0; at < lines.length; at += 1) {
    const start = at + 1;
    const tag = /^```(.*)$/.exec(lines[at]!)?.[1];
    if (tag !== undefined) {
      const end = lines.indexOf('```', at + 1);
      if (end < 0) throw new Error(`line ${start}: the fence is never closed`);
      last = { kind: 'fence', tag, text: lines.slice(at + 1, end).join('\n'), line: start, follows: last };
      blocks.push(last);
      at = end;
    } else if (lines[at]!.startsWith('|')) {
      const end = lines.findIndex((line, index) => index > at && !line.startsWith('|'));
      const [headers = [], , ...rows] = lines.slice(at, end < 0 ? lines.length : end).map(cellsOf);
      blocks.push({ kind: 'table', headers, rows, line: start });
      at += rows.length + 1;
      last = undefined;
    } else if (lines[at]!.trim() !== '') last = undefined;
  }
  return blocks;
}

export function fencesOf(markdown: string): readonly Fence[] {
  return blocksOf(markdown).filter((it) => it.kind === 'fence');
}

function cellsOf(line: string): string[] {
  return line
    .replace(/^\||\|\s*$/g, '')
    .split(/(?<!\\)\|/)
    .map((it) => it.trim().replaceAll('\\|', '|'));
}
