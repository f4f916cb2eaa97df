import { ProductError } from '../../errors/product-error.js';
import type { JoinSpec, Mapping } from '../../mapping/mapping.js';
import type { Connection } from '../../model/connection.js';
import { type Job, type StepsJob, stepJob } from '../../model/job.js';
import type { ColumnUse } from '../../model/map.js';
import type { Header, Row } from '../../model/row.js';
import { operationNamed } from '../../platform/operations/catalogue.js';
import { type BoundCondition, bindCondition, type ConditionJob } from '../../source/condition.js';
import type { Table } from '../../source/table.js';
import { TableReader } from '../../source/table-reader.js';
import { bindMapping, type OpenedInput, withFileNames } from './opened-input.js';

/** Columns of the job's sheet that identify a row of a step (`RowIdentities`). */
export interface NamingColumns {
  readonly columns: readonly number[];
  /** All columns that any step reads; present if a later step groups rows. */
  readonly whole?: readonly number[];
  /** The sheet's headers under the map's names: a renamed column has its former name. */
  readonly headers: readonly Header[];
}

/** The columns that a job's map, or the maps of all its steps, read. */
export interface ReadColumns extends Pick<Mapping, 'use' | 'joins' | 'joinedUse'> {
  /** Columns of the job's sheet that are read in addition to those of the maps. */
  readonly unmapped?: readonly number[];
  readonly naming?: NamingColumns;
}

/** The tables of a job's input, each with a reader of the columns that the job's map uses. */
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

  /** @throws ProductError usage or input if `where`, `until` or `fillDown` do not match the sheets */
  static bind(job: ConditionJob, input: OpenedInput, mapping: ReadColumns): Promise<InputReading> {
    return withFileNames(job, input, () => {
      const tables = [input.table, ...input.joined.values()];
      const others = (table: Table) => tables.filter((other) => other !== table);
      const { sheet, headers } = input.table;
      const where = bindCondition(job, 'where', sheet.name, headers);
      const until = bindCondition(job, 'until', sheet.name, headers);
      const joined = mapping.joins.map((join) => {
        const table = input.joined.get(join.sheet);
        if (!table) throw new Error(`the map joins sheet ${join.sheet}, which was not opened`);
        return [join, TableReader.of(job, table, mapping.joinedUse(join), others(table))] as const;
      });
      const options = { where, until, unmapped: mapping.unmapped };
      const main = TableReader.of(job, input.table, mapping.use, others(input.table), options);
      return new InputReading(main, where, new Map(joined));
    });
  }

  joined(join: JoinSpec): TableReader {
    const reader = this.#joined.get(join);
    if (!reader) throw new Error(`the map joins sheet ${join.sheet}, which was not opened`);
    return reader;
  }

  /** The reader of a joined sheet, by the map's name for it. */
  joinedSheet(name: string): TableReader | undefined {
    for (const [join, reader] of this.#joined) if (join.sheet === name) return reader;
    return undefined;
  }
}

/** A job's rows as its map reads them, for the report and `explain`. */
export interface RowsAsRead {
  main(): AsyncIterable<readonly Row[]>;
  /** All rows of a joined sheet, including those above its header. */
  joined(name: string, table: Table): AsyncIterable<readonly Row[]>;
}

/**
 * The rows as the run's plan read them. The map is bound only if that changes what is read, because the result of an
 * earlier version's run must be written even if its map would be rejected today.
 */
export async function rowsAsRead(
  job: Job | StepsJob,
  connection: Connection,
  input: OpenedInput,
): Promise<RowsAsRead> {
  const { merged, fillDown } = job.source;
  const tables = [input.table, ...input.joined.values()];
  // A run of an earlier version has no `merged`: its rows were read, and sent, without filling.
  const shaped =
    merged !== undefined && (fillDown !== undefined || tables.some(({ merges }) => merges.count > 0));
  if (!shaped) {
    return { main: () => input.table.rows(), joined: (_name, { sheet }) => input.source.rows(sheet) };
  }
  const mappings = await mappingsOf(job, connection, input);
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

async function mappingsOf(
  job: Job | StepsJob,
  connection: Connection,
  input: OpenedInput,
): Promise<readonly Mapping[]> {
  const mappings: Mapping[] = [];
  for (const single of 'steps' in job ? job.steps.map((step) => stepJob(job, step)) : [job])
    mappings.push(await bindMapping(single, operationNamed(single.operation), connection, input));
  return mappings;
}

/**
 * Columns whose number cells the job reads by digits or by text, not as formatted. Text formats write them in the same
 * way, so that a result that is read again has the same identifiers. Empty if the map is rejected today (see
 * `rowsAsRead`).
 */
export async function exactNumberColumns(
  job: Job | StepsJob,
  connection: Connection,
  input: OpenedInput,
): Promise<ReadonlyMap<number, 'digits' | 'text'>> {
  const columns = new Map<number, 'digits' | 'text'>();
  try {
    const mappings = await mappingsOf(job, connection, input);
    const { use } = usedByAny(mappings);
    const { sheet, headers } = input.table;
    const conditions = (['where', 'until'] as const).map((name) =>
      bindCondition(job, name, sheet.name, headers),
    );
    const ofConditions = conditions.flatMap((condition) => condition?.columns ?? []);
    for (const column of [...use.texts, ...ofConditions]) columns.set(column, 'text');
    for (const column of use.digits) columns.set(column, 'digits');
  } catch (error) {
    if (!(error instanceof ProductError)) throw error;
  }
  return columns;
}

/** The columns that several maps read together. */
export function usedByAny(mappings: readonly Mapping[]): ReadColumns {
  const joins = new Map<string, JoinSpec>();
  for (const join of mappings.flatMap((mapping) => mapping.joins))
    if (!joins.has(join.sheet)) joins.set(join.sheet, join);
  return {
    use: usesTogether(mappings.map((mapping) => mapping.use)),
    joins: [...joins.values()],
    joinedUse: ({ sheet }) =>
      usesTogether(
        mappings.flatMap((mapping) =>
          mapping.joins.filter((join) => join.sheet === sheet).map((join) => mapping.joinedUse(join)),
        ),
      ),
  };
}

function usesTogether(uses: readonly ColumnUse[]): ColumnUse {
  const all = (kind: 'columns' | 'key' | 'identifiers' | 'digits' | 'texts'): number[] => [
    ...new Set(uses.flatMap((use) => use[kind])),
  ];
  const keyIsLocks = uses.length > 0 && uses.every((use) => use.keyIsLocks);
  const use = {
    columns: all('columns'),
    key: all('key'),
    identifiers: all('identifiers'),
    digits: all('digits'),
    texts: all('texts'),
  };
  return keyIsLocks ? { ...use, keyIsLocks } : use;
}
