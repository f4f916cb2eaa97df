import { render } from '../../src/errors/message.js';
import { compileMapping } from '../../src/mapping/compile.js';
import type { JoinLookup, MappedGroup, Mapping, MappingInput } from '../../src/mapping/mapping.js';
import type { Field, FieldType } from '../../src/model/field.js';
import type { MapBranch, MapNode, Position, Scalar } from '../../src/model/map.js';
import type { ItemContent, Operation, RuleFault } from '../../src/model/operation.js';
import type { Cell, CellKind, Fault, Header, Row } from '../../src/model/row.js';
import { operationNamed } from '../../src/platform/operations/catalogue.js';
import { cellAddress } from '../../src/util/spreadsheet-text.js';
import { fold } from '../../src/util/text.js';

/** A cell as tests write it: text as it is, or its kind with what it shows and what the file stores. */
export type Given = string | undefined | readonly [kind: CellKind, text: string, raw?: string];

export function headersOf(names: readonly string[]): readonly Header[] {
  return names.map((text, index) => ({ column: index + 1, text, folded: fold(text) }));
}

export function row(number: number, cells: readonly Given[], sheet = 'Orders'): Row {
  const found: Cell[] = [];
  for (const [index, given] of cells.entries()) {
    if (given === undefined) continue;
    const [kind, text, raw = text] = typeof given === 'string' ? (['text', given] as const) : given;
    found.push({ column: index + 1, kind, text, raw });
  }
  return {
    sheet,
    number,
    hidden: false,
    cell: (column) => found.find((it) => it.column === column),
    cells: () => found,
  };
}

export type MapShape = { readonly [name: string]: unknown };

let line = 0;
const at = (): Position => ({ line: ++line, column: 3 });

/** A map as a job file writes it; the parsing of real job files is tested elsewhere. */
export function mapOf(shape: MapShape): MapBranch {
  const fields = new Map<string, MapNode>();
  for (const [name, node] of Object.entries(shape)) if (name !== 'each') fields.set(name, nodeOf(node));
  const each = shape.each as string[] | { sheet: string; on: string[] } | undefined;
  if (!each) return { kind: 'branch', fields, at: at() };
  return Array.isArray(each)
    ? { kind: 'branch', fields, each: { kind: 'columns', columns: each, at: at() }, at: at() }
    : { kind: 'branch', fields, each: { kind: 'sheet', ...each, at: at() }, at: at() };
}

function nodeOf(node: unknown): MapNode {
  if (typeof node === 'string') return { kind: 'column', column: node, at: at() };
  if (typeof node !== 'object') return { kind: 'value', value: node as Scalar, at: at() };
  const shape = node as MapShape;
  if ('column' in shape) {
    const values = shape.values ? { values: new Map(Object.entries(shape.values)) } : {};
    return { kind: 'column', ...shape, ...values, at: at() } as MapNode;
  }
  if ('value' in shape) return { kind: 'value', value: shape.value as Scalar, at: at() };
  if ('from' in shape) {
    const [step = '', ...path] = (shape.from as string).split('.');
    const otherwise = 'else' in shape ? { else: nodeOf(shape.else) } : {};
    return { kind: 'from', step, field: path.join('.'), ...otherwise, at: at() } as MapNode;
  }
  if ('expr' in shape) return { kind: 'expr', source: shape.expr as string, at: at() };
  if ('template' in shape) {
    const source = shape.template as string;
    const parts = source
      .split(/(\{[^}]*\})/)
      .filter((it) => it !== '')
      .map((it) => (it.startsWith('{') ? { column: it.slice(1, -1) } : it));
    return { kind: 'template', source, parts, at: at() };
  }
  return mapOf(shape);
}

export function field(name: string, type: FieldType, more: Partial<Field> = {}): Field {
  return { name, type, required: false, meaning: name, section: '§0', ...more };
}

export function must(name: string, type: FieldType, more: Partial<Field> = {}): Field {
  return field(name, type, { required: true, ...more });
}

const ID = { identifier: true };

export const PRODUCT: readonly Field[] = [
  must('productId', 'String', ID),
  field('nodes', 'Integer'),
  field('until', 'Long', { date: true }),
  field('strict', 'Boolean', { default: false }),
  field('features', 'object array', {
    default: [],
    fields: [must('code', 'String', ID), field('trial', 'Integer', { values: [0, 1].map(allowed) })],
  }),
];

/** Contains itself, as packages do on the wire. */
export const PACKAGE: readonly Field[] = [
  must('packageNo', 'String', ID),
  field('packageName', 'String'),
  {
    name: 'children',
    type: 'object array',
    required: false,
    meaning: 'children',
    section: '§0',
    get fields() {
      return PACKAGE;
    },
  },
];

export const ORDER: readonly Field[] = [
  field('sequence', 'Integer', { generated: true }),
  must('customer', 'String'),
  field('address', 'String'),
  field('licenseType', 'String', { values: ['usbkey', 'softkey', 'cloud_account'].map(allowed) }),
  must('assets', 'object array', {
    fields: [
      must('assetNos', 'String array', ID),
      field('lent', 'Boolean'),
      field('products', 'object array', { fields: PRODUCT }),
      field('packages', 'object array', { fields: PACKAGE }),
    ],
  }),
];

export function allowed(value: string | number) {
  return { value, meaning: String(value) };
}

type Rules = (content: ItemContent) => readonly RuleFault[];

