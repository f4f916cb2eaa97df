import { type Message, message } from '../errors/message.js';
import { type Field, isNested } from '../model/field.js';
import {
  type Each,
  type MapBranch,
  type MapLeaf,
  type MapNode,
  type Position,
  shownPlace,
} from '../model/map.js';
import { nearest } from '../util/nearest.js';
import {
  type BoundBranch,
  type BoundEntry,
  type BoundLeaf,
  type ElementSource,
  membersOf,
} from './bound-entry.js';
import type { JoinSpec, MappingInput } from './contract.js';
import { filledColumn, joinKey } from './elements.js';
import { bindColumn } from './leaf/column.js';
import { bindConstant, defaultLeaf } from './leaf/constant.js';
import { bindExpression } from './leaf/expression.js';
import { bindFrom } from './leaf/from.js';
import { bindLookup } from './leaf/lookup.js';
import type { LeafPlace, LeafSetting } from './leaf/place.js';
import { bindTemplate } from './leaf/template.js';
import { TableColumns } from './table-columns.js';

/** Binds a map to an operation's fields and to the sheets' headers. What doesn't fit is added to the problems. */
export class MapBinder {
  readonly joins = new Map<JoinSpec, TableColumns>();
  /** Required fields without a header, if the job has no map. */
  readonly missing: string[] = [];
  readonly #input: MappingInput;
  readonly #setting: LeafSetting;
  /** Work to do when all columns that the map reads are known. */
  readonly #later: (() => void)[] = [];

  constructor(input: MappingInput, setting: LeafSetting) {
    this.#input = input;
    this.#setting = setting;
  }

  /** Members of the request's top level. */
  bind(map: MapBranch, table: TableColumns): readonly BoundEntry[] {
    if (map.each)
      this.#report(message('mapping.each_misplaced', { ...at(map.each), field: this.#input.operation.name }));
    const members = this.#members(map, this.#input.operation.shape, '', table);
    for (const finish of this.#later) finish();
    return members;
  }

  #members(branch: MapBranch, fields: readonly Field[], parent: string, table: TableColumns): BoundEntry[] {
    const names = new Set(fields.map((it) => it.name));
    for (const [name, node] of branch.fields) if (!names.has(name)) this.#unknown(name, node, names, parent);
    const entries: BoundEntry[] = [];
    for (const field of fields) {
      const path = parent === '' ? field.name : `${parent}.${field.name}`;
      const node = branch.fields.get(field.name);
      const bound = node ? this.#node(node, field, path, table) : this.#unmapped(field, path, branch, table);
      if (bound) entries.push(bound);
    }
    return entries;
  }

  #node(node: MapNode, field: Field, path: string, table: TableColumns): BoundEntry | undefined {
    const nested = isNested(field);
    if (node.kind === 'branch') {
      if (nested) return this.#branch(node, field, path, table);
      this.#report(message('mapping.branch_misplaced', { ...at(node), field: path, type: field.type }));
      return undefined;
    }
    if (nested) return this.#leafOnBranch(node, field, path);
    return bindLeaf(node, { field, path, table }, this.#setting);
  }

