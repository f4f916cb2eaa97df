import { createHash } from 'node:crypto';
import type { Connection } from '../model/connection.js';
import type { Job } from '../model/job.js';
import type { JsonObject } from '../model/json.js';
import type { RowRanges } from './row-ranges.js';

/**
 * All that a run needs beside the ledger's own columns, so that resume starts from the ledger alone: the job as
 * it was resolved, and the connection (which holds no secret, only where one is found).
 */
export interface RunSettings {
  readonly job: Job;
  readonly connection: Connection;
  /** Copy of the input in the state folder. */
  readonly inputCopy: string;
  /** The first so many items are sent by themselves, before a yes is wanted for the rest. */
  readonly canary?: number;
  /** Set where the run sends rows of another one again. */
  readonly retry?: RetryOf;
}

export interface RetryOf {
  /** Id of the run whose rows these are. */
  readonly parent: string;
  /** The rows that belong to the run; all others of the input don't. */
  readonly rows: RowRanges;
  /** How many of them the parent left unknown: sent with a yes only, although the parent holds their keys. */
  readonly unknown: number;
}

/** A connection as the ledger may hold it: a token's command can carry secrets that `${NAME}` put there. */
export function keptConnection(connection: Connection): Connection {
  const { token } = connection;
  if (token.kind !== 'command') return connection;
  const sha256 = createHash('sha256').update(JSON.stringify(token.argv)).digest('hex');
  return { ...connection, token: { kind: 'withheld', sha256 } };
}

const MAP_TAG = '$entries';

/** Maps become tagged lists of entries: JSON has none, and plain objects would lose `__proto__`. */
export function packSettings(settings: RunSettings): JsonObject {
  const kept = { ...settings, connection: keptConnection(settings.connection) };
  const text = JSON.stringify(kept, (_name, value: unknown) =>
    value instanceof Map ? { [MAP_TAG]: [...value] } : value,
  );
  return JSON.parse(text) as JsonObject;
}

export function unpackSettings(packed: JsonObject): RunSettings {
  return JSON.parse(JSON.stringify(packed), (_name, value: unknown) => {
    if (value !== null && typeof value === 'object' && MAP_TAG in value) {
      return new Map((value as { [MAP_TAG]: [string, unknown][] })[MAP_TAG]);
    }
    return value;
  }) as RunSettings;
}
