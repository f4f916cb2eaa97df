import type { Comparison } from '../../model/comparison.js';
import { RECONCILED, type Reconciled } from '../../model/drift.js';
import { ASSET } from '../operations/asset-list/comparison.js';
import { ENTERPRISE } from '../operations/enterprise-query/comparison.js';

const BY_NAME: Readonly<Record<Reconciled, Comparison>> = { asset: ASSET, enterprise: ENTERPRISE };

/** All that can be compared, in the order of the catalogue. */
export const COMPARISONS: readonly Comparison[] = RECONCILED.map((name) => BY_NAME[name]);

export function comparisonNamed(name: Reconciled): Comparison {
  return BY_NAME[name];
}
