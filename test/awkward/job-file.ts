import type { Column, Draft, Settings } from './sheet.js';

const ENVELOPE = new Set(['channelCode', 'channelOrderId', 'syncMode']);

interface Node {
  each?: string;
  readonly fields: Map<string, Node | string>;
}

/** The job that an office would write for the sheet; JSON's own way of writing texts and lists is YAML too. */
export function jobFile(draft: Draft, file: string): string {
  const { scenario, settings, page } = draft;
  const source = [`file: ${JSON.stringify(file)}`, ...sourceLines(settings, page.name)];
  const lines = [
    'version: 1',
    'name: awkward',
    `operation: ${scenario.operation}`,
    'connection: office',
    'source:',
    ...source.map((it) => `  ${it}`),
    ...(scenario.mapless ? [] : ['map:', ...written(mapOf(draft), '  ')]),
    'run:',
    `  onInvalid: ${settings.onInvalid}`,
    'output: { file: "results/{job}-{run}.xlsx" }',
  ];
  return `${lines.join('\n')}\n`;
}

/** The connection, with the unit of its dates. */
export function settingsFile(url: string, settings: Settings): string {
  return [
    'version: 1',
    'defaultConnection: office',
    'ledger: state/ledger.db',
    'connections:',
    '  office:',
    `    baseUrl: ${url}`,
    '    appKey: app',
    '    token: { env: OFFICE_TOKEN }',
    `    timestamps: ${settings.unit}`,
    '',
  ].join('\n');
}

function sourceLines(settings: Settings, sheet: string): string[] {
  const { namesSheet, headerRow, encoding, delimiter, where, hiddenRows, merged, fillDown, until } = settings;
  const given = { headerRow, encoding, delimiter, where, hiddenRows, merged, fillDown, until };
  return Object.entries({ ...(namesSheet ? { sheet } : {}), ...given })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
}

function mapOf(draft: Draft): Node {
  const { scenario, page, joined } = draft;
  const orders = scenario.operation.startsWith('order.');
  const root: Node = { fields: new Map() };
  const place = (field: string, leaf: string): void => {
    const path = field.split('.');
    const under = orders && !ENVELOPE.has(path[0]!) ? ['orderList', ...path] : path;
    put(root, under, leaf);
  };
  for (const [field, value] of Object.entries(scenario.constants))
    place(field, `{ value: ${JSON.stringify(value)} }`);
  for (const [field, headers] of Object.entries(scenario.templates ?? {})) {
    const template = headers.map((it) => `{${it}}`).join('-');
    place(field, `{ template: ${JSON.stringify(template)} }`);
  }
  for (const column of [...page.columns, ...(joined?.columns ?? [])])
    if (column.field !== undefined) place(column.field, leafOf(column));
  for (const [path, each] of Object.entries(scenario.each)) {
    const node = nodeAt(root, path === '' ? ['orderList'] : ['orderList', ...path.split('.')]);
    node.each = JSON.stringify(each);
  }
  return root;
}

function leafOf({ header, values, format, type }: Column): string {
  const options = { ...(values ? { values } : {}), ...(format ? { format } : {}) };
  if (type === 'end') Object.assign(options, { end: 'day' });
  if (Object.keys(options).length === 0) return JSON.stringify(header);
  return JSON.stringify({ column: header, ...options });
}

function nodeAt(root: Node, path: readonly string[]): Node {
  let at = root;
  for (const name of path) {
    let next = at.fields.get(name);
    if (next === undefined || typeof next === 'string') {
      next = { fields: new Map() };
      at.fields.set(name, next);
    }
    at = next;
  }
  return at;
}

function put(root: Node, path: readonly string[], leaf: string): void {
  nodeAt(root, path.slice(0, -1)).fields.set(path.at(-1)!, leaf);
}

function written({ each, fields }: Node, indent: string): string[] {
  const lines = each === undefined ? [] : [`${indent}each: ${each}`];
  for (const [name, it] of fields) {
    if (typeof it === 'string') lines.push(`${indent}${name}: ${it}`);
    else lines.push(`${indent}${name}:`, ...written(it, `${indent}  `));
  }
  return lines;
}
