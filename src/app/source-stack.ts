import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';

/** A place in a file of the bundle, as Node writes it into a stack. */
const PLACE = /(?<=\(|at )([^()\n]*[\\/]dist[\\/][^()\n]*\.cjs):(\d+):(\d+)/g;

/**
 * The stack with places in the sources instead of those in the bundle. Done when a fault is told: `--enable-source-maps`
 * would read every map at the start of every command.
 */
export function sourceStack(stack: string): string {
  const maps = new Map<string, SourceMap>();
  return stack.replace(PLACE, (place, file: string, line: string, column: string) => {
    try {
      const map = maps.get(file) ?? new SourceMap(JSON.parse(readFileSync(`${file}.map`, 'utf8')));
      maps.set(file, map);
      const found = map.findEntry(Number(line) - 1, Number(column) - 1);
      if (!('originalSource' in found)) return place;
      const source = found.originalSource.replace(/^(\.\.[\\/])+/, '');
      return `${source}:${found.originalLine + 1}:${found.originalColumn + 1}`;
    } catch {
      return place;
    }
  });
}
