import { describe, expect, it } from 'vitest';
import type { Message } from '../../src/errors/message.js';
import { renderText } from '../../src/errors/message.js';
import { actionJob, brief, loadReconcile, problemsOf } from './fixture.js';

const MAP = 'map: { assetNums: Lock No, operatorIdentity: { value: ops } }';
const LOCK = 'operation: asset.lock';

async function faultOf(on: string, ...lines: readonly string[]) {
  const [problem, ...rest] = await problemsOf(actionJob(on, ...lines));
  expect(rest).toEqual([]);
  return { at: brief([problem!])[0], params: problem?.message.params };
}

/** The fault of `operatorIdentity`'s leaf in a lock's map, whose value begins at 10:58. */
const leafFault = (on: string, leaf: string) =>
  faultOf(on, LOCK, `map: { assetNums: { value: [L1] }, operatorIdentity: ${leaf} }`);

describe('an action reads only what there is', () => {
  it.each([
    ['different', 'expected.locked'],
    ['different', 'Actual.Locked'],
    ['different', 'actual.assignStatus.assignMemberId'],
    ['different', 'actual.enterpriseGlobalId'],
    ['different', 'expected.assetNum'],
    ['different', 'Some column'],
    ['different', '{ template: "{Lock No}-{actual.id}" }'],
    ['different', `{ expr: 'row["Lock No"] + string(expected.locked) + actual.assetExtends[0].extendCode' }`],
    ['missing', 'expected.locked'],
    ['extra', 'actual.id'],
    ['extra', '{ template: "{actual.assetNum}" }'],
    ['extra', `{ expr: 'actual["id"]' }`],
  ])('on %s may read %s', async (on, leaf) => {
    const yaml = actionJob(on, LOCK, `map: { assetNums: { value: [L1] }, operatorIdentity: ${leaf} }`);
    const { job } = await loadReconcile(yaml);
    expect(job.actions[0]?.map.fields.has('operatorIdentity')).toBe(true);
  });

  it.each([
    ['expected.locked', true],
    ['actual.locked == true', true],
    ['has(actual.limitEndTime)', true],
    ['row["Status"] == "x"', true],
    ['actual.assignStatus.assignMemberId != expected.locked', true],
  ])('may be bound to %s', async (when) => {
    const { job } = await loadReconcile(actionJob('different', `when: ${when}`, LOCK, MAP));
    expect(job.actions[0]?.when?.source).toBe(when);
  });

  it.each([
    ['1 + 1', '9:11', 'a condition must result in'],
    ['expected.locked &&', '9:11', ''],
    ['other.locked', '9:11', 'Unknown variable: other'],
  ])('is refused with the condition %s', async (when, at, detail) => {
    const fault = await faultOf('different', `when: ${when}`, LOCK, MAP);
    if (detail !== '') expect(fault.at).toBe(`${at} job.bad_expression`);
    expect(renderText(fault.params?.detail as Message | string, 'en')).toContain(detail);
  });

  it.each([
    ['expected.loked', '9:11 job.unknown_field', 'expected.locked'],
    ['true || actual.asignStatus.assignMemberId == "x"', '9:19 job.unknown_field', 'actual.assignStatus'],
    ['actual.locked.deep', '9:11 job.unknown_field_far', undefined],
    ['expected.id == "1"', '9:11 job.field_not_expected', undefined],
  ])('is refused where its condition %s reads what is not there', async (when, at, near) => {
    const fault = await faultOf('different', `when: ${when}`, LOCK, MAP);
    expect(fault.at).toBe(at);
    if (near !== undefined) expect(String(fault.params?.near)).toContain(near);
  });

  it.each([
    ['expected.loked', '10:58 job.unknown_field', { field: 'expected.loked', near: 'expected.locked' }],
    ['{ column: actual.asset }', '10:68 job.unknown_field', { near: 'actual.assetNum' }],
    ['{ template: "{Lock No}/{actual.locket}" }', '10:82 job.unknown_field', { near: 'actual.locked' }],
    ['actual.somethingElse', '10:58 job.unknown_field_far', { field: 'actual.somethingElse' }],
    ['actual.assetExtends', '10:58 job.unknown_field_far', { field: 'actual.assetExtends' }],
    ['expected.id', '10:58 job.field_not_expected', { field: 'expected.id', actual: 'actual.id' }],
    [`{ expr: 'actual.idd' }`, '10:67 job.unknown_field', { near: 'actual.id' }],
  ])('is refused with %s in its map', async (leaf, at, params) => {
    const fault = await leafFault('different', leaf);
    expect(fault.at).toBe(at);
    expect(fault.params).toMatchObject(params);
  });

  it.each([
    ['Owner', '10:58 job.extra_has_no_row', 'Owner'],
    ['{ template: "x{Owner}" }', '10:73 job.extra_has_no_row', 'Owner'],
    [`{ expr: 'row["Owner"]' }`, '10:67 job.extra_has_no_row', 'Owner'],
    ['expected.locked', '10:58 job.extra_has_no_row', 'expected.locked'],
  ])('on extra has no row to read %s from', async (leaf, at, column) => {
    const fault = await leafFault('extra', leaf);
    expect(fault.at).toBe(at);
    expect(fault.params).toMatchObject({ column, example: 'actual.assetNum' });
  });

  it('on missing has no record to read from', async () => {
    const fault = await leafFault('missing', 'actual.id');
    expect(fault.at).toBe('10:58 job.missing_has_no_record');
    expect(fault.params).toMatchObject({ column: 'actual.id', example: 'expected.enterpriseGlobalId' });
  });

  it('is held to its operation as a job is', async () => {
    expect((await faultOf('missing', LOCK, 'map: { assetNums: A }')).at).toBe('10:5 job.map_lacks');
    expect((await faultOf('missing', LOCK, 'map: { assetNum: A, operatorIdentity: B }')).at).toBe(
      '10:12 job.unknown_key',
    );
    const create = 'operation: enterprise.create';
    const fixed = await faultOf('missing', create, 'map: { crmCustomerId: A }', 'batch: { size: 2 }');
    expect(fixed.at).toBe('11:20 job.batch_fixed');
    expect((await faultOf('missing', LOCK)).params).toMatchObject({ key: 'map' });
  });

  it.each([
    ['order.new', 'job.unknown_value', { near: 'order.new_buy' }],
    ['asset.look', 'job.unknown_value', { near: 'asset.lock' }],
  ])('is refused with the operation %s', async (operation, code, params) => {
    const fault = await faultOf('missing', `operation: ${operation}`, MAP);
    expect(fault).toMatchObject({ at: `9:16 ${code}`, params });
  });

  it('reports an unknown key with those of actions', async () => {
    const fault = await faultOf('missing', 'wen: "true"', LOCK, MAP);
    expect(fault).toMatchObject({ at: '9:5 job.unknown_key', params: { near: 'when' } });
    expect(fault.params?.known).toBe('on, when, operation, map, batch');
  });

  it('may group the rows it touches, but not read other sheets', async () => {
    const map = (each: string) =>
      `map: { each: ${each}, channelCode: C, customerName: N, assets: { assetNos: A } }`;
    const order = 'operation: order.new_buy';
    const { job } = await loadReconcile(actionJob('missing', order, map('[C, expected.locked]')));
    expect(job.actions[0]?.map.fields.get('orderList')).toMatchObject({
      each: { kind: 'columns', columns: ['C', 'expected.locked'] },
    });
    expect((await faultOf('missing', order, map('{ sheet: Assets, on: [C] }'))).at).toBe(
      '10:12 job.each_sheet_in_action',
    );
    expect(await faultOf('missing', order, map('[C, expected.loked]'))).toMatchObject({
      at: '10:22 job.unknown_field',
      params: { near: 'expected.locked' },
    });
  });
});
