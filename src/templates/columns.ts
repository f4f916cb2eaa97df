import { fold } from '../util/fold.js';
import type { FieldUse, Need, StepCondition, TemplateColumn, TemplateSheet } from './contract.js';

interface OpenColumn extends Omit<TemplateColumn, 'need' | 'table'> {
  readonly uses: FieldUse[];
  readonly groups: string[];
  readonly ties: string[];
  readonly whens: StepCondition[];
  where?: string;
  readonly needs: Need[];
  table?: string;
}

/** Collects the columns of a sheet: each header once, in order of first mention. */
export class OpenSheet {
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
    const there = this.#columns.get(key);
    if (there) return there;
    const made: OpenColumn = { header, uses: [], groups: [], ties: [], whens: [], needs: [] };
    this.#columns.set(key, made);
    return made;
  }
}

function strongest(needs: readonly Need[]): Need {
  return (
    needs.find((it) => it.kind === 'always') ?? needs.find((it) => it.kind === 'group') ?? { kind: 'no' }
  );
}
