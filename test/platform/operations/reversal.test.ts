import { describe, expect, test } from 'vitest';
import type { ItemOutcome } from '../../../src/model/item.js';
import type { JsonObject } from '../../../src/model/json.js';
import { type ItemContent, OPERATION_NAMES, type OperationName } from '../../../src/model/operation.js';
import { OPERATIONS } from '../../../src/platform/operations/catalogue.js';
import { applyEffect, SIMULATIONS } from '../../../src/platform/operations/simulations.js';
import { State } from '../../../src/platform/simulated/state.js';
import { seed, seedLock } from '../../../src/sandbox/seed.js';
import { CAREFUL, CONTEXT, ENVELOPE, NEW_BUY, PACKAGE, PRODUCT } from './samples.js';

const DONE: ItemOutcome = { status: 'succeeded', licenseOrderId: 'LO-9' };

function undone(name: OperationName, sent: ItemContent, outcome: ItemOutcome = DONE) {
  const { reversal } = OPERATIONS[name];
  if (reversal.kind === 'none') throw new Error(`${name} has no way back`);
  return reversal.undo(sent, outcome);
}

/** Sends an item to a platform, and gives what its own reader makes of the reply. */
function send(state: State, name: OperationName, { envelope, body }: ItemContent): ItemOutcome {
  const operation = OPERATIONS[name];
  expect(operation.rules({ envelope, body }, CAREFUL)).toEqual([]);
  const request = operation.compose(envelope, [body], CONTEXT);
  const simulation = SIMULATIONS.find((it) => it.endpoint.path === request.path);
  const decision = simulation?.decide(state, { params: new Map(), body: request.body ?? {} });
  if (decision?.kind !== 'effect') throw new Error(JSON.stringify(decision));
  const reply = applyEffect(state, { effect: decision.effect, at: 0, nonce: '' });
  const [outcome] = operation.read(reply, request, 1).outcomes;
  if (!outcome) throw new Error('no outcome');
  return outcome;
}

function platform(): State {
  const state = new State(
    'milliseconds',
    SIMULATIONS.flatMap((it) => it.counts ?? []),
  );
  seed(state);
  return state;
}

test('every operation says what undoes it, or why nothing does', () => {
  const said = OPERATION_NAMES.map((name) => {
    const { reversal } = OPERATIONS[name];
    return `${name}: ${reversal.kind === 'operation' ? reversal.operation : reversal.reason.code}`;
  });
  expect(said).toEqual([
    'enterprise.bind: way_back.no_endpoint',
    'enterprise.create: way_back.no_endpoint',
    'enterprise.query: way_back.reads',
    'enterprise.update: way_back.values_untold',
    'order.new_buy: order.delete_asset',
    'order.delete_asset: way_back.revoked',
    'order.delete_product: way_back.revoked',
    'asset.lock: asset.unlock',
    'asset.unlock: asset.lock',
    'asset.list: way_back.reads',
    'asset.numbers: way_back.no_endpoint',
    'activity.participate: way_back.no_endpoint',
  ]);
});

describe('a purchase', () => {
  const sent = (change: JsonObject = {}): ItemContent => ({
    envelope: ENVELOPE,
    body: { ...NEW_BUY, ...change },
  });

  test('is undone by one order that revokes all its assets, by the licence order that it became', () => {
    const assets: JsonObject[] = [
      { assetNos: ['007', '008'], products: [PRODUCT] },
      { assetNos: ['009', '007'], merchandises: [{ ...PACKAGE, children: [PACKAGE] }] },
    ];
    const back = undone('order.new_buy', sent({ assets }));
    expect(back).toMatchObject({
      kind: 'item',
      content: {
        envelope: { channelCode: 'CH01', syncMode: 'sync' },
        body: {
          customerName: '北京宏图',
          crmCustomerId: 'CRM-1',
          srcLicenseOrderId: 'LO-9',
        },
      },
    });
    expect(back).toHaveProperty('content.body.assets', [{ assetNos: ['007', '008', '009'] }]);
    // Its own order number would be treated as a repeat of the purchase.
    expect(back).not.toHaveProperty('content.envelope.channelOrderId');
    expect(back).not.toHaveProperty('content.body.orderType');
  });

  test('that was accepted is undone by an order that goes the same way', () => {
    const content: ItemContent = { ...sent(), envelope: { ...ENVELOPE, syncMode: 'async' } };
    const back = undone('order.new_buy', content, { ...DONE, status: 'accepted' });
    expect(back).toMatchObject({
      kind: 'item',
      content: { envelope: { syncMode: 'async' }, body: { srcLicenseOrderId: 'LO-9' } },
    });
  });

  test('leaves the asset with what other orders brought to it', () => {
    const state = platform();
    const assetNum = '8200000001';
    const before = state.assets.get(assetNum)?.products;
    const buying = sent({ assets: [{ assetNos: [assetNum], products: [PRODUCT] }] });
    const outcome = send(state, 'order.new_buy', buying);
    expect(state.assets.get(assetNum)?.products).toHaveLength(3);
    const back = undone('order.new_buy', buying, outcome);
    if (back.kind !== 'item') throw new Error(back.reason.code);
    expect(send(state, 'order.delete_asset', back.content).status).toBe('succeeded');
    expect(state.assets.get(assetNum)?.products).toEqual(before);
  });

  const moved = { ...PRODUCT, srcLicenseOrderId: 'LO-1' };
  test.each<[string, JsonObject, Partial<ItemOutcome>, string]>([
    ['was refused', {}, { status: 'rejected' }, 'not_done'],
    ['is in doubt', {}, { status: 'unknown' }, 'not_done'],
    ['has no licence order number', {}, { licenseOrderId: undefined }, 'no_order_id'],
    ['moved a product', { assets: [{ assetNos: ['1'], products: [moved] }] }, {}, 'moved'],
    [
      'moved an asset',
      { assets: [{ assetNos: ['1'], transferedAssetNum: true, products: [PRODUCT] }] },
      {},
      'moved',
    ],
    ['names no asset', { assets: [] }, {}, 'no_assets'],
  ])('has none where it %s', (_, change, outcome, reason) => {
    const back = undone('order.new_buy', sent(change), { ...DONE, ...outcome });
    expect(back).toMatchObject({ kind: 'none', reason: { code: `way_back.${reason}` } });
  });
});

describe('a lock', () => {
  const [open, shut] = [seedLock(1).assetNum, seedLock(181).assetNum];
  const sent = (body: string): ItemContent => ({ envelope: { operatorIdentity: 'ops' }, body });

  test.each([
    ['asset.lock', 'asset.unlock', open],
    ['asset.unlock', 'asset.lock', shut],
  ] as const)('%s is undone by %s', (name, other, lock) => {
    const state = platform();
    const before = state.assets.get(lock)?.locked;
    const outcome = send(state, name, sent(lock));
    expect(state.assets.get(lock)?.locked).toBe(!before);
    const back = undone(name, sent(lock), outcome);
    if (back.kind !== 'item') throw new Error(back.reason.code);
    send(state, other, back.content);
    expect(state.assets.get(lock)?.locked).toBe(before);
  });

  test('that was refused is left as it is', () => {
    const back = undone('asset.lock', sent(open), { status: 'rejected' });
    expect(back).toMatchObject({ kind: 'none', reason: { code: 'way_back.not_done' } });
  });
});
