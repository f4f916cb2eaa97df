import type { Database } from './database.js';
import type { Queryable } from './transaction.js';

/** A change that concerns all processes of a ledger: a run (stopped, ended) or a limit's scope. */
interface Signal {
  readonly run?: string;
  readonly scope?: string;
}

function channelOf(schema: string): string {
  return `${schema} signals`;
}

/** Notifies all processes when the transaction is committed. */
export async function sendSignal(db: Queryable, schema: string, signal: Signal): Promise<void> {
  await db.run('SELECT pg_notify($1, $2)', [channelOf(schema), JSON.stringify(signal)]);
}

/** Calls the listener with each signal; returns a function that ends this. */
export function onSignal(
  db: Database,
  schema: string,
  listener: (signal: Signal) => void,
): Promise<() => Promise<void>> {
  return db.listen(channelOf(schema), (payload) =>
    // An empty payload: some signals may have been missed.
    listener(payload === '' ? {} : (JSON.parse(payload) as Signal)),
  );
}
