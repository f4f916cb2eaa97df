import { endOption, type Field, isNested, tableName } from '../model/field.js';
import type { MapBranch, MapNode } from '../model/map.js';
import { type Operation, shownPath } from '../model/operation.js';

/** Position of a map that no job file contains. */
const NOWHERE = { line: 0, column: 0 } as const;

type Shaped = Pick<Operation, 'shape' | 'place'>;

/**
 * The map of an operation whose headers are field names: every field that users fill in, with its path (without the items' array)
 * as header, so that the sheet needs no map. Fields that the operation determines (`sequence`, `orderType`) and packages inside
 * packages are omitted.
 */
export function operationMap(operation: Shaped): MapBranch {
  return tableMap(operation.shape, [], [], operation);
}

/** True if users fill in the field. */
function isFilledIn(field: Field, path: string, { place }: Shaped): boolean {
  if (place.kind === 'array' && path === `${place.field}.sequence`) return false;
  return !(field.default !== undefined && field.values?.length === 1);
}

export function columnLeaf(field: Field, column: string): MapNode {
  return { kind: 'column', column, ...endOption(field), at: NOWHERE };
}

function branchOf(fields: ReadonlyMap<string, MapNode>, each?: MapBranch['each']): MapBranch {
  return { kind: 'branch', fields, ...(each ? { each } : {}), at: NOWHERE };
}

function eachSheet(sheet: string, on: readonly string[]): NonNullable<MapBranch['each']> {
  return { kind: 'sheet', sheet, on, at: NOWHERE };
}

function eachColumns(columns: readonly string[]): NonNullable<MapBranch['each']> {
  return { kind: 'columns', columns, at: NOWHERE };
}

function tableMap(
  fields: readonly Field[],
  path: readonly string[],
  above: readonly string[],
  operation: Shaped,
): MapBranch {
  const tables = [...above, tableName(fields)];
  const nodes = new Map<string, MapNode>();
  for (const field of fields) {
    const steps = [...path, field.name];
    const at = steps.join('.');
    if (!isNested(field)) {
      if (isFilledIn(field, at, operation))
        nodes.set(field.name, columnLeaf(field, shownPath(at, operation)));
    } else if (field.fields && !tables.includes(tableName(field.fields))) {
      nodes.set(field.name, tableMap(field.fields, steps, tables, operation));
    }
  }
  return branchOf(nodes);
}

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
  // Joined by asset too, because an order may have several assets with different products.
  'assets.products': { each: eachSheet('Products', ['channelOrderId', 'assetNos']) },
  'assets.products.productFeatures': { each: eachSheet('Features', ['crmProductId']) },
  'assets.merchandises': {
    each: eachSheet('Merchandises', ['channelOrderId', 'assetNos']),
    headers: { crmProductId: PACKAGE_ID },
  },
  'assets.merchandises.licenseOrderProductList': { each: eachSheet('MerchandiseProducts', [PACKAGE_ID]) },
};

/**
 * The map of an order over several sheets that are joined by key columns; headers are field names. Undefined for operations
 * without lists of products. Packages inside packages and features of products in packages have no sheet.
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

interface JobText {
  readonly name: string;
  readonly operation: string;
  /** Path in the job file, relative to its folder. */
  readonly file: string;
  readonly sheet: string;
  readonly map: MapBranch;
  /** Comment lines for the top, and one next to the connection. */
  readonly head: readonly string[];
  readonly connectionNote: string;
}

/** The YAML text of a job whose map reads the sheets of the template workbook. */
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

/** A text in quotes, unless YAML reads it as the same text without them. */
function word(text: string): string {
  const plain = /^[A-Za-z\u4e00-\u9fff][\w\u4e00-\u9fff.-]*$/.test(text);
  return plain && !/^(true|false|null|yes|no|on|off|y|n)$/i.test(text) ? text : JSON.stringify(text);
}
