import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { retryRun } from '../../src/run/retry.js';
import type { RunEnd } from '../../src/run/run-end.js';
import { type Answer, FakePlatform, type Seen } from '../support/fake-platform.js';
import { Fixture } from '../support/job-runs.js';
import { readSheet } from '../support/read-sheet.js';

let fixture: Fixture;
let platform: FakePlatform;

beforeEach(async () => {
  fixture = await Fixture.open();
  platform = await new FakePlatform(answer).start();
});

afterEach(async () => {
  await platform.stop();
  await fixture.close();
});

/** Does what it is asked; customer BAD is unknown to it. */
function answer({ body }: Seen): Answer {
  if (body.crmCustomerId === 'BAD') return { body: { code: 404, message: 'no such customer' } };
  const locks = (body.assetNums as string[] | undefined) ?? [];
  const data = locks.map((assetNum) => ({ assetNum, status: 1 }));
  return { body: { code: 0, message: 'success', data } };
}

const LOCKS = (operation: string): string => `version: 1
name: locks
operation: ${operation}
source: { file: rows.csv }
map: { assetNums: Locks, operatorIdentity: Operator }
`;

const UPDATES = `version: 1
name: updates
operation: enterprise.update
source: { file: rows.csv }
map: { crmCustomerId: Id, customerName: Name, branchName: Branch, address: Address }
`;

async function run(job: string, rows: string, onInvalid = 'skip', batch = 100): Promise<RunEnd> {
  return fixture.run(await fixture.file('job.yaml', job), {
    connection: platform.connection(),
    input: await fixture.file('rows.csv', rows),
    set: ['run.retries=0', `run.onInvalid=${onInvalid}`, ...(job === UPDATES ? [] : [`batch.size=${batch}`])],
  });
}

const statuses = async (end: RunEnd): Promise<string[]> =>
  (await readSheet(end.output ?? '')).map((it) => it.status ?? '');
const locked = (): string[] =>
  platform.seen.flatMap(({ body }) =>
    (body.assetNums as string[]).map((it) => `${it} ${body.operatorIdentity}`),
  );

describe.each(['asset.lock', 'asset.unlock'])('rows of %s that name one lock', (operation) => {
  it('send it once where they agree, and share its outcome', async () => {
    const end = await run(
      LOCKS(operation),
      'Locks,Operator\nL1,a\nL2,a\nL1,a\n"L1,L3",a\nL2,a\n',
      'abort',
      1,
    );
    expect(locked().sort()).toEqual(['L1 a', 'L2 a', 'L3 a']);
    expect(await statuses(end)).toEqual(['succeeded', 'succeeded', 'succeeded', 'succeeded', 'succeeded']);
  });

  it.each([1, 100])(
    'are invalid where they differ, each naming the other, in batches of %i',
    async (batch) => {
      const rows = 'Locks,Operator\nL1,a\nL2,a\nL3,a\nL1,b\n"L4,L2",b\nL4,b\nL1,a\n';
      const end = await run(LOCKS(operation), rows, 'skip', batch);
      // L4 goes for row 7 alone: row 6, which names it too, is not sent in any part.
      expect(locked().sort()).toEqual(['L3 a', 'L4 b']);
      const lines = await readSheet(end.output ?? '');
      const invalid = 'invalid';
      expect(lines.map((it) => it.status)).toEqual([
        ...[invalid, invalid, 'succeeded', invalid, invalid, 'succeeded', invalid],
      ]);
      const reported = lines.map((it) => it.message ?? '');
      expect(reported[0]).toContain('rows!A2 assetNums: row 5 (A5) names L1 as well');
      expect(reported[0]).toContain('operatorIdentity (B2, B5)');
      expect(reported[3]).toContain('rows!A5 assetNums: row 2 (A2) names L1');
      expect(reported[4]).toContain('rows!A6 assetNums: row 3 (A3) names L2');
      expect(reported[6]).toContain('rows!A8 assetNums: row 5 (A5) names L1');
    },
  );

  it('send nothing at all under abort', async () => {
    const end = await run(LOCKS(operation), 'Locks,Operator\nL1,a\nL2,a\nL1,b\n', 'abort');
    expect(platform.seen).toEqual([]);
    expect(end.counts).toEqual({ invalid: 2, not_sent: 1 });
  });
});

describe('rows of enterprise.update that name one customer', () => {
  const HEADER = 'Id,Name,Branch,Address\n';

  it('send it once where they agree, and share its outcome', async () => {
    const end = await run(UPDATES, `${HEADER}C1,One,B,\nBAD,Two,B,x\nC1,One,B,\nBAD,Two,B,x\n`);
    expect(platform.seen.map(({ body }) => body.crmCustomerId).sort()).toEqual(['BAD', 'C1']);
    expect(await statuses(end)).toEqual(['succeeded', 'rejected', 'succeeded', 'rejected']);
  });

  it('are invalid where they differ in anything, each naming the other and the cells', async () => {
    const rows = `${HEADER}C1,One,B,\nC2,Two,B,\nC1,One,B,Street 1\nC3,Three,B,\nC2,Zwei,D,\nC2,Two,B,\n`;
    const end = await run(UPDATES, rows);
    expect(platform.seen.map(({ body }) => body.crmCustomerId)).toEqual(['C3']);
    const lines = await readSheet(end.output ?? '');
    expect(lines.map((it) => it.status)).toEqual([
      ...['invalid', 'invalid', 'invalid', 'succeeded', 'invalid', 'invalid'],
    ]);
    expect(lines[0]?.message).toContain(
      'row 4 (A4) names C1 as well, with different content: address (D2, D4)',
    );
    expect(lines[4]?.message).toContain('row 3 (A3) names C2 as well');
    expect(lines[4]?.message).toContain('customerName (B6, B3)');
    expect(lines[5]?.message).toContain('row 6 (A6)');
  });

  it('that agree are sent again once by a retry', async () => {
    const well = platform.answer;
    platform.answer = () => ({ status: 503, body: {} });
    const first = await run(UPDATES, `${HEADER}C1,One,B,\nC2,Two,B,\nC1,One,B,\nC3,x,B,\nC3,y,B,\n`);
    expect(first.counts).toEqual({ failed: 3, invalid: 2 });
    platform.answer = well;
    platform.seen.length = 0;
    const parent = (await fixture.ledger.runs.get(first.run))!;
    const wish = { include: new Set<never>(), connection: platform.connection(), change: <T>(it: T) => it };
    const again = await retryRun(fixture.parts(), parent, wish);
    expect(platform.seen.map(({ body }) => body.crmCustomerId).sort()).toEqual(['C1', 'C2']);
    expect('counts' in again && again.counts).toEqual({ succeeded: 3 });
  });

  it('are found in a large file, and name no more than a few of many', async () => {
    const lines = Array.from({ length: 3000 }, (_, index) => `C${index},Name,B,`);
    const wrong = Array.from({ length: 40 }, (_, index) => `C7,Other ${index},B,`);
    const end = await run(UPDATES, `${HEADER}${[...lines, ...wrong].join('\n')}\n`, 'abort');
    expect(end.counts).toEqual({ invalid: 41, not_sent: 2999 });
    const reported = (await readSheet(end.output ?? ''))[7]?.message ?? '';
    expect(reported.match(/A30\d\d/g)).toHaveLength(10);
  });
});
