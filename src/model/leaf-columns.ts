import { compileCel } from '../util/cel.js';
import type { MapLeaf } from './map.js';

/** The columns that a leaf reads, as it names them; each once. */
export function columnsReadBy(leaf: MapLeaf): readonly string[] {
  switch (leaf.kind) {
    case 'column':
      return [leaf.column];
    case 'value':
      return [];
    case 'template':
      return [...new Set(leaf.parts.flatMap((it) => (typeof it === 'string' ? [] : [it.column])))];
    case 'expr': {
      const compiled = compileCel(leaf.source, { variables: { row: 'row' } });
      return compiled.ok ? compiled.columns : [];
    }
  }
}
