import { type DuplicateId, duplicatesInBatch, withoutIdsOfOthers } from '../rules/returned-ids.js';
import { packId, runOf, unpackId } from '../store/ids.js';
import type { CompletionRequest } from './completions.js';
import type { RunNumbers } from './runner.js';
import type { Queryable } from './transaction.js';

/** Fails if one of the ids is registered or occurs twice. Then each attempt is checked alone. */
const INSERT = `
INSERT INTO given_ids (owner, id, item)
SELECT owner, id, item FROM unnest($1::bigint[], $2::text[], $3::bigint[]) AS asked (owner, id, item)
ORDER BY owner, id COLLATE "C"`;

/**
 * Registers ids and returns those that another item has. If two processes register one id, the second waits for the first. DO
 * UPDATE changes nothing, but makes the statement return the item that has the id.
 */
const TAKE = `
WITH asked AS MATERIALIZED (
  SELECT * FROM unnest($1::bigint[], $2::text[], $3::bigint[]) AS asked (owner, id, item)
), taken AS (
  INSERT INTO given_ids (owner, id, item)
  SELECT DISTINCT ON (owner, id COLLATE "C") owner, id, item FROM asked ORDER BY owner, id COLLATE "C", item
  ON CONFLICT (owner, id) DO UPDATE SET item = given_ids.item
  RETURNING owner, id, item
)
SELECT asked.item AS own, asked.id, asked.owner, taken.item, holders.first_row
FROM asked JOIN taken ON taken.owner = asked.owner AND taken.id = asked.id COLLATE "C"
LEFT JOIN items AS holders ON holders.id = taken.item
WHERE taken.item <> asked.item AND NOT (asked.owner < 0 AND EXISTS (
  SELECT 1 FROM items AS own WHERE own.id = asked.item AND own.item_key IS NOT NULL
    AND (holders.item_key = own.item_key OR holders.content = own.content OR EXISTS (
      SELECT 1 FROM item_keys WHERE item_keys.scope = -asked.owner AND item_keys.item_key = own.item_key
        AND (item_keys.item = taken.item OR item_keys.prior_item = taken.item)))))`;

const ROWS = 'SELECT id, first_row FROM items WHERE id = ANY ($1::bigint[])';

interface TakenLine {
  readonly own: number;
  readonly id: string;
  readonly item: number;
  readonly first_row: number | null;
}

interface ReturnedIdLine {
  readonly owner: number;
  readonly id: string;
  readonly own: number;
}

function linesOf(requests: readonly CompletionRequest[]): readonly ReturnedIdLine[] {
  return requests.flatMap(({ end: { given }, run: { number, scope } }) =>
    (given?.items ?? []).flatMap(({ item, ids }) =>
      ids.flatMap((id) => {
        const own = packId(number, item);
        return [{ owner: number, id, own }, ...(given?.acrossRuns ? [{ owner: -scope, id, own }] : [])];
      }),
    ),
  );
}

function arraysOf(lines: readonly ReturnedIdLine[]): unknown[] {
  return [lines.map((it) => it.owner), lines.map((it) => it.id), lines.map((it) => it.own)];
}

/** Registers ids in the transaction that writes the outcomes. Succeeds if all of them are new, which is nearly always so. */
export async function insertReturnedIds(
  all: Queryable['all'],
  requests: readonly CompletionRequest[],
): Promise<void> {
  const lines = linesOf(requests);
  if (lines.length > 0) await all(INSERT, arraysOf(lines));
}

/**
 * Registers the ids of the items of attempts before their outcomes are written. Items whose id belongs to another item become
 * unknown. May be called again for the same ends.
 */
export async function registerReturnedIds(
  all: Queryable['all'],
  numbers: Pick<RunNumbers, 'name'>,
  requests: readonly CompletionRequest[],
): Promise<void> {
  const lines = linesOf(requests);
  if (lines.length === 0) return;
  const taken = await all<TakenLine>(TAKE, arraysOf(lines));
  const inBatch = requests.map(({ end }) => duplicatesInBatch(end));
  const others = requests.flatMap(({ run }, at) =>
    inBatch[at]!.map(({ other }) => packId(run.number, other)),
  );
  const rows = new Map(
    others.length === 0
      ? []
      : (await all<{ id: number; first_row: number }>(ROWS, [others])).map((it) => [it.id, it.first_row]),
  );
  for (const [at, request] of requests.entries()) {
    const { end, run } = request;
    const duplicates: DuplicateId[] = inBatch[at]!.map(({ other, ...pair }) => ({
      ...pair,
      other: { run: end.run, row: unpackId(rows.get(packId(run.number, other)) ?? 0) },
    }));
    for (const { own, id, item, first_row: row } of taken) {
      if (runOf(own) !== run.number || !end.outcomes.some((it) => packId(run.number, it.item) === own))
        continue;
      const name = await numbers.name(runOf(item));
      duplicates.push({
        item: unpackId(own),
        id,
        other: row === null ? { run: name } : { run: name, row: unpackId(row) },
      });
    }
    request.end = withoutIdsOfOthers(end, duplicates);
  }
}
