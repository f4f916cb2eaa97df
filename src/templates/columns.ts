import { fold } from '../util/fold.js';
import type { FieldUse, Need, TemplateColumn, TemplateSheet } from './contract.js';

interface OpenColumn {
  readonly header: string;
  readonly uses: FieldUse[];
  readonly groups: string[];
  readonly ties: string[];
  where?: string;
  readonly needs: Need[];
  table: string | undefined;
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
    const column = this.#column(header);
    column.uses.push(use);
    column.needs.push(use.need);
    column.table ??= table;
  }

  /** The column distinguishes the elements of `name`. */
  groups(header: string, name: string, table: string, need: Need): void {
    const column = this.#column(header);
    column.groups.push(name);
    column.needs.push(need);
    column.table ??= table;
  }

  ties(header: string, sheet: string, table: string, need: Need): void {
    const column = this.#column(header);
    if (!column.ties.includes(sheet)) column.ties.push(sheet);
    column.needs.push(need);
    column.table ??= table;
  }

  where(header: string, source: string): void {
    this.#column(header).where = source;
  }

  close(): TemplateSheet {
    const columns = [...this.#columns.values()].map((it): TemplateColumn => {
      const { header, uses, groups, ties, where, needs } = it;
      const table = it.table ?? '';
      return {
        header,
        uses,
        groups,
        ties,
        where,
        need: strongest(needs),
        table,
      };
    });
    return {
      name: this.name,
      headerRow: this.#headerRow,
      table: this.#table,
      columns,
    };
  }

  #column(header: string): OpenColumn {
    const key = fold(header);
    const there = this.#columns.get(key);
    if (there) return there;
    const made: OpenColumn = { header, uses: [], groups: [], ties: [], needs: [], table: undefined };
    this.#columns.set(key, made);
    return made;
  }
}

function strongest(needs: readonly Need[]): Need {
  return (
    needs.find((it) => it.kind === 'always') ?? needs.find((it) => it.kind === 'group') ?? { kind: 'no' }
  );
}
