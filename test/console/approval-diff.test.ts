import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { requestApproval } from '../../src/app/approvals.js';
import { orderJob, orderRows } from '../support/orders.js';
import { postgresPlace } from '../support/postgres/shared-server.js';
import { type RunsDesk, runsDesk } from '../support/runs-desk.js';

const SETTINGS = `version: 1
connections:
  checked:
    baseUrl: http://127.0.0.1:9
    token: { env: PLATFORM_TOKEN }
    approval: required
`;

const start = (ledger?: string) =>
  runsDesk({
    settings: SETTINGS,
    env: { PLATFORM_TOKEN: 's3cret' },
    ...(ledger === undefined ? {} : { ledger }),
  });

const PLACES = {
  sqlite: async () => ({ desk: await start(), remove: async () => {} }),
  postgres: async () => {
    const place = await postgresPlace();
    return { desk: await start(place.url), remove: () => place.remove() };
  },
};

interface Told {
  readonly sinceAsked?: { readonly run: string; readonly lines: readonly { readonly text: string }[] };
  readonly difference: readonly { readonly text: string }[];
}

describe.each(Object.entries(PLACES))('a plan next to the one that was asked for last: %s', (_, open) => {
  it('says what is new, changed, and not sent any more', async () => {
    const { desk, remove } = await open();
    try {
      const first = await planOf(desk, orderRows(40));
      expect((await shown(desk, first)).sinceAsked).toBeUndefined();
      // No user asked for it: a later plan isn't distinguished from it.
      const second = await planOf(desk, orderRows(41));
      expect((await shown(desk, second)).sinceAsked).toBeUndefined();

      await requestApproval(desk.app, first, {});
      const same = await planOf(desk, orderRows(40));
      expect((await shown(desk, same)).sinceAsked).toEqual({
        run: first,
        lines: [{ kind: 'asked', depth: 0, text: 'nothing: the same items, the same job' }],
      });
      const rows = orderRows(40).replace('SO-7,', 'SO-7-new,').replace('SO-9,Customer 9,', 'SO-9,Other,');
      const changed = await planOf(desk, rows);
      const { sinceAsked } = await shown(desk, changed);
      const lines = sinceAsked!.lines.map((it) => it.text);
      expect(lines).toEqual([
        '+ 1 new',
        expect.stringMatching(/^row 8: channelOrderId SO-7-new, /),
        '~ 1 changed',
        expect.stringMatching(/^row 10: channelOrderId SO-9, .*customerName Customer 9 -> Other$/),
        '- 1 no longer sent',
        expect.stringMatching(/^row 8 then: channelOrderId SO-7, /),
      ]);

      // A page has no --all.
      const { difference } = await shown(desk, changed);
      expect(difference.at(-1)!.text).toBe('… and 30 more, among the rows of the plan');
    } finally {
      await desk.close();
      await remove();
    }
  });
});

async function planOf(desk: RunsDesk, rows: string): Promise<string> {
  await writeFile(path.join(desk.folder, 'orders.yaml'), `${orderJob()}connection: checked\n`);
  await writeFile(path.join(desk.folder, 'orders.csv'), rows);
  return desk.run('plan');
}

async function shown(desk: RunsDesk, plan: string): Promise<Told> {
  return (await desk.get(`/plans/${plan}`)) as Told;
}
