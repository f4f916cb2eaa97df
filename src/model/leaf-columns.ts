import { compileCel } from '../util/cel.js';
import type { LookupLeaf, MapLeaf } from './map.js';

/** The columns that a leaf reads, as it names them; each once. */
export function columnsReadBy(leaf: MapLeaf): readonly string[] {
  switch (leaf.kind) {
    case 'column':
      return [leaf.column];
    case 'value':
      return [];
    case 'template':
      return [...new Set(leaf.parts.flatMap((it) => (typeof it === 'string' ? [] : [it.column])))];
    case 'from':
      return leaf.else ? columnsReadBy(leaf.else) : [];
    case 'expr': {
      const compiled = compileCel(leaf.source, { variables: { row: 'row' } });
      return compiled.ok ? compiled.columns : [];
    }
    case 'lookup':
      return [...new Set([...[...leaf.with.values()].flatMap(columnsReadBy), ...columnsOfWhere(leaf)])];
  }
}

function columnsOfWhere({ where }: LookupLeaf): readonly string[] {
  if (!where) return [];
  const compiled = compileCel(where.source, { variables: { row: 'row', record: 'record' }, result: 'bool' });
  return compiled.ok ? compiled.columns : [];
}
