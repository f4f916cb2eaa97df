import { type Field, isNested } from '../model/field.js';
import type { JobSource } from '../model/job.js';
import { columnsReadBy, type Each, type MapBranch, type MapLeaf } from '../model/map.js';
import { type Operation, shownPath } from '../model/operation.js';
import { compileCel } from '../util/cel.js';
import { fold } from '../util/text.js';
import type { FieldUse, Need, StepCondition, TemplateColumn, TemplateSheet } from './template-sheet.js';

interface OpenColumn extends Omit<TemplateColumn, 'need' | 'table'> {
  readonly uses: FieldUse[];
  readonly groups: string[];
  readonly ties: string[];
  readonly whens: StepCondition[];
  where?: string;
  readonly needs: Need[];
  table?: string;
}

/** Collects the distinct columns of a sheet, in order of first mention. */
class OpenSheet {
  readonly name: string;
  readonly #headerRow: number;
  readonly #table: string | undefined;
  readonly #columns = new Map<string, OpenColumn>();

  constructor(name: string, headerRow: number, table?: string) {
    this.name = name;
    this.#headerRow = headerRow;
    this.#table = table;
  }

  feeds(header: string, table: string, use: FieldUse): void {
    this.#needed(header, table, use.need).uses.push(use);
  }

  /** The column distinguishes the elements of `name`. */
  groups(header: string, name: string, table: string, need: Need): void {
    this.#needed(header, table, need).groups.push(name);
  }

  ties(header: string, sheet: string, table: string, need: Need): void {
    const { ties } = this.#needed(header, table, need);
    if (!ties.includes(sheet)) ties.push(sheet);
  }

  where(header: string, source: string): void {
    this.#column(header).where = source;
  }

  when(header: string, condition: StepCondition): void {
    this.#column(header).whens.push(condition);
  }

  close(): TemplateSheet {
    const columns = [...this.#columns.values()].map(
      ({ needs, table = '', ...it }): TemplateColumn => ({ ...it, need: strongest(needs), table }),
    );
    return { name: this.name, headerRow: this.#headerRow, table: this.#table, columns };
  }

  #needed(header: string, table: string, need: Need): OpenColumn {
    const column = this.#column(header);
    column.needs.push(need);
    column.table ??= table;
    return column;
  }

  #column(header: string): OpenColumn {
    const key = fold(header);
    const existing = this.#columns.get(key);
    if (existing) return existing;
    const created: OpenColumn = { header, uses: [], groups: [], ties: [], whens: [], needs: [] };
    this.#columns.set(key, created);
    return created;
  }
}

function strongest(needs: readonly Need[]): Need {
  return (
    needs.find((it) => it.kind === 'always') ?? needs.find((it) => it.kind === 'group') ?? { kind: 'no' }
  );
}

const ALWAYS: Need = { kind: 'always' };
const NO: Need = { kind: 'no' };

/** Optional fields that nearly every row of the operation requires. */
const USUAL: ReadonlySet<string> = new Set(['products', 'licenseOrderProductList']);

export interface SheetsInput {
  readonly operation: Pick<Operation, 'shape' | 'place'>;
  readonly map: MapBranch;
  /** Name of the sheet that the job reads first. */
  readonly sheet: string;
  readonly headerRow: number;
  readonly where?: JobSource['where'];
  /** Maps of actions. Columns that only these read may stay empty. */
  readonly also?: readonly { readonly shape: readonly Field[]; readonly map: MapBranch }[];
  /** The steps after the first, whose maps read the same sheet. `first`: the condition of the first step. */
  readonly steps?: readonly TemplateStep[];
  readonly first?: Pick<TemplateStep, 'name' | 'when'>;
  /** Columns that users don't fill in. */
  readonly isGenerated?: (header: string) => boolean;
}

/** A step of a job of several, after the first. */
export interface TemplateStep {
  readonly name: string;
  readonly operation: Pick<Operation, 'name' | 'shape' | 'place'>;
  readonly map: MapBranch;
  /** Rows for which it is false may leave the step's columns empty. */
  readonly when?: string;
}

/**
 * The sheets that a map reads, and their columns: keys first, then within each table required fields before optional ones,
 * ids and names before details, otherwise in the interface's order; nested lists are last.
 */
export function templateSheets(input: SheetsInput): readonly TemplateSheet[] {
  return new SheetWalk(input).sheets();
}

class SheetWalk {
  readonly #input: SheetsInput;
  readonly #sheets = new Map<string, OpenSheet>();
  /** The step whose map is being read; undefined for the first or only one. */
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
    for (const action of this.#input.also ?? []) this.#branch(action.map, action.shape, '', main, NO);
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
    const elementNeed: Need = usual ? need : { kind: 'group', path: this.#shown(path) };
    const members = field.fields ?? [];
    if (node.each?.kind === 'sheet') {
      const joined = this.#join(node.each, path, above, sheet, usual ? need : NO);
      this.#branch(node, members, path, joined, ALWAYS);
      return;
    }
    // The fields of the element have their own needs. A key column that fills none of them is required with its element.
    for (const header of node.each?.columns ?? []) sheet.groups(header, field.name, path, elementNeed);
    this.#branch(node, members, path, sheet, elementNeed);
  }

  #join(each: Each & { kind: 'sheet' }, path: string, above: string, sheet: OpenSheet, need: Need) {
    const joined = this.#sheets.get(each.sheet) ?? new OpenSheet(each.sheet, this.#input.headerRow, path);
    this.#sheets.set(each.sheet, joined);
    for (const header of each.on) {
      sheet.ties(header, each.sheet, above, need);
      joined.ties(header, sheet.name, path, ALWAYS);
    }
    return joined;
  }

  #leaf(leaf: MapLeaf, field: Field, table: string, sheet: OpenSheet, around: Need): void {
    const path = this.#shown(table === '' ? field.name : `${table}.${field.name}`);
    const need = needOf(leaf, field, around);
    const part = around.kind === 'group' ? { part: around.path } : {};
    // A column that replaces an earlier step's result is filled in like any other.
    const source = leaf.kind === 'from' && leaf.else ? leaf.else : leaf;
    const operation = this.#step ? { operation: this.#step.operation.name } : {};
    for (const header of columnsReadBy(leaf)) {
      if (this.#input.isGenerated?.(header) !== true)
        sheet.feeds(header, table, { path, field, leaf: source, need, ...operation, ...part });
    }
  }

  #shown(path: string): string {
    return shownPath(path, this.#step?.operation ?? this.#input.operation);
  }
}

/** A generated field with a column must be filled in every row: mixing given and generated values is never intended. */
function needOf(leaf: MapLeaf, field: Field, around: Need): Need {
  if (!field.required && field.generated !== true) return NO;
  // The result of an expression for an empty cell is unknown here.
  if (leaf.kind === 'expr' || leaf.kind === 'value') return NO;
  // Read only for rows that were excluded from the earlier step.
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
