import { createHash } from 'node:crypto';
import type { Connection } from '../model/connection.js';
import type { JobBase } from '../model/job.js';
import { type JsonObject, member } from '../model/json.js';
import type { Run } from './contract/runs.js';

/** The common part of the settings of all runs. */
interface Settings {
  readonly job: JobBase;
  readonly connection: Connection;
}

/**
 * A connection without secrets and short-lived values, for the ledger. A token's command and notification addresses may contain
 * secrets inserted by `${NAME}`. The address of a served sandbox is not valid later.
 */
export function keptConnection(connection: Connection): Connection {
  const { notify: _, served, baseUrl, ...rest } = connection;
  const kept: Connection = served || baseUrl === undefined ? rest : { ...rest, baseUrl };
  const { token } = kept;
  if (token.kind !== 'command') return kept;
  const sha256 = createHash('sha256').update(JSON.stringify(token.argv)).digest('hex');
  return { ...kept, token: { kind: 'withheld', sha256 } };
}

const MAP_TAG = '$entries';

/** Maps become tagged lists of entries: JSON has no maps, and plain objects would lose `__proto__`. */
export function packSettings(settings: Settings): JsonObject {
  const { notify: _, ...job } = settings.job;
  const kept = { ...settings, job, connection: keptConnection(settings.connection) };
  const text = JSON.stringify(kept, (_name, value: unknown) =>
    value instanceof Map ? { [MAP_TAG]: [...value] } : value,
  );
  return JSON.parse(text) as JsonObject;
}

/** Reverses `packSettings`. The caller knows the type. */
export function unpackKept(packed: JsonObject): unknown {
  return JSON.parse(JSON.stringify(packed), (_name, value: unknown) => {
    if (value !== null && typeof value === 'object' && MAP_TAG in value)
      return new Map((value as { [MAP_TAG]: [string, unknown][] })[MAP_TAG]);
    return value;
  });
}

/** The time zone of the run's connection; UTC for a run pruned by an earlier version. */
export function timezoneOf({ settings }: Pick<Run, 'settings'>): string {
  const name = member(member(settings, 'connection'), 'timezone') ?? member(settings, 'timezone');
  return typeof name === 'string' ? name : 'UTC';
}
