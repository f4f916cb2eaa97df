import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { requestApproval } from '../../src/app/approvals.js';
import { orderJob, orderRows } from '../support/orders.js';
import { postgresPlace } from '../support/postgres/shared-server.js';
import { type RunsFixture, runsFixture } from '../support/runs-fixture.js';

const SETTINGS = `version: 1
connections:
  checked:
    baseUrl: http://127.0.0.1:9
    token: { env: PLATFORM_TOKEN }
    approval: required
`;

const start = (ledger?: string) =>
  runsFixture({
    settings: SETTINGS,
    env: { PLATFORM_TOKEN: 's3cret' },
    ...(ledger === undefined ? {} : { ledger }),
  });

const PLACES = {
  sqlite: async () => ({ fixture: await start(), remove: async () => {} }),
  postgres: async () => {
    const place = await postgresPlace();
    return { fixture: await start(place.url), remove: () => place.remove() };
  },
};

interface Reported {
  readonly sinceAsked?: {
    readonly run: string;
    readonly approved: boolean;
    readonly lines: readonly { readonly text: string }[];
  };
  readonly difference: readonly { readonly text: string }[];
}

describe.each(Object.entries(PLACES))('a plan next to the one that was asked for last: %s', (_, open) => {
  it('says what is new, changed, and not sent any more', async () => {
    const { fixture, remove } = await open();
    try {
      const first = await planOf(fixture, orderRows(40));
      expect((await shown(fixture, first)).sinceAsked).toBeUndefined();
      // No user asked for it: a later plan isn't distinguished from it.
      const second = await planOf(fixture, orderRows(41));
      expect((await shown(fixture, second)).sinceAsked).toBeUndefined();

      await requestApproval(fixture.app, first, {});
      const same = await planOf(fixture, orderRows(40));
      expect((await shown(fixture, same)).sinceAsked).toEqual({
        run: first,
        approved: false,
        lines: [{ kind: 'asked', depth: 0, text: 'nothing: the same items, the same job' }],
      });
      const rows = orderRows(40).replace('SO-7,', 'SO-7-new,').replace('SO-9,Customer 9,', 'SO-9,Other,');
      const changed = await planOf(fixture, rows);
      const { sinceAsked } = await shown(fixture, changed);
      const lines = sinceAsked!.lines.map((it) => it.text);
      expect(lines).toEqual([
        '+ 1 new',
        expect.stringMatching(/^row 8: channelOrderId SO-7-new, /),
        '~ 1 changed',
        expect.stringMatching(/^row 10: channelOrderId SO-9, .*customerName Customer 9 -> Other$/),
        '- 1 no longer sent',
        expect.stringMatching(/^row 8 then: channelOrderId SO-7, /),
      ]);

      // An approved plan is compared before a newer one that was only requested.
      await requestApproval(fixture.app, changed, {});
      const last = await planOf(fixture, rows);
      const authorization = `Bearer ${await fixture.addPerson('zed', ['checker'])}`;
      const decide = async (act: 'approve' | 'reject') => {
        const body = { comment: 'as checked' };
        const decided = await fixture.ask('POST', `/plans/${first}/${act}`, body, {
          authorization,
          cookie: '',
        });
        expect(decided.status).toBe(200);
      };
      await decide('approve');
      const comparison = async () => (await shown(fixture, last)).sinceAsked;
      expect(await comparison()).toMatchObject({ run: first, approved: true, lines: sinceAsked!.lines });
      await decide('reject');
      expect(await comparison()).toMatchObject({ run: changed, approved: false });

      // A page has no --all.
      const { difference } = await shown(fixture, changed);
      expect(difference.at(-1)!.text).toBe('… and 30 more, among the rows of the plan');
    } finally {
      await fixture.close();
      await remove();
    }
  });
});

async function planOf(fixture: RunsFixture, rows: string): Promise<string> {
  await writeFile(path.join(fixture.folder, 'orders.yaml'), `${orderJob()}connection: checked\n`);
  await writeFile(path.join(fixture.folder, 'orders.csv'), rows);
  return fixture.run('plan');
}

async function shown(fixture: RunsFixture, plan: string): Promise<Reported> {
  return (await fixture.get(`/plans/${plan}`)) as Reported;
}
