import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { licenseSync } from '../support/command.js';
import { FakePlatform } from '../support/fake-platform.js';
import { postgresPlace } from '../support/postgres/shared-server.js';
import { LEDGER_KINDS, runsFixture } from '../support/runs-fixture.js';

/** The second step locks all that the first one returned. */
const JOB = `version: 1
name: numbered
connection: office
source: { file: rows.csv }
steps:
  - name: numbers
    operation: asset.numbers
    map: { size: Locks }
  - name: lock
    operation: asset.lock
    map:
      assetNums: { from: numbers.assetNumber }
      operatorIdentity: { value: me }
`;

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

describe.each(LEDGER_KINDS)('a run that stopped before a step (%s)', (kind) => {
  it('is requested, approved and resumed at its page', async () => {
    const locked: string[] = [];
    let last = 8_600_000_001;
    const platform = await new FakePlatform(({ query, body }) => {
      const size = Number(query.get('size') ?? body.size ?? 0);
      const numbers = (body.assetNums ?? []) as string[];
      locked.push(...numbers);
      const data =
        size > 0
          ? Array.from({ length: size }, () => `${last++}`)
          : numbers.map((assetNum) => ({ assetNum, status: 1 }));
      return { body: { code: 0, message: 'success', data } };
    }).start();
    closing.push(() => platform.stop());
    const place = kind === 'PostgreSQL' ? await postgresPlace() : undefined;
    if (place) closing.push(() => place.remove());
    const { baseUrl, appKey } = platform.connection();
    const fixture = await runsFixture({
      settings: `version: 1
connections:
  office:
    baseUrl: ${baseUrl}
    appKey: ${appKey}
    token: { file: token.txt }
    approval: { operations: [asset.lock], above: 21 }
`,
      ...(place ? { ledger: place.url } : {}),
    });
    closing.push(() => fixture.close());
    await writeFile(path.join(fixture.folder, 'token.txt'), 'any', { mode: 0o600 });
    await writeFile(path.join(fixture.folder, 'orders.yaml'), JOB);
    await writeFile(path.join(fixture.folder, 'rows.csv'), 'Locks\n20\n2\n');

    const run = await fixture.run('run');
    const tokens = {
      zed: await fixture.addPerson('zed', ['checker']),
      mae: await fixture.addPerson('mae', ['maker']),
    };
    const checker = { authorization: `Bearer ${tokens.zed}`, cookie: '' };
    const maker = { authorization: `Bearer ${tokens.mae}`, cookie: '' };
    const shown = async (at: string, as: Record<string, string>) => {
      const answer = await fixture.ask('GET', at, undefined, as);
      expect(answer.status, at).toBe(200);
      return (await answer.json()) as Record<string, never>;
    };
    const done = async (at: string, as: Record<string, string>, body: object = {}) =>
      (await fixture.ask('POST', at, body, as)).status;

    expect(await shown(`/runs/${run}`, maker)).toMatchObject({
      state: 'stopped',
      approval: { state: 'not_asked' },
      may: { request: true, resume: 'another user must approve it first' },
    });
    const plan = await shown(`/plans/${run}`, maker);
    expect(plan).toMatchObject({
      items: 22,
      refused: expect.stringContaining('“Request approval”'),
      first: [{ operation: 'asset.lock' }],
      skipped: [],
      may: { request: true },
    });
    expect(plan.may).not.toHaveProperty('send');
    expect(await shown(`/runs/${run}`, checker)).toMatchObject({
      may: { approve: 'approval has not been requested' },
    });

    expect(await done(`/plans/${run}/request`, maker, { planHash: plan.hash })).toBe(200);
    expect(await shown('/runs?approval=waiting', checker)).toMatchObject({ items: [{ run }] });
    expect(await shown(`/runs/${run}`, checker)).toMatchObject({ may: { approve: true, reject: true } });
    expect(await done(`/plans/${run}/approve`, maker)).toBe(403);
    expect(await done(`/plans/${run}/approve`, checker, { planHash: 'f'.repeat(64) })).toBe(400);
    const command = (as: string, ...args: readonly string[]) =>
      licenseSync(args, {
        cwd: fixture.folder,
        env: {
          LICENSE_SYNC_USER_TOKEN: as,
          LICENSE_SYNC_LEDGER: place?.url ?? path.join(fixture.folder, '.license-sync', 'ledger.db'),
        },
      });
    const approved = await command(tokens.zed, 'approve', run);
    expect(approved).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`license-sync resume ${run}`),
    });
    expect(await shown('/runs?approval=waiting', checker)).toMatchObject({ items: [] });

    expect(await shown(`/runs/${run}`, maker)).toMatchObject({ may: { resume: true } });
    expect(locked).toEqual([]);
    expect(await done(`/runs/${run}/resume`, maker)).toBe(202);
    // On a server the rest is for workers; the console has queued it once it is free.
    if (place) {
      const state = async () => (await shown(`/runs/${run}`, maker)).state;
      await expect.poll(state).toBe('queued');
      expect(await command(tokens.mae, 'worker', '--once')).toMatchObject({ code: 0 });
    } else await fixture.over(run);
    expect(await shown(`/runs/${run}`, maker)).toMatchObject({
      state: 'completed',
      counts: { succeeded: 2 },
    });
    expect([new Set(locked).size, locked.length]).toEqual([22, 22]);
    const after = await shown(`/runs/${run}`, checker);
    expect(after.may).not.toHaveProperty('approve');
  });
});
