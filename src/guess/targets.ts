import { type Field, leafFields } from '../model/field.js';
import { type Operation, shownPath } from '../model/operation.js';
import { SYNONYMS, type Synonym } from './synonyms.js';

/** A field that a column may fill. */
export interface TargetField {
  /** Wire path from the top of the request. */
  readonly path: readonly string[];
  /** Wire path of the table it stands in; empty at the top. */
  readonly level: string;
  /** As users write it: without the items' array. */
  readonly shown: string;
  readonly field: Field;
  /** Of a revocation, where an order's number means another order than in a purchase. */
  readonly revokes: boolean;
}

const PRODUCT_LISTS: ReadonlySet<string> = new Set(['products', 'licenseOrderProductList']);

/** Every leaf of an operation but those that it decides itself; packages inside packages are left out. */
export function targetsOf(operation: Operation): readonly TargetField[] {
  // `sequence` counts by itself.
  const leaves = [...leafFields(operation.shape)].filter(({ field }) => field.name !== 'sequence');
  return leaves.map(({ path, field }) => ({
    path,
    field,
    revokes: operation.revokes !== undefined,
    level: path.slice(0, -1).join('.'),
    shown: shownPath(path.join('.'), operation),
  }));
}

/** What the field is called, the most usual name first. */
export function namesOf(target: TargetField): readonly string[] {
  return synonymsOf(target).map((it) => it.text);
}

/** The names of a field with how far each tells it; the same list for the same field. */
export function synonymsOf(target: TargetField): readonly Synonym[] {
  const { name } = target.field;
  const table = target.path.at(-2) ?? '';
  const own = (target.revokes ? SYNONYMS[`delete.${name}`] : undefined) ?? SYNONYMS[`${table}.${name}`];
  if (own) return own;
  const product = PRODUCT_LISTS.has(table) ? SYNONYMS[`products.${name}`] : undefined;
  // An asset has dates of its own; where only one pair is there it is the product's.
  return product ?? SYNONYMS[name] ?? NONE;
}

const NONE: readonly Synonym[] = [];

/** The last part of a level: `products`. */
export function tableOf(level: string): string {
  return level.split('.').at(-1) ?? '';
}
