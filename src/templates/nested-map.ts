import { type Field, isNested } from '../model/field.js';
import type { MapBranch, MapNode } from '../model/map.js';
import type { Operation } from '../model/operation.js';
import { branchOf, columnLeaf, eachColumns, eachSheet, isFilledIn } from './operation-map.js';

type Shaped = Pick<Operation, 'shape' | 'place'>;

export const ORDERS_SHEET = 'Orders';

/** Header of a package's instance id, which the products of the package refer to. */
const PACKAGE_ID = 'packageId';

interface Cut {
  readonly each: NonNullable<MapBranch['each']>;
  /** Headers other than the field's own name. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** The sheets of an order's lists, by path within the order. */
const CUTS: Readonly<Record<string, Cut>> = {
  assets: { each: eachColumns(['assetNos']) },
  // Tied by asset as well, as an order may have several assets with different products.
  'assets.products': { each: eachSheet('Products', ['channelOrderId', 'assetNos']) },
  'assets.products.productFeatures': { each: eachSheet('Features', ['crmProductId']) },
  'assets.merchandises': {
    each: eachSheet('Merchandises', ['channelOrderId', 'assetNos']),
    headers: { crmProductId: PACKAGE_ID },
  },
  'assets.merchandises.licenseOrderProductList': { each: eachSheet('MerchandiseProducts', [PACKAGE_ID]) },
};

/**
 * The map of an order over several sheets tied by key columns; headers are field names. Undefined for operations
 * whose rows hold no lists of products. Packages inside packages have no sheet, nor have features of products in packages.
 */
export function nestedMap(operation: Shaped): MapBranch | undefined {
  const { place, shape } = operation;
  if (place.kind !== 'array') return undefined;
  const items = shape.find((it) => it.name === place.field);
  const assets = items?.fields?.find((it) => it.name === 'assets');
  if (!items?.fields || !assets?.fields?.some((it) => it.name === 'products')) return undefined;
  const nodes = new Map<string, MapNode>();
  for (const field of shape) if (!isNested(field)) nodes.set(field.name, columnLeaf(field, field.name));
  nodes.set(place.field, orderMap(items.fields, '', operation, eachColumns(['channelOrderId'])));
  return branchOf(nodes);
}

function orderMap(
  fields: readonly Field[],
  path: string,
  operation: Shaped,
  each: MapBranch['each'],
  headers: Cut['headers'] = {},
): MapBranch {
  const nodes = new Map<string, MapNode>();
  const { place } = operation;
  const prefix = place.kind === 'array' ? place.field : '';
  for (const field of fields) {
    const at = path === '' ? field.name : `${path}.${field.name}`;
    if (!isNested(field)) {
      if (isFilledIn(field, `${prefix}.${at}`, operation))
        nodes.set(field.name, columnLeaf(field, headers[field.name] ?? field.name));
      continue;
    }
    const cut = CUTS[at];
    if (cut && field.fields) {
      nodes.set(field.name, orderMap(field.fields, at, operation, cut.each, cut.headers));
    } else if (field.fields && at === 'assets.assetExtendList') {
      nodes.set(field.name, orderMap(field.fields, at, operation, undefined));
    }
  }
  return branchOf(nodes, each);
}
