import { type Field, isNested } from '../model/field.js';
import type { JobSource } from '../model/job.js';
import { columnsReadBy } from '../model/leaf-columns.js';
import type { Each, MapBranch, MapLeaf } from '../model/map.js';
import { type Operation, shownPath } from '../model/operation.js';
import { compileCel } from '../util/cel.js';
import { OpenSheet } from './columns.js';
import type { Need, TemplateSheet } from './contract.js';

const ALWAYS: Need = { kind: 'always' };
const NO: Need = { kind: 'no' };

/** Optional fields that nearly every row of the operation needs. */
const USUAL: ReadonlySet<string> = new Set(['products', 'licenseOrderProductList']);

export interface SheetsInput {
  readonly operation: Pick<Operation, 'shape' | 'place'>;
  readonly map: MapBranch;
  /** Name of the sheet that the job reads first. */
  readonly sheet: string;
  readonly headerRow: number;
  readonly where?: JobSource['where'];
  /** Maps of actions that also read columns; these columns may stay empty. */
  readonly also?: readonly { readonly shape: readonly Field[]; readonly map: MapBranch }[];
  /** The steps after the first, whose maps read the same sheet; and when the first one takes a row. */
  readonly steps?: readonly TemplateStep[];
  readonly first?: Pick<TemplateStep, 'name' | 'when'>;
  /** Columns that users don't fill in. */
  readonly isMade?: (header: string) => boolean;
}

/** A step of a job of several, after the first. */
export interface TemplateStep {
  readonly name: string;
  readonly operation: Pick<Operation, 'name' | 'shape' | 'place'>;
  readonly map: MapBranch;
  /** Rows for which it doesn't hold may leave the step's columns empty. */
  readonly when?: string;
}

/**
 * The sheets that a map reads, and their columns: keys first, then within each table required fields before
 * optional ones, ids and names before details, the interface's order otherwise; lists inside come after.
 */
export function templateSheets(input: SheetsInput): readonly TemplateSheet[] {
  return new SheetWalk(input).sheets();
}

class SheetWalk {
  readonly #input: SheetsInput;
  readonly #sheets = new Map<string, OpenSheet>();
  /** The step whose map is walked; undefined for the first, or the only one. */
  #step: TemplateStep | undefined;

  constructor(input: SheetsInput) {
    this.#input = input;
  }

  sheets(): readonly TemplateSheet[] {
    const { map, operation, sheet, headerRow, where, first, steps = [] } = this.#input;
    const main = new OpenSheet(sheet, headerRow);
    this.#sheets.set(sheet, main);
    this.#branch(map, operation.shape, '', main, first?.when === undefined ? ALWAYS : NO);
    this.#when(main, first);
    for (const step of steps) {
      this.#step = step;
      this.#branch(step.map, step.operation.shape, '', main, step.when === undefined ? ALWAYS : NO);
      this.#when(main, step);
    }
    this.#step = undefined;
    for (const it of this.#input.also ?? []) this.#branch(it.map, it.shape, '', main, NO);
    const condition = where && compileCel(where.source, { variables: { row: 'row' }, result: 'bool' });
    if (where && condition?.ok) for (const name of condition.columns) main.where(name, where.source);
    return [...this.#sheets.values()].map((it) => it.close());
  }

  #when(main: OpenSheet, step: Pick<TemplateStep, 'name' | 'when'> | undefined): void {
    if (step?.when === undefined) return;
    const variables = { row: 'row', step: 'record' } as const;
    const condition = compileCel(step.when, { variables, result: 'bool' });
    if (!condition.ok) return;
    for (const name of condition.columns) main.when(name, { step: step.name, source: step.when });
  }

  #branch(branch: MapBranch, fields: readonly Field[], table: string, sheet: OpenSheet, need: Need): void {
    const mapped = fields.filter((it) => branch.fields.has(it.name));
    const leaves = mapped.filter((it) => !isNested(it)).sort((a, b) => rank(a) - rank(b));
    for (const field of leaves) {
      const node = branch.fields.get(field.name);
      if (node && node.kind !== 'branch') this.#leaf(node, field, table, sheet, need);
    }
    const lists = mapped.filter(isNested).sort((a, b) => listRank(a) - listRank(b));
    for (const field of lists) {
      const node = branch.fields.get(field.name);
      if (node?.kind === 'branch') this.#list(node, field, table, sheet, need);
    }
  }

  #list(node: MapBranch, field: Field, above: string, sheet: OpenSheet, need: Need): void {
    const path = above === '' ? field.name : `${above}.${field.name}`;
    const usual = field.required || USUAL.has(field.name);
    const within: Need = usual ? need : { kind: 'group', path: this.#shown(path) };
    const members = field.fields ?? [];
    if (node.each?.kind === 'sheet') {
      const other = this.#join(node.each, path, above, sheet, usual ? need : NO);
      this.#branch(node, members, path, other, ALWAYS);
      return;
    }
    // The element's fields say when they are needed. A key that fills none of them is needed with its element.
    for (const header of node.each?.columns ?? []) sheet.groups(header, field.name, path, within);
    this.#branch(node, members, path, sheet, within);
  }

  #join(each: Each & { kind: 'sheet' }, path: string, above: string, sheet: OpenSheet, need: Need) {
    const other = this.#sheets.get(each.sheet) ?? new OpenSheet(each.sheet, this.#input.headerRow, path);
    this.#sheets.set(each.sheet, other);
    for (const header of each.on) {
      sheet.ties(header, each.sheet, above, need);
      other.ties(header, sheet.name, path, ALWAYS);
    }
    return other;
  }

  #leaf(leaf: MapLeaf, field: Field, table: string, sheet: OpenSheet, around: Need): void {
    const path = this.#shown(table === '' ? field.name : `${table}.${field.name}`);
    const need = needOf(leaf, field, around);
    const part = around.kind === 'group' ? { part: around.path } : {};
    // A column that stands in for an earlier step's result is filled like any other.
    const own = leaf.kind === 'from' && leaf.else ? leaf.else : leaf;
    const operation = this.#step ? { operation: this.#step.operation.name } : {};
    for (const header of columnsReadBy(leaf)) {
      if (this.#input.isMade?.(header) !== true)
        sheet.feeds(header, table, { path, field, leaf: own, need, ...operation, ...part });
    }
  }

  #shown(path: string): string {
    return shownPath(path, this.#step?.operation ?? this.#input.operation);
  }
}

/** A generated field with a column has to be filled: partly filled it would be useless. */
function needOf(leaf: MapLeaf, field: Field, around: Need): Need {
  if (!field.required && field.generated !== true) return NO;
  // The result of an expression for an empty cell isn't known here.
  if (leaf.kind === 'expr' || leaf.kind === 'value') return NO;
  // Read only where the earlier step returned nothing.
  if (leaf.kind === 'from') return NO;
  return leaf.kind === 'column' && leaf.default !== undefined ? NO : around;
}

/** Required before optional; among those, ids and names before details. */
function rank(field: Field): number {
  const needed = field.required || field.generated === true ? 0 : 2;
  return needed + (field.identifier === true || /name$/i.test(field.name) ? 0 : 1);
}

function listRank(field: Field): number {
  if (field.required) return 0;
  return USUAL.has(field.name) ? 1 : 2;
}