const base = (
  shape: readonly Field[],
  own: Pick<Operation, 'place' | 'envelope' | 'key' | 'subject'>,
  rules?: Rules,
) =>
  ({
    name: 'order.new_buy',
    purpose: 'test',
    endpoint: {} as Operation['endpoint'],
    repeatable: false,
    shape,
    batch: { size: 1, fixed: false },
    reversal: { kind: 'none', reason: { code: 'way_back.reads', params: {} } },
    namesAssets: [],
    resultColumns: [],
    returns: [],
    rules: (content: ItemContent) => rules?.(content) ?? [],
    compose: () => ({ method: 'POST', path: '/', query: {} }),
    read: () => ({ outcomes: [], warnings: [] }),
    ...own,
  }) as Operation;

/** Orders in an array, like the batch order but small. */
export function orderOperation(rules?: Rules): Operation {
  const shape = [
    must('channelCode', 'String', ID),
    field('channelOrderId', 'String', { ...ID, generated: true }),
    must('syncMode', 'String', { values: ['sync', 'async'].map(allowed) }),
    must('orderList', 'object array', { fields: ORDER }),
  ];
  const envelope = ['channelCode', 'channelOrderId', 'syncMode'];
  return base(
    shape,
    { place: { kind: 'array', field: 'orderList' }, envelope, key: 'order', subject: undefined },
    rules,
  );
}

export function lockOperation(rules?: Rules): Operation {
  const shape = [must('assetNums', 'String array', ID), must('operatorIdentity', 'String', ID)];
  const place = { kind: 'strings', field: 'assetNums' } as const;
  return base(shape, { place, envelope: ['operatorIdentity'], key: undefined, subject: 'assetNums' }, rules);
}

export function singleOperation(shape: readonly Field[], key?: readonly string[], rules?: Rules): Operation {
  return base(shape, { place: { kind: 'single' }, envelope: [], key, subject: undefined }, rules);
}

export interface Case {
  readonly operation?: Operation;
  readonly headers: readonly string[];
  readonly map?: MapShape;
  readonly joined?: Readonly<Record<string, readonly string[]>>;
  readonly timestamps?: MappingInput['timestamps'];
  readonly timezone?: string;
  readonly step?: MappingInput['step'];
}

export function compile(it: Case): Mapping {
  return compileMapping({
    operation: it.operation ?? orderOperation(),
    map: it.map && mapOf(it.map),
    headers: headersOf(it.headers),
    sheet: 'Orders',
    joined: new Map(Object.entries(it.joined ?? {}).map(([name, names]) => [name, headersOf(names)])),
    timestamps: it.timestamps ?? 'milliseconds',
    timezone: it.timezone ?? 'Asia/Shanghai',
    rules: { allowDeleteFromAllOrders: false },
    operationOf: operationNamed,
    step: it.step,
  });
}

/** Rows of other sheets by name, indexed the way a run does it. */
export function lookupOf(mapping: Mapping, sheets: Readonly<Record<string, readonly Row[]>>): JoinLookup {
  return {
    rows(join, key) {
      if (!mapping.joins.includes(join)) throw new Error('a join that the mapping did not name');
      return (sheets[join.sheet] ?? []).filter((it) => join.key(it) === key);
    },
  };
}

export const NO_JOINS: JoinLookup = { rows: () => [] };

/** Gathers rows by the mapping's key, as a run does, and maps every group. */
export function mapAll(
  mapping: Mapping,
  rows: readonly Row[],
  lookup: JoinLookup = NO_JOINS,
): readonly MappedGroup[] {
  const alone: MappedGroup[] = [];
  const groups = new Map<string, Row[]>();
  for (const it of rows) {
    const key = mapping.groupKey?.(it);
    if (key === undefined) alone.push(mapping.map([it], lookup));
    else groups.set(key, [...(groups.get(key) ?? []), it]);
  }
  return [...alone, ...[...groups.values()].map((group) => mapping.map(group, lookup))];
}

/** Bodies of the items; fails when a group is invalid. */
export function bodies(groups: readonly MappedGroup[]): unknown[] {
  return groups.flatMap((group) => {
    if (group.kind === 'invalid') throw new Error(faultTexts(group).join('\n'));
    return group.items.map((it) => it.body);
  });
}

/** `Orders!B3 orderList.customer: …`; without a column `Orders!3`. */
export function faultText(fault: Fault): string {
  const place = fault.column === undefined ? fault.row : cellAddress(fault.column, fault.row);
  return `${fault.sheet}!${place} ${fault.field ?? ''}: ${render(fault.message)}`;
}

export function faultTexts(group: MappedGroup | undefined): string[] {
  return group?.kind === 'invalid' ? group.faults.map(faultText) : [];
}

/** `Orders!B3 mapping.required_empty`, sorted: where and what, without the words. */
export function faultCodes(group: MappedGroup | undefined): string[] {
  if (group?.kind !== 'invalid') return [];
  return group.faults
    .map((it) => {
      const place = it.column === undefined ? it.row : cellAddress(it.column, it.row);
      return `${it.sheet}!${place} ${it.message.code}`;
    })
    .sort();
}

export const ENVELOPE = { channelCode: { value: 'CH' }, syncMode: { value: 'sync' } };

/** A case whose envelope is constant. */
export function orders(headers: readonly string[], orderList: MapShape, more: Partial<Case> = {}): Case {
  return { headers, map: { ...ENVELOPE, orderList }, ...more };
}

/** Rows from row 2 on. */
export function rowsOf(lines: readonly (readonly Given[])[], sheet?: string) {
  return lines.map((cells, index) => row(index + 2, cells, sheet));
}
