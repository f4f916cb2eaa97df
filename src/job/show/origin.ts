import { variablesIn } from '../parts/masked-variables.js';
import type { Node } from '../yaml/node.js';
import { positionOf } from '../yaml/text.js';

/** Where a value of a job comes from. Lines and columns are 1-based. */
export interface ValueOrigin {
  readonly from: 'job' | 'license-sync.yaml' | '--set' | 'environment' | 'default';
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  /** Where the fragment that it stands in is used: `jobs/orders.yaml:9:5`. */
  readonly usedAt?: string;
  /** The environment variables that it holds. */
  readonly variables?: readonly string[];
}

export const BY_DEFAULT: ValueOrigin = { from: 'default' };

/** @param node of a tree that was read with masked variables */
export function originOf(node: Node): ValueOrigin {
  const { place } = node;
  const file = place.text.name;
  const names = textsOf(node).flatMap(variablesIn);
  const variables = names.length > 0 ? { variables: [...new Set(names)] } : {};
  if (file === '--set') return { from: '--set' };
  const { line, column, usedAt } = positionOf(place);
  const from = names.length > 0 ? 'environment' : place.text.shared ? 'license-sync.yaml' : 'job';
  return { from, file, line, column, ...(usedAt === undefined ? {} : { usedAt }), ...variables };
}

function textsOf(node: Node): readonly string[] {
  if (node.kind === 'scalar') return [node.written];
  return node.kind === 'list' ? node.items.flatMap(textsOf) : [];
}
