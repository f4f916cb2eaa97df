import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startConsole } from '../support/console.js';
import { lockJob, OfficeDesk } from '../support/office-desk.js';

let desk: OfficeDesk;

describe.each(['SQLite', 'PostgreSQL'] as const)(
  'a row of several locks of which some were locked (%s)',
  (kind) => {
    beforeEach(async () => {
      desk = await OfficeDesk.open(kind);
      const told = path.join(desk.folder, 'told.json');
      await desk.settings(`, notify: [{ on: problem, command: ["/bin/sh", "-c", "cat > '${told}'"] }]`);
      await desk.file('overdue.yaml', lockJob('overdue', 'lock').replace('{ size: 1 }', '{ size: 10 }'));
      await desk.file('overdue.csv', 'Asset\n"L1;L2"\nL3\n"L12;L22"\n');
      desk.platform.answer = ({ body }) => {
        const status = (it: string) => (it.endsWith('2') ? 2 : 1);
        const data = (body.assetNums as string[]).map((assetNum) => ({ assetNum, status: status(assetNum) }));
        return { body: { code: 0, message: '', data } };
      };
    });

    afterEach(() => desk.close());

    /** One row of each kind: `failed`, as some of its locks were locked; one that went well; `rejected`, as none were. */
    const COUNTS = { failed: 1, succeeded: 1, rejected: 1 };

    async function expectTold(run: string): Promise<void> {
      const told = JSON.parse(await readFile(path.join(desk.folder, 'told.json'), 'utf8'));
      expect(told).toMatchObject({ run, exitCode: 1, counts: COUNTS });
      const lines = await desk.result(run);
      expect(lines.map((it) => it.status)).toEqual(['failed', 'succeeded', 'rejected']);
      expect(lines[0]?.message).toMatch(/L1: succeeded; L2: /);
      expect((await desk.json('runs', 'show', run)).counts).toEqual(COUNTS);
    }

    // Only a server has a queue. The rest is the same on both: contract/ runs the ledger's statements on each.
    if (kind === 'PostgreSQL') {
      it('is failed where workers send it, and in what they report', async () => {
        const { run } = await desk.json('submit', 'overdue.yaml');
        expect(await desk.call('worker', '--once')).toMatchObject({ code: 0 });
        expect(await desk.json('wait', run)).toMatchObject({ code: 1, status: 'completed', counts: COUNTS });
        await expectTold(run);
      });
      return;
    }

    it('is failed in --json, in the notification and in the result, and is sent again by retry', async () => {
      const end = await desk.json('run', 'overdue.yaml');
      expect(end).toMatchObject({ code: 1, status: 'completed', counts: COUNTS });
      await expectTold(end.run);
      desk.platform.seen.length = 0;
      const again = await desk.json('retry', end.run);
      expect(again).toMatchObject({ code: 1, rows: 1, counts: { failed: 1 } });
      expect([...desk.sent].sort()).toEqual(['L1', 'L2']);
    });

    it('is failed at the console, with each of its locks, and can be retried', async () => {
      const { run } = await desk.json('run', 'overdue.yaml');
      const here = await startConsole({
        env: { ...process.env, ...desk.env } as Record<string, string>,
        ledger: desk.ledger,
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