  /** An object array may be the constant `[]`; otherwise its members have to be mapped. */
  #leafOnBranch(leaf: MapLeaf, field: Field, path: string): BoundLeaf | undefined {
    const none = leaf.kind === 'value' && Array.isArray(leaf.value) && leaf.value.length === 0;
    if (none && field.type === 'object array' && !field.required) return defaultLeaf(field, path, []);
    const members = (field.fields ?? []).map((it) => it.name).join(', ');
    this.#report(message('mapping.leaf_misplaced', { ...at(leaf), field: path, type: field.type, members }));
    return undefined;
  }

  #unmapped(field: Field, path: string, branch: MapBranch, table: TableColumns): BoundEntry | undefined {
    if (field.default !== undefined) return defaultLeaf(field, path, field.default);
    if (!field.required || field.generated) return undefined;
    if (this.#input.map) {
      this.#report(message('mapping.required_unmapped', { ...at(branch), field: path }));
    } else if (field.fields) {
      // The required leaves inside are reported: headers can only name those.
      this.#members({ kind: 'branch', fields: new Map(), at: branch.at }, field.fields, path, table);
    } else {
      this.missing.push(path);
    }
    return undefined;
  }

  #branch(node: MapBranch, field: Field, path: string, table: TableColumns): BoundBranch | undefined {
    const kind = field.type === 'object' ? 'object' : 'array';
    if (kind === 'object' && node.each) {
      this.#report(message('mapping.each_misplaced', { ...at(node.each), field: path }));
      return undefined;
    }
    const place = this.#source(node.each, table);
    if (!place) return undefined;
    const members = this.#members(node, field.fields ?? [], path, place.table);
    const { source } = place;
    const missing = (field.fields ?? []).some((it) => it.required && it.default === undefined);
    const constants = [...node.fields.values()].some((it) => it.kind === 'value');
    const skipsEmpty = this.#input.map === undefined || !missing || !constants;
    const columns = leafColumns(members);
    return { kind, name: field.name, path, field, members: membersOf(members), columns, source, skipsEmpty };
  }

  /**
   * Where the elements come from, and the sheet that their members are read from. If a key column is missing, the members
   * are still bound, so that their problems are reported at the same time.
   */
  #source(
    each: Each | undefined,
    table: TableColumns,
  ): { readonly source: ElementSource; readonly table: TableColumns } | undefined {
    if (!each) return { source: { kind: 'rows' }, table };
    if (each.kind === 'columns') {
      const found = each.columns.map((name) => table.find(name, each.at));
      const headers = found.filter((it) => it !== undefined);
      const columns = headers.map((it) => it.column);
      const { isIdentifier } = table;
      return {
        source: { kind: 'columns', columns, headers: headers.map((it) => it.text), isIdentifier },
        table,
      };
    }
    return this.#join(each, table);
  }

  #join(each: Each & { kind: 'sheet' }, table: TableColumns) {
    const headers = this.#input.joined.get(each.sheet);
    if (!headers) {
      this.#report(message('mapping.sheet_missing', { ...at(each), sheet: each.sheet }));
      return undefined;
    }
    const other = new TableColumns(each.sheet, headers, this.#setting.problems);
    const columns: number[] = [];
    const keyColumns: number[] = [];
    for (const name of each.on) {
      const here = table.find(name, each.at);
      const there = other.find(name, each.at);
      if (!here || !there) continue;
      columns.push(here.column);
      keyColumns.push(there.column);
    }
    const read: number[] = [];
    this.#later.push(() => read.push(...other.read));
    const join: JoinSpec = {
      sheet: each.sheet,
      on: each.on,
      keyColumns,
      parent: table.sheet,
      isIdentifier: other.isIdentifier,
      key: (row) => joinKey(row, keyColumns, read),
      hasContent: (row) => {
        const content = read.filter((it) => !keyColumns.includes(it));
        return filledColumn([row], content) !== undefined;
      },
    };
    this.joins.set(join, other);
    const source: ElementSource = {
      kind: 'sheet',
      join,
      columns,
      isIdentifier: table.isIdentifier,
      read,
    };
    return { source, table: other };
  }

  #unknown(name: string, node: MapNode, names: ReadonlySet<string>, parent: string): void {
    const near = nearest(name, names);
    const field = parent === '' ? name : `${parent}.${name}`;
    if (near !== undefined)
      this.#report(message('mapping.field_unknown_nearest', { ...at(node), field, nearest: near }));
    else this.#report(message('mapping.field_unknown', { ...at(node), field, known: [...names].join(', ') }));
  }

  #report(problem: Message): void {
    this.#setting.problems.add('map', problem);
  }
}

/** Position of a part of the map, as parameters of a message. */
function at(part: { readonly at: Position }) {
  return shownPlace(part.at);
}

function bindLeaf(leaf: MapLeaf, place: LeafPlace, setting: LeafSetting): BoundLeaf | undefined {
  switch (leaf.kind) {
    case 'column':
      return bindColumn(leaf, place, setting);
    case 'value':
      return bindConstant(leaf, place, setting);
    case 'template':
      return bindTemplate(leaf, place, setting);
    case 'expr':
      return bindExpression(leaf, place, setting);
    case 'lookup':
      return bindLookup(leaf, place, setting, bindLeaf);
    case 'from':
      return bindFrom(leaf, place, setting, bindLeaf);
  }
}

/** Columns that the leaves read, nested ones of the same sheet included. */
function leafColumns(entries: readonly BoundEntry[]): readonly number[] {
  const found = new Set<number>();
  for (const bound of entries) {
    const elsewhere = bound.kind !== 'leaf' && bound.source.kind === 'sheet';
    if (!elsewhere) for (const column of bound.columns) found.add(column);
  }
  return [...found];
}
