import { type Message, message } from '../../errors/message.js';
import { type JoinLookup, type JoinSpec, type Mapping, NO_JOIN_KEY } from '../../mapping/mapping.js';
import type { Row } from '../../model/row.js';
import { isFilledCell } from '../../source/cell-texts.js';
import { type HiddenPolicy, hiddenRowsWarning } from '../../source/non-data-rows.js';
import { cellAddress } from '../../util/spreadsheet-text.js';
import { RowNumbers } from '../../util/text.js';
import type { InputReading } from './input-reading.js';
import { RowStore } from './row-store.js';

/** Maximum number of orphans that are named; more are only counted. */
const ORPHANS_NAMED = 1000;

interface Joined {
  readonly store: RowStore;
  readonly requested: Set<string>;
  /** By key, the rows without a key directly below its rows. */
  readonly held: ReadonlyMap<string, RowNumbers>;
}

/** The joined sheets, indexed by key. Records which of their rows were requested. */
export class Joins implements JoinLookup {
  /** Warnings about the joined sheets' rows. */
  readonly warnings: Message[] = [];
  readonly #stores = new Map<JoinSpec, Joined>();

  /**
   * @param job its policy for hidden rows applies to these sheets too
   * @throws ProductError input for hidden rows that the job rejects
   */
  static async index(
    mapping: Mapping,
    reading: InputReading,
    { source }: { readonly source: HiddenPolicy },
  ): Promise<Joins> {
    const joins = new Joins();
    for (const join of mapping.joins) {
      const store = new RowStore(mapping.joinedUse(join).columns);
      const held = new Map<string, RowNumbers>();
      joins.#stores.set(join, { store, requested: new Set(), held });
      const reader = reading.joined(join);
      const hidden = new RowNumbers();
      let above: string | undefined;
      for await (const rows of reader.rows()) {
        for (const { row, nonData } of rows) {
          if (row.hidden) hidden.add(row.number);
          if (row.hidden && source.hiddenRows === 'skip') continue;
          const isSubtotal = nonData?.kind === 'subtotal';
          if (nonData && !isSubtotal && nonData.kind !== 'total key' && nonData.kind !== 'spread') continue;
          const key = join.key(row);
          if (key === undefined) continue;
          // The key comes from the row above by fillDown, which is uncertain. It is reported with the rows of that key.
          const isUncertain = isSubtotal || (row.faults !== undefined && above !== undefined);
          if (isSubtotal && key !== NO_JOIN_KEY) above ??= key;
          if (!isUncertain) store.add(key, row);
          if (key !== NO_JOIN_KEY && !isUncertain) above = key;
          else if (above !== undefined) {
            const below = held.get(above) ?? new RowNumbers();
            below.add(row.number);
            held.set(above, below);
          }
        }
      }
      const hiddenWarning = hiddenRowsWarning(source, join.sheet, hidden);
      if (hiddenWarning) joins.warnings.push(hiddenWarning);
      joins.warnings.push(...reader.warnings());
    }
    return joins;
  }

  held(join: JoinSpec, key: string): Message | undefined {
    const below = this.#stores.get(join)?.held.get(key);
    if (!below) return undefined;
    const params = { sheet: join.sheet, rows: `${below}`, headers: join.on.join(', ') };
    return message('run.held_above_joined', params);
  }

  rows(join: JoinSpec, key: string): readonly Row[] {
    const joined = this.#stores.get(join);
    if (!joined) return [];
    joined.requested.add(key);
    return joined.store.get(key);
  }

  /** Joined rows with content besides their key, whose key no parent row has. They would be lost without notice. */
  orphans(): { readonly count: number; readonly first: readonly Message[] } {
    let count = 0;
    const first: Message[] = [];
    for (const [join, { store, requested }] of this.#stores) {
      for (const [key, rows] of store.groups()) {
        if (requested.has(key)) continue;
        for (const row of rows) {
          if (!join.hasContent(row)) continue;
          count += 1;
          if (first.length < ORPHANS_NAMED) first.push(orphan(join, row));
        }
      }
    }
    return { count, first };
  }

  /** Call it before the job's sheet is read again. */
  forgetLookups(): void {
    for (const { requested } of this.#stores.values()) requested.clear();
  }

  close(): void {
    for (const { store } of this.#stores.values()) store.close();
    this.#stores.clear();
  }
}

const ORPHAN_CODES: ReadonlySet<string> = new Set(['run.orphan', 'run.orphan_merged', 'run.orphan_no_key']);

/** Whether a warning of a plan is about a joined row that belongs to no row of the job's sheet. */
export function isAboutOrphan({ code }: Message): boolean {
  return ORPHAN_CODES.has(code);
}

function orphan(join: JoinSpec, row: Row): Message {
  const column = join.keyColumns[0]!;
  const cell = cellAddress(column, row.number);
  const params = {
    sheet: row.sheet,
    row: row.number,
    column,
    cell,
    parent: join.parent,
    on: join.on.join(' + '),
  };
  const merged = join.keyColumns.map((column) => row.cell(column)).find((cell) => cell?.kind === 'merged');
  if (merged) return message('run.orphan_merged', { ...params, range: merged.raw });
  const isEmpty = join.keyColumns.every((column) => !isFilledCell(row.cell(column)));
  if (isEmpty) return message('run.orphan_no_key', params);
  return message('run.orphan', { ...params, key: keyText(join, row) });
}

function keyText(join: JoinSpec, row: Row): string {
  return join.keyColumns.map((column) => row.cell(column)?.text ?? '').join(' + ');
}
