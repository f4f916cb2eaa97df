import type { JoinSpec, Mapping } from '../../mapping/contract.js';
import type { ColumnUse } from '../../model/column-use.js';
import type { Connection } from '../../model/connection.js';
import { type Job, type StepsJob, stepJob } from '../../model/job.js';
import type { Header, Row } from '../../model/row.js';
import { operationNamed } from '../../platform/operations/index.js';
import { type BoundCondition, bindCondition, type ConditionJob } from '../../source/condition.js';
import type { Table } from '../../source/table.js';
import { TableReader } from '../../source/table-reader.js';
import { bindMapping, type OpenedInput, withFileNames } from './opened-input.js';

/** Columns of the job's sheet that name a row of a step (`RowIdentities`). */
export interface NamingColumns {
  readonly columns: readonly number[];
  /** All that any step reads; present where a later one groups rows. */
  readonly whole?: readonly number[];
  /** Those of the sheet, as the map calls them: one that was renamed bears the name that it had. */
  readonly headers: readonly Header[];
}

/** What reading a job's tables must know of its map, or of the maps of all its steps. */
export interface ReadColumns extends Pick<Mapping, 'use' | 'joins' | 'joinedUse'> {
  /** Columns of the job's sheet that are read beside those of the maps. */
  readonly unmapped?: readonly number[];
  readonly naming?: NamingColumns;
}

/** The tables of a job's input, each with a reader that knows which columns the job's map uses. */
export class InputReading {
  readonly main: TableReader;
  readonly where: BoundCondition | undefined;
  readonly #joined: ReadonlyMap<JoinSpec, TableReader>;

  private constructor(
    main: TableReader,
    where: BoundCondition | undefined,
    joined: ReadonlyMap<JoinSpec, TableReader>,
  ) {
    this.main = main;
    this.where = where;
    this.#joined = joined;
  }

  /** @throws ProductError usage or input where `where`, `until` or `fillDown` don't fit the sheets */
  static bind(job: ConditionJob, input: OpenedInput, mapping: ReadColumns): Promise<InputReading> {
    return withFileNames(job, input, () => {
      const tables = [input.table, ...input.joined.values()];
      const others = (table: Table) => tables.filter((it) => it !== table);
      const { sheet, headers } = input.table;
      const where = bindCondition(job, 'where', sheet.name, headers);
      const until = bindCondition(job, 'until', sheet.name, headers);
      const joined = mapping.joins.map((join) => {
        const table = input.joined.get(join.sheet);
        if (!table) throw new Error(`the map joins sheet ${join.sheet}, which was not opened`);
        return [join, TableReader.of(job, table, mapping.joinedUse(join), others(table))] as const;
      });
      const own = { where, until, unmapped: mapping.unmapped };
      const main = TableReader.of(job, input.table, mapping.use, others(input.table), own);
      return new InputReading(main, where, new Map(joined));
    });
  }

  joined(join: JoinSpec): TableReader {
    const reader = this.#joined.get(join);
    if (!reader) throw new Error(`the map joins sheet ${join.sheet}, which was not opened`);
    return reader;
  }

  /** The reader of a joined sheet, by the name that the map uses. */
  joinedSheet(name: string): TableReader | undefined {
    for (const [join, reader] of this.#joined) if (join.sheet === name) return reader;
    return undefined;
  }
}

/** A job's rows as its map reads them, for the report and `explain`. */
export interface RowsAsRead {
  main(): AsyncIterable<readonly Row[]>;
  /** All rows of a joined sheet, those above its header too. */
  joined(name: string, table: Table): AsyncIterable<readonly Row[]>;
}

/**
 * Gives the rows as the run's plan read them. The map is bound only if that changes what is read: a result of an
 * earlier version's run must be written even if its map would be refused today.
 */
export async function rowsAsRead(
  job: Job | StepsJob,
  connection: Connection,
  input: OpenedInput,
): Promise<RowsAsRead> {
  const { merged, fillDown } = job.source;
  const tables = [input.table, ...input.joined.values()];
  // A run of an earlier version has no `merged`: its rows were read, and sent, without filling.
  const shaped = merged !== undefined && (fillDown !== undefined || tables.some((it) => it.merges.count > 0));
  if (!shaped) {
    return {
      main: () => input.table.rows(),
      joined: (_name, { sheet }) => input.source.rows(sheet),
    };
  }
  const jobs = 'steps' in job ? job.steps.map((step) => stepJob(job, step)) : [job];
  const mappings: Mapping[] = [];
  for (const it of jobs)
    mappings.push(await bindMapping(it, operationNamed(it.operation), connection, input));
  const reading = await InputReading.bind(
    job,
    input,
    mappings.length === 1 ? mappings[0]! : usedByAny(mappings),
  );
  return {
    main: () => reading.main.plain(),
    async *joined(name, { sheet, headerRow }) {
      for await (const page of input.source.rows(sheet)) {
        const above = page.filter(({ number }) => number <= headerRow);
        if (above.length > 0) yield above;
        if (page.at(-1)!.number >= headerRow) break;
      }
      const reader = reading.joinedSheet(name);
      if (reader) yield* reader.plain();
    },
  };
}

/** What several maps read together. */
export function usedByAny(mappings: readonly Mapping[]): ReadColumns {
  const joins = new Map<string, JoinSpec>();
  for (const it of mappings.flatMap((mapping) => mapping.joins))
    if (!joins.has(it.sheet)) joins.set(it.sheet, it);
  return {
    use: usesTogether(mappings.map((it) => it.use)),
    joins: [...joins.values()],
    joinedUse: ({ sheet }) =>
      usesTogether(
        mappings.flatMap((mapping) =>
          mapping.joins.filter((it) => it.sheet === sheet).map((it) => mapping.joinedUse(it)),
        ),
      ),
  };
}

function usesTogether(uses: readonly ColumnUse[]): ColumnUse {
  const all = (of: 'columns' | 'key' | 'identifiers'): number[] => [...new Set(uses.flatMap((it) => it[of]))];
  const keyIsLocks = uses.length > 0 && uses.every((it) => it.keyIsLocks);
  const columns = { columns: all('columns'), key: all('key'), identifiers: all('identifiers') };
  return keyIsLocks ? { ...columns, keyIsLocks } : columns;
}
