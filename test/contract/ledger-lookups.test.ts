import { expect, test } from 'vitest';
import { message } from '../../src/errors/message.js';
import type { LookupLine } from '../../src/ledger/contract/plan.js';
import { carry, collect, order, planRun, runStart, SUCCEEDED } from '../support/ledger-samples.js';
import { describeLedger } from '../support/ledgers.js';

const asked = (key: string, more: Partial<LookupLine> = {}): LookupLine => ({
  key,
  operation: 'enterprise.query',
  request: { channelCode: 'CH01', channelCustomerId: key },
  answer: { kind: 'records', count: 1, json: `[{"customerId":"CU-${key}","big":12345678901234567890}]` },
  requests: 1,
  askedAt: 1000,
  ...more,
});

const REFUSED = asked('c', {
  answer: { kind: 'none', detail: message('platform.given_up') },
  requests: 5,
});

describeLedger('lookups', (here) => {
  test('answers are found by their keys, each in its own run', async () => {
    const { lookups, runs } = here.ledger;
    await runs.create(runStart('one'));
    await runs.create(runStart('two'));
    const reported = asked('d', { answer: { kind: 'none', detail: 'no such channel' } });
    await lookups.add('one', [asked('a'), asked('b'), REFUSED, reported]);
    await lookups.add('two', [
      asked('a', { operation: 'asset.list', answer: { kind: 'records', count: 0, json: '[]' } }),
    ]);
    const found = await lookups.find('one', ['c', 'a', 'gone', 'd']);
    expect([...found].sort((one, two) => (one.key < two.key ? -1 : 1))).toEqual([
      asked('a'),
      REFUSED,
      reported,
    ]);
    expect((await lookups.find('two', ['a', 'b'])).map(({ key, operation }) => [key, operation])).toEqual([
      ['a', 'asset.list'],
    ]);
    expect(await lookups.find('one', [])).toEqual([]);
  });

  test('counts', async () => {
    const { lookups, runs } = here.ledger;
    await runs.create(runStart('one'));
    expect(await lookups.counts('one')).toEqual({ asked: 0, unanswered: 0, requests: 0 });
    await lookups.add('one', [asked('a'), asked('b', { requests: 2 }), REFUSED]);
    expect(await lookups.counts('one')).toEqual({ asked: 3, unanswered: 1, requests: 8 });
  });

  test('what is asked again takes the place of what came before, and its attempts count', async () => {
    const { lookups, runs } = here.ledger;
    await runs.create(runStart('one'));
    await lookups.add('one', [REFUSED]);
    await lookups.add('one', [asked('c', { askedAt: 2000 })]);
    expect(await lookups.find('one', ['c'])).toEqual([asked('c', { askedAt: 2000, requests: 6 })]);
    expect(await lookups.counts('one')).toEqual({ asked: 1, unanswered: 0, requests: 6 });
  });

  test('requests are listed, more than a page of them', async () => {
    const { lookups, runs } = here.ledger;
    await runs.create(runStart('one'));
    const many = Array.from({ length: 1203 }, (_, index) => asked(String(index).padStart(5, '0')));
    await lookups.add('one', many);
    const listed = (await collect(lookups.requests('one'))).flat();
    expect(listed).toEqual(many.map(({ operation, request }) => ({ operation, request })));
  });

  test('an answer of megabytes', async () => {
    const { lookups, runs } = here.ledger;
    await runs.create(runStart('one'));
    const json = `[${Array.from({ length: 100_000 }, (_, n) => `{"assetNum":"81${n}","note":"正常"}`).join(',')}]`;
    await lookups.add('one', [asked('a', { answer: { kind: 'records', count: 100_000, json } })]);
    const [found] = await lookups.find('one', ['a']);
    expect(found?.answer.kind === 'records' && found.answer.json.length).toBe(json.length);
  });

  test('a plan that is made again keeps them; pruning does not', async () => {
    const { lookups, runs, plan } = here.ledger;
    await runs.create(runStart('again'));
    await lookups.add('again', [asked('a')]);
    await plan.clear('again');
    expect(await lookups.find('again', ['a'])).toEqual([asked('a')]);
    await planRun(here.ledger, 'old', [order(2)]);
    await lookups.add('old', [asked('a')]);
    await carry(here.ledger, 'old', 1, { 1: SUCCEEDED });
    await runs.patch('old', { state: 'completed', endedAt: 1000, exitCode: 0 });
    expect(await runs.prune(2000)).toBe(1);
    expect(await lookups.find('old', ['a'])).toEqual([]);
    expect(await lookups.counts('old')).toEqual({ asked: 0, unanswered: 0, requests: 0 });
  });
});
