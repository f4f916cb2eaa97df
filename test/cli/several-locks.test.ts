import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startConsole } from '../support/console.js';
import { lockJob, OrderFixture } from '../support/order-fixture.js';

let fixture: OrderFixture;

describe.each(['SQLite', 'PostgreSQL'] as const)(
  'a row of several locks of which some were locked (%s)',
  (kind) => {
    beforeEach(async () => {
      fixture = await OrderFixture.open(kind);
      const reported = path.join(fixture.folder, 'told.json');
      await fixture.settings(
        `, notify: [{ on: problem, command: ["/bin/sh", "-c", "cat > '${reported}'"] }]`,
      );
      await fixture.file('overdue.yaml', lockJob('overdue', 'lock').replace('{ size: 1 }', '{ size: 10 }'));
      await fixture.file('overdue.csv', 'Asset\n"L1;L2"\nL3\n"L12;L22"\n');
      fixture.platform.answer = ({ body }) => {
        const status = (it: string) => (it.endsWith('2') ? 2 : 1);
        const data = (body.assetNums as string[]).map((assetNum) => ({ assetNum, status: status(assetNum) }));
        return { body: { code: 0, message: '', data } };
      };
    });

    afterEach(() => fixture.close());

    /** One row of each kind: `failed`, as some of its locks were locked; one that went well; `rejected`, as none were. */
    const COUNTS = { failed: 1, succeeded: 1, rejected: 1 };

    async function expectReported(run: string): Promise<void> {
      const reported = JSON.parse(await readFile(path.join(fixture.folder, 'told.json'), 'utf8'));
      expect(reported).toMatchObject({ run, exitCode: 1, counts: COUNTS });
      const lines = await fixture.result(run);
      expect(lines.map((it) => it.status)).toEqual(['failed', 'succeeded', 'rejected']);
      expect(lines[0]?.message).toMatch(/L1: succeeded; L2: /);
      expect((await fixture.json('runs', 'show', run)).counts).toEqual(COUNTS);
    }

    // Only a server has a queue. The rest is the same on both: contract/ runs the ledger's statements on each.
    if (kind === 'PostgreSQL') {
      it('is failed where workers send it, and in what they report', async () => {
        const { run } = await fixture.json('submit', 'overdue.yaml');
        expect(await fixture.call('worker', '--once')).toMatchObject({ code: 0 });
        expect(await fixture.json('wait', run)).toMatchObject({
          code: 1,
          status: 'completed',
          counts: COUNTS,
        });
        await expectReported(run);
      });
      return;
    }

    it('is failed in --json, in the notification and in the result, and is sent again by retry', async () => {
      const end = await fixture.json('run', 'overdue.yaml');
      expect(end).toMatchObject({ code: 1, status: 'completed', counts: COUNTS });
      await expectReported(end.run);
      fixture.platform.seen.length = 0;
      const again = await fixture.json('retry', end.run);
      expect(again).toMatchObject({ code: 1, rows: 1, counts: { failed: 1 } });
      expect([...fixture.sent].sort()).toEqual(['L1', 'L2']);
    });

    it('is failed at the console, with each of its locks, and can be retried', async () => {
      const { run } = await fixture.json('run', 'overdue.yaml');
      const here = await startConsole({
        env: { ...process.env, ...fixture.env } as Record<string, string>,
        ledger: fixture.ledger,
      });
      try {
        const cookie = await here.signIn();
        const get = async (at: string) => (await here.ask(`/api/v1${at}`, { headers: { cookie } })).json();
        expect(await get(`/runs/${run}`)).toMatchObject({ counts: COUNTS, may: { retry: true } });
        const rows = (await get(`/runs/${run}/rows?status=failed`)) as { items: object[]; total: number };
        expect(rows).toMatchObject({ total: 1, items: [{ row: 2, status: 'failed' }] });
        const message = expect.stringMatching(/L1: succeeded; L2: /);
        expect(await get(`/runs/${run}/rows/2`)).toMatchObject({ row: 2, status: 'failed', message });
      } finally {
        await here.close();
      }
    });
  },
);
