import type { Database } from './database.js';
import type { Queryable } from './transaction.js';

/** What changed for all processes that work on a ledger: a run (stopped, ended), or a limit's place. */
interface Signal {
  readonly run?: string;
  readonly scope?: string;
}

function channelOf(schema: string): string {
  return `${schema} signals`;
}

/** Tells it to everybody, once the transaction is committed. */
export async function tell(db: Queryable, schema: string, signal: Signal): Promise<void> {
  await db.run('SELECT pg_notify($1, $2)', [channelOf(schema), JSON.stringify(signal)]);
}

/** Is told of it, until what is returned is called. */
export function told(
  db: Database,
  schema: string,
  hears: (signal: Signal) => void,
): Promise<() => Promise<void>> {
  return db.listen(channelOf(schema), (payload) =>
    // Without a text some may have been missed.
    hears(payload === '' ? {} : (JSON.parse(payload) as Signal)),
  );
}
