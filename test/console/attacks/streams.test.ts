import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { orderJob, orderRows } from '../../support/orders.js';
import { putState } from '../../support/put-state.js';
import { type RunsFixture, runsFixture } from '../../support/runs-fixture.js';

/** Each opens as many as its session may have, and more. */
const PEOPLE = 45;
const EACH = 26;

let fixture: RunsFixture;
let run: string;
let tokens: readonly string[];

beforeAll(async () => {
  fixture = await runsFixture();
  await writeFile(path.join(fixture.folder, 'orders.yaml'), `${orderJob()}connection: sandbox\n`);
  await writeFile(path.join(fixture.folder, 'orders.csv'), orderRows(3));
  run = await fixture.run('plan');
  // As if this process were still planning it.
  const file = path.join(fixture.folder, '.license-sync', 'ledger.db');
  const db = new DatabaseSync(file, { timeout: 5000 });
  await putState({ ask: async (sql) => db.prepare(sql).all() as never }, run, 'planning');
  db.close();
  tokens = await Promise.all(
    Array.from({ length: PEOPLE }, (_, n) => fixture.addPerson(`person-${n}`, ['viewer'])),
  );
});

afterAll(() => fixture.close());

describe('more streams of events than a console holds open', () => {
  it('are refused with when to come again, and the user who asks for something else is answered', async () => {
    const given = new AbortController();
    const held: Response[] = [];
    const open = async (token: string): Promise<void> => {
      const answer = await fetch(`${fixture.origin}/api/v1/runs/${run}/events`, {
        headers: { authorization: `Bearer ${token}` },
        signal: given.signal,
      });
      held.push(answer);
      if (answer.status === 200) expect((await answer.body!.getReader().read()).done).toBe(false);
      else expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '10']);
    };
    for (let n = 0; n < EACH; n += 1) await Promise.all(tokens.map(open));
    const opened = held.filter(({ status }) => status === 200).length;
    expect(opened).toBe(1000);
    expect(held).toHaveLength(PEOPLE * EACH);

    const asked = await fetch(`${fixture.origin}/api/v1/runs/${run}`, {
      headers: { authorization: `Bearer ${tokens[0]}` },
    });
    expect(asked.status).toBe(200);

    // A client that leaves frees a slot.
    given.abort();
    const again = async (): Promise<number> => {
      const left = new AbortController();
      const answer = await fetch(`${fixture.origin}/api/v1/runs/${run}/events`, {
        headers: { authorization: `Bearer ${tokens[0]}` },
        signal: left.signal,
      });
      left.abort();
      return answer.status;
    };
    await expect.poll(again).toBe(200);
  });
});
