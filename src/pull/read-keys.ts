import { message } from '../errors/message.js';
import { compileKeys } from '../mapping/compile-keys.js';
import type { Mapping } from '../mapping/contract.js';
import { rowFaults } from '../mapping/row-faults.js';
import type { Fault } from '../model/fault.js';
import type { JsonObject } from '../model/json.js';
import type { MapBranch, MapNode } from '../model/map.js';
import { operationNamed, RESULT_NAMES } from '../platform/operations/index.js';
import { withHeaderHint } from '../source/header-hint.js';
import { hiddenRowsWarning } from '../source/hidden-rows.js';
import { nonDataVerdict } from '../source/non-data-row.js';
import { openSource } from '../source/open.js';
import { RowNumbers } from '../source/row-numbers.js';
import { openTable, type Table } from '../source/table.js';
import { TableReader } from '../source/table-reader.js';
import type { PullServices, PullWish } from './contract.js';
import type { KeyStore } from './key-store.js';

/** A row whose key can't be told. */
export interface UnreadKey {
  readonly row: number;
  readonly faults: readonly Fault[];
}

const NO_JOINS = { rows: () => [] };
/** Position in a map that no job file contains. */
const NOWHERE = { line: 0, column: 0 } as const;

/**
 * Reads the distinct keys of the sheet into the store.
 * @param unread told of each row whose key can't be read
 * @throws ProductError usage or input where the file, its sheet or its headers don't fit
 */
export async function readKeys(
  wish: PullWish,
  services: PullServices,
  store: KeyStore,
  unread: (row: UnreadKey) => void,
): Promise<void> {
  const { file, sheet, headerRow, password, env } = wish.keys;
  const source = await openSource(file, { headerRow, password, env });
  try {
    const table = await openTable(source, {
      sheet,
      headerRow,
      resultColumns: RESULT_NAMES,
      asAnyOther: true,
    });
    const mapping = await withHeaderHint(source, [table], () => bindKeys(wish, services, table));
    const reader = new TableReader(table, { ...mapping.use, key: mapping.columns }, RULES);
    const hidden = new RowNumbers();
    let rows = 0;
    for await (const page of reader.rows()) {
      if (services.stop.cause) return;
      for (const { row, nonData } of page) {
        rows += 1;
        if (row.hidden) hidden.add(row.number);
        if (nonData) {
          const { kind, message: told, column } = nonDataVerdict(nonData, row.number);
          const fault = { sheet: row.sheet, row: row.number, column, message: told };
          if (kind !== 'skipped') unread({ row: row.number, faults: [fault] });
          continue;
        }
        if (row.faults) {
          unread({ row: row.number, faults: rowFaults(row) });
          continue;
        }
        const mapped = mapping.map([row], NO_JOINS);
        if (mapped.kind === 'invalid') unread({ row: row.number, faults: mapped.faults });
        else store.add(wish.comparison.request((mapped.items[0]?.body ?? {}) as JsonObject), row.number);
      }
      services.progress({ stage: 'plan', done: rows });
    }
    for (const warning of [...source.warnings, ...reader.warnings()]) services.warn(warning);
    const told = hiddenRowsWarning({ file, hiddenRows: 'include' }, table.sheet.name, hidden);
    if (told) services.warn(told);
    if (rows === 0) {
      services.warn(message('run.no_rows', { file, sheet: table.sheet.name, header: table.headerRow }));
    }
  } finally {
    await source.close();
  }
}

/** As a job's without settings, but for merged cells: a name over several rows is that of all of them. */
const RULES = { merged: 'fill', fillDown: [], until: undefined, unmapped: [] } as const;

/** A map of the key's columns to the inquiry's fields; `defaultCustomer` and the like keep their default. */
function bindKeys({ comparison, connection }: PullWish, services: PullServices, table: Table): Mapping {
  const { name: sheet } = table.sheet;
  const found = services.findColumns(table.headers, sheet);
  const fields = new Map<string, MapNode>();
  for (const [name, { text }] of found) fields.set(name, { kind: 'column', column: text, at: NOWHERE });
  const map: MapBranch = { kind: 'branch', fields, at: NOWHERE };
  const shape = comparison.key.filter((it) => found.has(it.name));
  const { headers } = table;
  return compileKeys({ comparison, shape, map, headers, sheet, connection, operationOf: operationNamed });
}
