import { expect, test } from 'vitest';
import type { Ledger } from '../../src/ledger/contract/ledger.js';
import {
  allPending,
  closeBatch,
  openBatch,
  order,
  planRun,
  runStart,
  SUCCEEDED,
  statuses,
} from '../support/ledger-samples.js';
import { describeLedger, POSTGRES } from '../support/ledgers.js';

const NEW = 'postgres://sync@db.example.com/licences';
const BY = { id: '1', who: 'wang', at: 10 };
const SESSION = { id: 's1', who: 'wang', via: 'token', createdAt: 1, seenAt: 1, expiresAt: 2 } as const;
const IMPORT = {
  id: 'i1',
  by: 'wang',
  at: 1000,
  name: 'a.csv',
  inputSha256: 'aa',
  jobFile: '/jobs/a.yaml',
  jobSha256: 'bb',
  guessed: false,
  lookups: false,
};

async function* bytes(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('a,b\n1,2\n');
}

/** A write of each kind, as a process that has the ledger open may try it. */
const WRITES: Readonly<Record<string, (ledger: Ledger) => Promise<unknown>>> = {
  'a new run': (it) => it.runs.create(runStart('r2')),
  'the state of a run': (it) => it.runs.patch('r', { state: 'stopped' }),
  'the lock of a run': (it) => it.lock('other', 'sandbox', 'r2'),
  'a sealed plan': (it) => it.approvals.seal('r', { planHash: 'c'.repeat(64), needsApproval: false }),
  resolutions: (it) =>
    it.resolutions.record('r', [
      { item: 1, outcome: { status: 'succeeded' }, at: 1, who: 'wang', how: 'operator', evidence: 'seen' },
    ]),
  'open attempts of a dead process': (it) => it.execution.recover('r', false, { status: 'unknown' }),
  'the replies to lookups': (it) =>
    it.lookups.add('r', [
      {
        key: 'k',
        operation: 'asset.list',
        request: {},
        answer: { kind: 'records', count: 0, json: '[]' },
        requests: 1,
        askedAt: 1,
      },
    ]),
  'a user': (it) => it.people.add({ name: 'li', roles: ['maker'], tokenSha256: 'a'.repeat(64) }, 'wang'),
  'an audit entry': (it) => it.audit.append({ who: 'wang', act: 'stop' }),
  'a due time': (it) => it.schedule.begin('job', 1, 2),
  'a paused schedule': (it) => it.schedule.pause('job', 1, 'wang'),
  'an import': (it) => it.imports.create(IMPORT),
  'an upload': (it) => it.inputs.put('a.csv', bytes()),
  'a correction': (it) =>
    it.corrections.add('i1', [{ row: 1, column: 1, header: 'a', before: '1', text: '2' }], BY),
  'a session': (it) => it.sessions.begin(SESSION),
};

describeLedger('closed while another process has it open', (here, maker) => {
  const close = async (): Promise<Ledger> => {
    const other = await here.another();
    await other.guard.close(NEW);
    return other;
  };

  test('every write is refused, naming the new ledger, and what it has can be read', async () => {
    await planRun(here.ledger, 'r', [order(1), order(2)]);
    const other = await close();
    for (const [what, write] of Object.entries(WRITES)) {
      const refused = { kind: 'usage', detail: { code: 'ledger.closed', params: { to: NEW } } };
      await expect(write(here.ledger), what).rejects.toMatchObject(refused);
    }
    // Nothing waits for this one.
    await here.ledger.sessions.seen('s1', 5);
    expect(await allPending(here.ledger, 'r')).toHaveLength(2);
    await other.guard.close(undefined);
    await here.ledger.runs.create(runStart('r2'));
    await here.ledger.audit.append({ who: 'wang', act: 'stop' });
    expect((await here.ledger.runs.list(5)).map((it) => it.id)).toEqual(['r2', 'r']);
  });

  test('outcomes of requests in flight are recorded, and no further request begins', async () => {
    await planRun(here.ledger, 'r', [order(1), order(2, { key: 'K' }), order(3), order(4)]);
    await openBatch(here.ledger, 'r', 1);
    await openBatch(here.ledger, 'r', 2);
    await close();
    const ends = [
      closeBatch(here.ledger, 'r', 1, { 1: SUCCEEDED }),
      openBatch(here.ledger, 'r', 3),
      closeBatch(here.ledger, 'r', 2, { 2: { status: 'unknown' } }),
    ];
    const [first, refused, second] = await Promise.allSettled(ends);
    expect([first?.status, second?.status]).toEqual(['fulfilled', 'fulfilled']);
    const stopped = { reason: { kind: 'safety', detail: { code: 'ledger.closed', params: { to: NEW } } } };
    expect(refused).toMatchObject(stopped);
    await expect(openBatch(here.ledger, 'r', 4, 2)).rejects.toMatchObject(stopped.reason);
    expect(await statuses(here.ledger, 'r')).toBe('1 succeeded, 2 unknown, 3 not_sent, 4 not_sent');
  });

  test.runIf(maker === POSTGRES)('a reply that must be looked at is recorded, too', async () => {
    await planRun(here.ledger, 'r', [order(1)]);
    const intent = { run: 'r', batch: 1, attempt: 1, nonce: 'n1', startedAt: 1000 };
    await here.ledger.execution.open(intent, { claim: true });
    await here.ledger.execution.recover('r', false, { status: 'unknown' });
    await close();
    const late = await closeBatch(here.ledger, 'r', 1, { 1: SUCCEEDED }, { nonce: 'n1' });
    expect(late).toMatchObject({ kind: 'late', settled: 1 });
    expect(await statuses(here.ledger, 'r')).toBe('1 succeeded');
  });
});
