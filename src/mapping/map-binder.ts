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
import {
  type BoundBranch,
  type BoundEntry,
  type BoundLeaf,
  type ElementSource,
  membersOf,
} from './bound-entry.js';
import { filledColumn, joinKey } from './group-key.js';
import { bindColumn, bindFrom } from './leaf/column.js';
import { bindConstant, defaultLeaf } from './leaf/constant.js';
import { bindExpression } from './leaf/expression.js';
import type { LeafPlace, LeafSetting } from './leaf/leaf-reading.js';
import { bindLookup } from './leaf/lookup.js';
import { bindTemplate } from './leaf/template.js';
import type { JoinSpec, MappingInput } from './mapping.js';
import { TableColumns } from './table-columns.js';

/**
 * Binds a map to an operation's fields and to the sheets' headers; mismatches are added to the problems. The job's check has
 * read the map with the same fields, so that an unknown field or a misplaced node is an internal error.
 */
export class MapBinder {
  readonly joins = new Map<JoinSpec, TableColumns>();
  /** Required fields without a header, if the job has no map. */
  readonly missing: string[] = [];
  readonly #input: MappingInput;
  readonly #setting: LeafSetting;
  /** Deferred until all columns that the map reads are known. */
  readonly #later: (() => void)[] = [];

  constructor(input: MappingInput, setting: LeafSetting) {
    this.#input = input;
    this.#setting = setting;
  }

  /** Binds the members of the request's top level. */
  bind(map: MapBranch, table: TableColumns): readonly BoundEntry[] {
    if (map.each) throw misplaced('each', this.#input.operation.name);
    const members = this.#members(map, this.#input.operation.shape, '', table);
    for (const finish of this.#later) finish();
    return members;
  }

  #members(branch: MapBranch, fields: readonly Field[], parent: string, table: TableColumns): BoundEntry[] {
    const names = new Set(fields.map((it) => it.name));
    for (const name of branch.fields.keys()) if (!names.has(name)) throw misplaced(name, parent);
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
    if (isNested(field) !== (node.kind === 'branch')) throw misplaced(node.kind, path);
    if (node.kind === 'branch') return this.#branch(node, field, path, table);
    return bindLeaf(node, { field, path, table }, this.#setting);
  }

  #unmapped(field: Field, path: string, branch: MapBranch, table: TableColumns): BoundEntry | undefined {
    if (field.default !== undefined) return defaultLeaf(field, path, field.default);
    if (!field.required || field.generated) return undefined;
    if (this.#input.map) {
      this.#report(message('mapping.required_unmapped', { ...at(branch), field: path }));
    } else if (field.fields) {
      // Reports the required leaves inside, because headers can only name leaves.
      this.#members({ kind: 'branch', fields: new Map(), at: branch.at }, field.fields, path, table);
    } else {
      this.missing.push(path);
    }
    return undefined;
  }

  #branch(node: MapBranch, field: Field, path: string, table: TableColumns): BoundBranch | undefined {
    const kind = field.type === 'object' ? 'object' : 'array';
    if (kind === 'object' && node.each) throw misplaced('each', path);
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
   * The source of the elements, and the sheet that their members read. If a key column is missing, the members are still bound,
   * so that their problems are reported too.
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
    const joined = new TableColumns(each.sheet, headers, this.#setting.problems);
    const columns: number[] = [];
    const keyColumns: number[] = [];
    for (const name of each.on) {
      const parentHeader = table.find(name, each.at);
      const joinedHeader = joined.find(name, each.at);
      if (!parentHeader || !joinedHeader) continue;
      columns.push(parentHeader.column);
      keyColumns.push(joinedHeader.column);
    }
    const read: number[] = [];
    this.#later.push(() => read.push(...joined.read));
    const join: JoinSpec = {
      sheet: each.sheet,
      on: each.on,
      keyColumns,
      parent: table.sheet,
      isIdentifier: joined.isIdentifier,
      key: (row) => joinKey(row, keyColumns, read),
      hasContent: (row) => {
        const content = read.filter((it) => !keyColumns.includes(it));
        return filledColumn([row], content) !== undefined;
      },
    };
    this.joins.set(join, joined);
    const { isIdentifier } = table;
    const source: ElementSource = { kind: 'sheet', join, columns, isIdentifier, read };
    return { source, table: joined };
  }

  #report(problem: Message): void {
    this.#setting.problems.add('map', problem);
  }
}

function misplaced(what: string, where: string): Error {
  return new Error(`unchecked map: ${what} in ${where || 'the request'}`);
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

/** Columns that the leaves read, including nested leaves of the same sheet. */
function leafColumns(entries: readonly BoundEntry[]): readonly number[] {
  const found = new Set<number>();
  for (const bound of entries) {
    const elsewhere = bound.kind !== 'leaf' && bound.source.kind === 'sheet';
    if (!elsewhere) for (const column of bound.columns) found.add(column);
  }
  return [...found];
}
