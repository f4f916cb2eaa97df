import type { Connection } from '../model/connection.js';
import type { Job } from '../model/job.js';
import type { JsonObject } from '../model/json.js';

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
}

const MAP_TAG = '$entries';

/** Maps become tagged lists of entries: JSON has none, and plain objects would lose `__proto__`. */
export function packSettings(settings: RunSettings): JsonObject {
  const text = JSON.stringify(settings, (_name, value: unknown) =>
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
