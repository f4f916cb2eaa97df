import { describe, expect, it } from 'vitest';
import { Sessions } from '../../../src/ledger/postgres/sessions.js';
import { systemClock } from '../../../src/util/clock.js';
import { asking, serverUrl } from '../../support/postgres/shared-server.js';

function sessionsOf(server: string): Sessions {
  const setUp = "SET TIME ZONE 'UTC'";
  const config = { connectionString: server };
  return new Sessions(
    { location: server, config, setUp, most: 2, patienceMs: 0, replyMs: 10_000 },
    systemClock,
  );
}

// The outcome of a COMMIT without an answer is looked up only after this: a session that lived on could still commit.
describe('a session that is ended from another one', () => {
  it('has ended on the server by then, and no other has', async () => {
    const server = await serverUrl();
    const sessions = sessionsOf(server);
    const [ended, other] = [await sessions.make(), await sessions.make()];
    try {
      await sessions.end(ended.server!);
      const sql = 'SELECT pid FROM pg_stat_activity WHERE pid = ANY($1)';
      const there = await asking(server)(sql, [[ended.server!.pid, other.server!.pid]]);
      expect(there).toEqual([{ pid: other.server!.pid }]);
      await expect(ended.rows('SELECT 1')).rejects.toThrow();
      expect(ended.isBroken).toBe(true);
    } finally {
      await Promise.all([ended.close(), other.close(), sessions.close()]);
    }
  });

  it('is reported by when it began, too: the session that has its number since then is not affected', async () => {
    const sessions = sessionsOf(await serverUrl());
    const session = await sessions.make();
    try {
      await sessions.end({ ...session.server!, startedAt: '2020-01-01 00:00:00+00' });
      await expect(session.rows('SELECT 1 AS one')).resolves.toEqual([{ one: 1 }]);
    } finally {
      await Promise.all([session.close(), sessions.close()]);
    }
  });
});
