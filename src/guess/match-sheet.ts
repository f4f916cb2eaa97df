import { type Match, matchColumns } from './match.js';
import type { Profile } from './profile.js';
import { type TargetField, tableOf } from './targets.js';

/** Tables that are filled in seldom: columns of theirs must say so by name. */
const ANCHORS: Readonly<Record<string, readonly string[]>> = {
  productFeatures: ['featureCode', 'featureName'],
  merchandises: ['merchandiseNum', 'merchandiseName'],
  assetExtendList: ['extendCode'],
};

/**
 * The columns of a sheet matched with the fields that such a sheet can hold. Products stand in packages where packages
 * are named in (nearly) every row, else directly in their asset.
 */
export function matchSheet(columns: readonly Profile[], targets: readonly TargetField[]): readonly Match[] {
  const anchored = new Map<string, Match>();
  for (const match of matchColumns(columns, targets.filter(isAnchor))) {
    const table = tableOf(match.target.level);
    if (match.by === 'name' && match.score >= 0.9) anchored.set(table, match);
  }
  const packages = anchored.get('merchandises');
  const inPackages = packages !== undefined && packages.column.filled >= packages.column.rows * 0.9;
  return matchColumns(
    columns,
    targets.filter((it) => isOpen(it.path.slice(0, -1), anchored, inPackages)),
  );
}

function isAnchor({ level, field }: TargetField): boolean {
  const parts = level.split('.');
  if (parts.includes('licenseOrderProductList')) return false;
  return ANCHORS[parts.at(-1) ?? '']?.includes(field.name) === true;
}

function isOpen(
  tables: readonly string[],
  anchored: ReadonlyMap<string, Match>,
  inPackages: boolean,
): boolean {
  if (tables.some((it) => Object.hasOwn(ANCHORS, it) && !anchored.has(it))) return false;
  const inList = tables.includes('licenseOrderProductList');
  if (inList && tables.includes('productFeatures')) return false;
  if (inList) return inPackages;
  return !(inPackages && tables.includes('products'));
}
