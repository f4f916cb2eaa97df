import { message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import type { Database } from './database.js';
import type { Session } from './session.js';

/**
 * Which of two sessions runs each statement. A pooler in transaction mode assigns its last, its oldest or any server session.
 * In each case one of the two meets another server session than before, or both meet the same.
 */
const TURNS = [0, 0, 1, 0, 1, 1, 0, 1, 1, 0, 0, 1] as const;

/**
 * Refuses a pooler in transaction or statement mode, because session locks and settings would apply to other clients.
 * @throws ProductError usage
 */
export async function refusePooler(db: Database, location: string): Promise<void> {
  const pair: Session[] = [];
  try {
    pair.push(await db.ownSession(0), await db.ownSession(0));
    const met = [new Set<number>(), new Set<number>()] as const;
    for (const turn of TURNS) {
      const [row] = await pair[turn]!.rows<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      if (row) met[turn].add(row.pid);
    }
    const all = new Set([...met[0], ...met[1]]);
    if (met[0].size === 1 && met[1].size === 1 && all.size === 2) {
      for (const session of pair.splice(0)) db.adopt(session);
      return;
    }
    throw new ProductError('usage', message('ledger.transaction_pooler', { location }));
  } finally {
    for (const session of pair) await session.close();
  }
}
