import { describe, expect, it } from 'vitest';
import { readWord } from '../../src/guess/cell-words.js';
import type { Field } from '../../src/model/field.js';
import { CUSTOMER_TYPES, LICENSE_TYPES } from '../../src/platform/operations/order/order.endpoint.js';

const field = (name: string, change: Partial<Field> = {}): Field => ({
  name,
  type: 'String',
  required: true,
  meaning: '',
  section: '§2.3',
  ...change,
});
const licence = field('licenseType', { values: LICENSE_TYPES });
const customer = field('customerType', { values: CUSTOMER_TYPES });
const trial = field('trial', {
  type: 'Integer',
  values: [
    { value: 0, meaning: '' },
    { value: 1, meaning: '' },
  ],
});
const lent = field('borrowedUsbKey', { type: 'Boolean' });

describe('words of choices mean their values', () => {
  it.each([
    ['网络锁（可回收）', 'normal_recover_lan_usbkey'],
    ['网络锁(不可回收)', 'normal_unrecover_lan_usbkey'],
    ['单机锁 可恢复', 'normal_recover_usbkey'],
    ['Standalone lock, not recoverable', 'normal_unrecover_usbkey'],
    ['Network lock (recoverable)', 'normal_recover_lan_usbkey'],
    ['身份锁-网络', 'identity_lan_usbkey'],
    ['单机身份锁', 'identity_usbkey'],
    ['单机证书', 'softkey'],
    ['网络证书', 'lan_softkey'],
    ['企业云授权', 'cloud_customer'],
    ['个人云授权', 'cloud_personal'],
    ['云账号', 'cloud_account'],
    ['产品锁', 'lk_product_usbkey'],
    ['登录锁', 'lk_auth_usbkey'],
    ['产品实体', 'product_entity'],
    ['SOFTKEY', 'softkey'],
  ])('%s is %s', (text, value) => {
    expect(readWord(licence, text)).toEqual({ kind: 'value', value });
  });

  it.each([
    ['网络锁', ['normal_recover_lan_usbkey', 'normal_unrecover_lan_usbkey']],
    ['可回收锁', ['normal_recover_usbkey', 'normal_recover_lan_usbkey']],
    ['证书', ['softkey', 'lan_softkey']],
    ['云授权', ['cloud_account', 'cloud_customer', 'cloud_personal']],
  ])('%s leaves open which', (text, candidates) => {
    expect(readWord(licence, text)).toEqual({ kind: 'open', candidates });
  });

  it.each(['标准版', 'constructor', '__proto__', '8200000001'])('%s says nothing', (text) => {
    expect(readWord(licence, text)).toBeUndefined();
    expect(readWord(customer, text)).toBeUndefined();
    expect(readWord(trial, text)).toBeUndefined();
    expect(readWord(lent, text)).toBeUndefined();
  });

  it('reads yes and no as each field has them', () => {
    expect(readWord(trial, '正式')).toEqual({ kind: 'value', value: 0 });
    expect(readWord(trial, '是')).toEqual({ kind: 'value', value: 1 });
    expect(readWord(trial, '1')).toEqual({ kind: 'value', value: 1 });
    expect(readWord(lent, '有')).toEqual({ kind: 'value', value: true });
    expect(readWord(lent, '×')).toEqual({ kind: 'value', value: false });
    expect(readWord(customer, '企业客户')).toEqual({ kind: 'value', value: 'company' });
  });
});
