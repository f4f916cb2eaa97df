import type { Ledger } from '../../ledger/contract/ledger.js';
import type { RowStory } from '../../ledger/contract/report.js';
import type { Run } from '../../ledger/contract/runs.js';
import { GIVEN, shownGiven } from '../../mapping/given-value.js';
import type { Connection } from '../../model/connection.js';
import type { JsonObject } from '../../model/json.js';
import type { Operation, WireRequest } from '../../model/operation.js';
import { groupedBy } from '../../util/grouped-by.js';
import { batchRequest } from '../execute/batch-sender.js';

export interface ExplainedRequest {
  /** Absent if the request is not formed yet: it contains placeholders for the results of earlier steps. */
  readonly batch?: number;
  /** Number of items in the request, and the positions (from 1) of this row's items. */
  readonly items: number;
  readonly places: readonly number[];
  readonly request: ShownRequest;
  readonly attempts: RowStory['items'][number]['attempts'];
}

/** A request without secrets. */
export interface ShownRequest {
  readonly method: WireRequest['method'];
  /** Absolute if the platform's address is known, otherwise the path. */
  readonly url: string;
  /** Without `g_nonce`, which differs for every attempt. */
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: JsonObject;
}

const REDACTED = '[redacted]';

/** The batches that contain a row's items, each with its request and its attempts. */
export async function requestsOf(
  ledger: Ledger,
  run: Run,
  story: RowStory,
  operation: Operation,
  connection: Connection,
): Promise<ExplainedRequest[]> {
  const batches = groupedBy(story.items, (item) => item.batch);
  const shown: ExplainedRequest[] = [];
  for (const [batch, rowItems] of batches) {
    if (batch === undefined) continue;
    const content = await ledger.report.batch(run.id, batch);
    if (!content) continue;
    const places = rowItems.map(({ item }) => content.items.findIndex((sent) => sent.item === item) + 1);
    const bodies = content.items.map((item) => item.body);
    const target = { run: run.id, batch, envelope: content.envelope };
    shown.push({
      batch,
      items: bodies.length,
      places: places.filter((place) => place > 0),
      request: redacted(batchRequest(operation, connection, target, bodies), connection),
      attempts: rowItems[0]?.attempts ?? [],
    });
  }
  return shown.filter(({ places }) => places.length > 0);
}

/** The first requests of a run as they would be sent, or were sent. */
export async function firstRequests(
  ledger: Pick<Ledger, 'report'>,
  { id: run }: Pick<Run, 'id'>,
  operation: Operation,
  connection: Connection,
  count: number,
): Promise<readonly { readonly items: number; readonly request: ShownRequest }[]> {
  const shown: { items: number; request: ShownRequest }[] = [];
  for (let batch = 1; batch <= count; batch += 1) {
    const content = await ledger.report.batch(run, batch);
    if (!content) continue;
    const bodies = content.items.map((item) => item.body);
    const target = { run, batch, envelope: content.envelope };
    const request = redacted(batchRequest(operation, connection, target, bodies), connection);
    shown.push({ items: bodies.length, request });
  }
  return shown;
}

/** The requests of a step that was checked before the earlier steps ran. Their results are shown as `<given>`. */
export function givenRequests(
  { id: run }: Run,
  { items }: RowStory,
  operation: Operation,
  connection: Connection,
): readonly ExplainedRequest[] {
  return items
    .filter((item) => item.batch === undefined)
    .map(({ envelope, body }) => {
      const target = { run, batch: 0, envelope: shownGiven(envelope) as JsonObject };
      const request = redacted(batchRequest(operation, connection, target, [shownGiven(body)]), connection);
      // In the URL it is encoded.
      const url = request.url.replaceAll(encodeURIComponent(GIVEN), GIVEN);
      return { items: 1, places: [1], request: { ...request, url }, attempts: [] };
    });
}

function redacted(request: WireRequest, { baseUrl }: Connection): ShownRequest {
  const { appKey, ...query } = request.query;
  return {
    method: request.method,
    url: `${baseUrl ?? ''}${request.path}`,
    query: appKey === undefined ? query : { appKey: REDACTED, ...query },
    headers: { Authorization: `Bearer ${REDACTED}`, 'Content-Type': 'application/json' },
    body: request.body,
  };
}
