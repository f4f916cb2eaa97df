import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { render } from '../../../src/errors/message.js';
import { differenceOf } from '../../../src/run/report/difference.js';
import type { RunEnd } from '../../../src/run/run-end.js';
import { type Answer, FakePlatform } from '../../support/fake-platform.js';
import { Fixture } from '../../support/job-runs.js';
import { LEDGER_MAKERS, SQLITE } from '../../support/ledgers.js';

const good: Answer = { body: { code: 0, message: 'success', data: true } };

const update = (operation = 'enterprise.update'): string => `version: 1
name: names
operation: ${operation}
source: { file: names.csv }
map: { crmCustomerId: No, customerName: Name, branchName: { value: North }, address: Address }
run: { retries: 0, onInvalid: skip }
`;

describe.each(LEDGER_MAKERS)('what a plan would change, on $name', (maker) => {
  let fixture: Fixture;
  let platform: FakePlatform;

  beforeEach(async () => {
    fixture = await Fixture.open(maker);
    platform = await new FakePlatform(() => good).start();
  });

  afterEach(async () => {
    await platform.stop();
    await fixture.close();
  });

  async function run(rows: string, job = update(), dryRun = false): Promise<RunEnd> {
    await fixture.file('names.csv', rows);
    return fixture.run(await fixture.file('job.yaml', job), { connection: platform.connection(), dryRun });
  }

  async function reported(rows: string, job = update()): Promise<readonly string[]> {
    const run_ = await fixture.ledger.runs.get((await run(rows, job, true)).run);
    const lines: string[] = [];
    for await (const { depth, text } of differenceOf(fixture.ledger, run_!, false)) {
      if (depth === 1) lines.push(render(text, 'en'));
    }
    return lines;
  }

  it('names the old value where an earlier run sent it, and nothing where none did', async () => {
    const first = await run('No,Name,Address\nC1,Ann,Road 1\nC2,Bob,\n');
    expect(await reported('No,Name,Address\nC1,Anne,Road 2\nC2,Bob,\nC3,Cid,\n')).toEqual([
      `row 2: customerName Anne, crmCustomerId C1; address Road 1 -> Road 2, customerName Ann -> Anne (old: what run ${first.run}, row 2, sent)`,
      `row 3: customerName Bob, crmCustomerId C2; the same as run ${first.run}, row 3, sent`,
      'row 4: customerName Cid, crmCustomerId C3',
    ]);
  });

  // The rest is the same on both: contract/ runs the ledger's statements on each.
  if (maker !== SQLITE) return;

  it('takes the last of several runs, also one that created the customer', async () => {
    platform.answer = ({ body }) => ({
      body: { code: 0, message: 'success', data: { enterpriseGlobalId: `E-${String(body.crmCustomerId)}` } },
    });
    const created = await run('No,Name,Address\nC1,Ann,\nC2,Bob,\n', update('enterprise.create'));
    platform.answer = () => good;
    const second = await run('No,Name,Address\nC1,Anna,\n');
    expect(await reported('No,Name,Address\nC1,Anne,\nC2,Bobby,\n')).toEqual([
      expect.stringContaining(`customerName Anna -> Anne (old: what run ${second.run}, row 2, sent)`),
      expect.stringContaining(`customerName Bob -> Bobby (old: what run ${created.run}, row 3, sent)`),
    ]);
  });

  it('says nothing where it is uncertain what was executed last', async () => {
    await run('No,Name,Address\nC1,Ann,\nC2,Bob,\n');
    platform.answer = ({ body }) =>
      body.crmCustomerId === 'C1' ? { body: { code: 10001, message: 'no', data: null } } : good;
    const second = await run('No,Name,Address\nC1,Anna,\nC2,Bobby,\n');
    expect(second.counts).toEqual({ rejected: 1, succeeded: 1 });
    // What was refused changed nothing.
    expect((await reported('No,Name,Address\nC1,Anne,\n'))[0]).toContain('customerName Ann -> Anne');
    // A run that began before the other one ended may have sent later.
    const { startedAt = 0 } = (await fixture.ledger.runs.get(second.run)) ?? {};
    const [oldest] = (await fixture.ledger.runs.list(100)).toReversed();
    await fixture.ledger.runs.patch(oldest!.id, { endedAt: startedAt + 1 });
    expect(await reported('No,Name,Address\nC2,Rob,\n')).toEqual([
      'row 2: customerName Rob, crmCustomerId C2',
    ]);
  });

  it('names what a lock was, as an earlier run left it or as a lookup found it', async () => {
    platform.answer = ({ path, body }) =>
      path.includes('/list') || !Array.isArray(body.assetNums)
        ? { body: { code: 0, message: 'success', data: [{ id: 'A', assetNum: '0071', locked: false }] } }
        : {
            body: {
              code: 0,
              message: 'success',
              data: body.assetNums.map((assetNum) => ({ assetNum, status: 1 })),
            },
          };
    const lock = (name: string, map: string): string =>
      `version: 1\nname: locks\noperation: asset.${name}\nsource: { file: names.csv }\nmap: { assetNums: ${map}, operatorIdentity: { value: ops } }\n`;
    const locked = await run('No,Name\n0071,x\n', lock('lock', 'No'));
    expect(locked.counts).toEqual({ succeeded: 1 });
    expect(await reported('No,Name\n0071,x\n0072,x\n', lock('unlock', 'No'))).toEqual([
      `row 2: assetNums 0071; locked TRUE -> FALSE (old: what run ${locked.run}, row 2, sent)`,
      'row 3: assetNums 0072 locked: -> FALSE',
    ]);
    const found = '{ lookup: asset.list, with: { enterpriseGlobalId: No }, take: assetNum }';
    expect(await reported('No,Name\nE1,x\n', lock('lock', found))).toEqual([
      'row 2: assetNums 0071; locked FALSE -> TRUE (old: as looked up)',
    ]);
  });
});
